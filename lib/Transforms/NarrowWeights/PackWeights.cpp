//===- PackWeights.cpp - Weights of few bits as kernels read them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackWeights.h"
#include "../FormulaEmitter.h"
#include "../Tile/Operands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ucmoh;

using Iterators = SmallVector<utils::IteratorType>;

static Value emptyTensor(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type element) {
  return tensor::EmptyOp::create(builder, loc, shape, element);
}

using EmitElement = llvm::function_ref<Value(OpBuilder &, Location, FormulaEmitter &)>;

/// `expr` over (row, step), where the step is `major * group + minor` of two variables: without
/// divisions where groups are what it divides by, so that loops over the variables are vectors.
static AffineExpr splitStep(AffineExpr expr, int64_t group, AffineExpr row, AffineExpr major,
                            AffineExpr minor) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == 0 ? row : major * group + minor;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExprKind kind = expr.getKind();
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
  if (dim && dim.getPosition() == 1 && divisor && divisor.getValue() == group) {
    if (kind == AffineExprKind::FloorDiv)
      return major;
    if (kind == AffineExprKind::Mod)
      return minor;
  }
  return getAffineBinaryOpExpr(kind, splitStep(binary.getLHS(), group, row, major, minor),
                               splitStep(binary.getRHS(), group, row, major, minor));
}

/// A tensor of rows x groups x steps of one, or if `groupsOutside`, groups x rows x steps of one,
/// with what `emit` makes of the formula.
static Value tabulate(OpBuilder &builder, Location loc, const FormulaRef &formula,
                      ArrayRef<int64_t> shape, bool groupsOutside, Type type, EmitElement emit) {
  AffineExpr row = builder.getAffineDimExpr(groupsOutside), minor = builder.getAffineDimExpr(2),
             major = builder.getAffineDimExpr(!groupsOutside);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  forEachElement(formula, [&](const Formula &element) {
    SmallVector<AffineExpr> index;
    for (AffineExpr expr : element.index)
      index.push_back(simplifyAffineExpr(splitStep(expr, shape[2], row, major, minor), 3, 0));
    inputs.push_back(element.value);
    maps.push_back(AffineMap::get(3, 0, index, builder.getContext()));
  });
  maps.push_back(builder.getMultiDimIdentityMap(3));
  Value empty = emptyTensor(builder, loc, shape, type);
  return linalg::GenericOp::create(builder, loc, empty.getType(), inputs, empty, maps,
                                   Iterators(3, utils::IteratorType::parallel),
                                   [&](OpBuilder &b, Location l, ValueRange arguments) {
                                     FormulaEmitter emitter(b, l, arguments.drop_back());
                                     linalg::YieldOp::create(b, l, emit(b, l, emitter));
                                   })
      .getResult(0);
}

Value ucmoh::materialize(OpBuilder &builder, Location loc, const FormulaRef &formula, int64_t rows,
                         int64_t groups, int64_t group) {
  AffineExpr row = builder.getAffineDimExpr(0), step = builder.getAffineDimExpr(1) * group;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  forEachElement(formula, [&](const Formula &element) {
    SmallVector<AffineExpr> index;
    for (AffineExpr expr : element.index)
      index.push_back(simplifyAffineExpr(expr.replaceDims({row, step}), 2, 0));
    inputs.push_back(element.value);
    maps.push_back(AffineMap::get(2, 0, index, builder.getContext()));
  });
  maps.push_back(builder.getMultiDimIdentityMap(2));
  Value empty = emptyTensor(builder, loc, {rows, groups}, builder.getF32Type());
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), inputs, empty, maps,
             Iterators(2, utils::IteratorType::parallel),
             [&](OpBuilder &b, Location l, ValueRange arguments) {
               FormulaEmitter emitter(b, l, arguments.drop_back());
               Value one = arith::ConstantOp::create(b, l, b.getF32FloatAttr(1));
               linalg::YieldOp::create(b, l, formula ? emitter.emitFloat(formula) : one);
             })
      .getResult(0);
}

/// A number of few bits as an integer of the type.
static Value toInteger(OpBuilder &b, Location loc, Value number, bool isUnsigned, Type type) {
  unsigned have = number.getType().getIntOrFloatBitWidth(), want = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(number.getType())) {
    number = arith::FPToSIOp::create(b, loc, b.getI32Type(), number);
    have = 32;
  }
  if (have > want)
    return arith::TruncIOp::create(b, loc, type, number);
  if (have == want)
    return number;
  return isUnsigned ? Value(arith::ExtUIOp::create(b, loc, type, number))
                    : Value(arith::ExtSIOp::create(b, loc, type, number));
}

Value ucmoh::materializeIntegers(OpBuilder &builder, Location loc, const Dequantization &numbers,
                                 ArrayRef<int64_t> shape, bool groupsOutside, int64_t shift,
                                 Type type) {
  return tabulate(
      builder, loc, numbers.integer, shape, groupsOutside, type,
      [&](OpBuilder &b, Location l, FormulaEmitter &emitter) -> Value {
        Value integer = toInteger(b, l, emitter.emit(numbers.integer), numbers.isUnsigned, type);
        if (shift == 0)
          return integer;
        unsigned bits = type.getIntOrFloatBitWidth();
        APInt by(bits, shift, /*isSigned=*/true, /*implicitTrunc=*/true); // modulo 2^bits
        auto constant = arith::ConstantOp::create(b, l, b.getIntegerAttr(type, by));
        return arith::SubIOp::create(b, l, integer, constant);
      });
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

Value ucmoh::padBehind(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  SmallVector<OpFoldResult> low(shape.size(), builder.getIndexAttr(0)), high;
  for (auto [want, have] : llvm::zip_equal(shape, type.getShape()))
    high.push_back(builder.getIndexAttr(want - have));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(builder, loc, type.clone(shape), tensor, low, high, zero)
      .getResult();
}

static Value expand(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> shape,
                    ArrayRef<ReassociationIndices> groups) {
  auto type = cast<RankedTensorType>(tensor.getType()).clone(shape);
  return tensor::ExpandShapeOp::create(builder, loc, type, tensor, groups);
}

/// Elements side by side of two rows share a byte.
static Value joinHalves(OpBuilder &b, Location loc, Value lower, Value upper) {
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(b.getI8Type(), value));
  };
  upper = arith::ShLIOp::create(b, loc, upper, constant(4));
  return arith::OrIOp::create(b, loc, arith::AndIOp::create(b, loc, lower, constant(15)), upper);
}

Value ucmoh::packIntegers(OpBuilder &builder, Location loc, const NarrowPlan &plan,
                          Value integers) {
  int64_t interleave = plan.intrinsic->kInterleave, perByte = plan.perByte();
  int64_t rows = plan.steps / (interleave * perByte);
  integers = padBehind(builder, loc, integers, {plan.panels() * plan.panel, plan.steps});
  integers = expand(builder, loc, integers, {plan.panels(), plan.panel, rows, perByte, interleave},
                    {{0, 1}, {2, 3, 4}});
  auto dim = [&](unsigned position) { return builder.getAffineDimExpr(position); };
  SmallVector<AffineMap> maps;
  for (int64_t half = 0; half < perByte; ++half)
    maps.push_back(
        AffineMap::get(4, 0, {dim(0), dim(2), dim(1), builder.getAffineConstantExpr(half), dim(3)},
                       builder.getContext()));
  maps.push_back(builder.getMultiDimIdentityMap(4));
  Value empty =
      emptyTensor(builder, loc, {plan.panels(), rows, plan.panel, interleave}, builder.getI8Type());
  auto packed = linalg::GenericOp::create(
      builder, loc, empty.getType(), SmallVector<Value>(perByte, integers), empty, maps,
      Iterators(4, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location l, ValueRange arguments) {
        Value byte = perByte == 1 ? arguments[0] : joinHalves(b, l, arguments[0], arguments[1]);
        linalg::YieldOp::create(b, l, byte);
      });
  return flatten(builder, loc, packed.getResult(0));
}

/// An infinite scale makes a product of infinity and zero somewhere in its group, and a sum of
/// infinities of both signs. Scaling the sum would hide that.
static Value finiteOrNaN(OpBuilder &b, Location loc, Value scale) {
  Value nothing = arith::SubFOp::create(b, loc, scale, scale); // 0, or NaN
  return arith::AddFOp::create(b, loc, scale, nothing);
}

Value ucmoh::packScales(OpBuilder &builder, Location loc, const NarrowPlan &plan, Value scales) {
  scales = padBehind(builder, loc, scales, {plan.panels() * plan.panel, plan.groups()});
  scales = expand(builder, loc, scales, {plan.panels(), plan.panel, plan.groups()}, {{0, 1}, {2}});
  auto dim = [&](unsigned position) { return builder.getAffineDimExpr(position); };
  SmallVector<AffineMap> maps = {
      AffineMap::get(3, 0, {dim(0), dim(2), dim(1)}, builder.getContext()),
      builder.getMultiDimIdentityMap(3)};
  Value empty =
      emptyTensor(builder, loc, {plan.panels(), plan.groups(), plan.panel}, builder.getF32Type());
  auto packed =
      linalg::GenericOp::create(builder, loc, empty.getType(), scales, empty, maps,
                                Iterators(3, utils::IteratorType::parallel),
                                [&](OpBuilder &b, Location l, ValueRange arguments) {
                                  linalg::YieldOp::create(b, l, finiteOrNaN(b, l, arguments[0]));
                                });
  return flatten(builder, loc, packed.getResult(0));
}
