//===- IntegerProducts.cpp - Products of dequantized operands, as such of integers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormulaEmitter.h"
#include "Prepare/Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/QuantizedFactor.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_INTEGERPRODUCTS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// What to multiply
//===----------------------------------------------------------------------===//

/// Whether no sum of the products exceeds 32 bits.
static bool fitsSums(linalg::LinalgOp op, const QuantizedFactor &lhs, const QuantizedFactor &rhs) {
  auto largest = [](ElementRange range) { return std::max(-range.low, range.high); };
  int64_t sum = largest(lhs.range()) * largest(rhs.range());
  for (auto [extent, kind] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction &&
        llvm::MulOverflow(sum, extent, sum)) // extents are static: formulas are
      return false;
  return sum <= std::numeric_limits<int32_t>::max();
}

/// Both factors of a product of floats, or none.
static SmallVector<QuantizedFactor> findFactors(linalg::LinalgOp op) {
  SmallVector<QuantizedFactor> factors;
  auto product = matchProduct(op);
  if (!product || !op.hasPureTensorSemantics() || op->hasAttr("ucmoh.choice") ||
      op.hasDynamicShape() || !product->first.getType().isF32() || !reducesTwoOperands(op) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isProjectedPermutation())
    return {};
  for (Value value : {product->first, product->second}) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != op.getBlock())
      return {};
    std::optional<QuantizedFactor> factor =
        findQuantizedFactor(op, *op.getMatchingOpOperand(argument));
    if (!factor)
      return {};
    factors.push_back(*factor);
  }
  return fitsSums(op, factors[0], factors[1]) ? factors : SmallVector<QuantizedFactor>();
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A zero point as an integer of the type; null if it is 0.
static Value emitZero(OpBuilder &builder, Location loc, const QuantizedFactor &factor, Type type) {
  if (std::optional<int64_t> known = factor.constantZero()) {
    APInt bits(64, *known, /*isSigned=*/true);
    auto attribute = IntegerAttr::get(type, bits.trunc(type.getIntOrFloatBitWidth()));
    return *known ? arith::ConstantOp::create(builder, loc, attribute) : Value();
  }
  SmallVector<Value> elements;
  forEachElement(factor.zero, [&](const Formula &element) {
    SmallVector<Value> position = llvm::map_to_vector(element.index, [&](AffineExpr expr) -> Value {
      return arith::ConstantIndexOp::create(builder, loc,
                                            cast<AffineConstantExpr>(expr).getValue());
    });
    elements.push_back(tensor::ExtractOp::create(builder, loc, element.value, position));
  });
  Value number = FormulaEmitter(builder, loc, elements).emit(factor.zero);
  unsigned have = number.getType().getIntOrFloatBitWidth(), want = type.getIntOrFloatBitWidth();
  if (have == want)
    return number;
  return have > want ? Value(arith::TruncIOp::create(builder, loc, type, number))
                     : Value(arith::ExtSIOp::create(builder, loc, type, number));
}

/// The tensor that a move makes of the integers, with the zero point for zeros.
static Value repeatMove(OpBuilder &builder, Operation *move, Value integers, Value zero) {
  Location loc = move->getLoc();
  auto type = cast<RankedTensorType>(move->getResult(0).getType()).clone(zero.getType());
  if (isa<linalg::TransposeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(move))
    return moveLike(builder, move, integers);
  if (auto pad = dyn_cast<tensor::PadOp>(move))
    return tensor::PadOp::create(builder, loc, type, integers, pad.getMixedLowPad(),
                                 pad.getMixedHighPad(), zero);
  auto slice = cast<OffsetSizeAndStrideOpInterface>(move);
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes(),
                            strides = slice.getMixedStrides();
  if (isa<tensor::ExtractSliceOp>(move))
    return tensor::ExtractSliceOp::create(builder, loc, type, integers, offsets, sizes, strides);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  Value zeros = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  return tensor::InsertSliceOp::create(builder, loc, integers, zeros, offsets, sizes, strides);
}

static Value moveIntegers(OpBuilder &builder, Location loc, const QuantizedFactor &factor) {
  Value integers = factor.integers;
  if (factor.moves.empty())
    return integers;
  Type type = builder.getI8Type();
  Value zero = emitZero(builder, loc, factor, type);
  if (!zero)
    zero = arith::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
  for (Operation *move : llvm::reverse(factor.moves))
    integers = repeatMove(builder, move, integers, zero);
  return integers;
}

/// The integers without dims of one element that no loop runs over, and the map to the others.
static std::pair<Value, AffineMap> dropUnits(OpBuilder &builder, Location loc, Value integers,
                                             AffineMap map) {
  auto type = cast<RankedTensorType>(integers.getType());
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  for (auto [expr, extent] : llvm::zip_equal(map.getResults(), type.getShape()))
    if (!isa<AffineConstantExpr>(expr)) {
      shape.push_back(extent);
      exprs.push_back(expr);
    }
  auto groups = getReassociationIndicesForCollapse(type.getShape(), shape);
  if (exprs.size() == map.getNumResults() || !groups)
    return {integers, map};
  Value dropped =
      tensor::CollapseShapeOp::create(builder, loc, type.clone(shape), integers, *groups);
  return {dropped, AffineMap::get(map.getNumDims(), 0, exprs, map.getContext())};
}

/// The integer in a body as one of 32 bits, less its zero point.
static Value widen(OpBuilder &b, Location loc, const QuantizedFactor &factor, Value integer,
                   Value zero) {
  Type type = b.getI32Type();
  Value wide = factor.isUnsigned ? Value(arith::ExtUIOp::create(b, loc, type, integer))
                                 : Value(arith::ExtSIOp::create(b, loc, type, integer));
  return zero ? Value(arith::SubIOp::create(b, loc, wide, zero)) : wide;
}

/// Sums of products of integers, of the shape of the product's result.
static Value multiplyIntegers(OpBuilder &builder, linalg::LinalgOp op,
                              ArrayRef<QuantizedFactor> factors) {
  Location loc = op.getLoc();
  Type i32 = builder.getI32Type();
  auto type = cast<RankedTensorType>(op->getResult(0).getType()).clone(i32);
  Value none = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), i32);
  Value init = linalg::FillOp::create(builder, loc, none, empty).getResult(0);
  SmallVector<Value> integers, zeros;
  SmallVector<AffineMap> maps;
  for (const QuantizedFactor &factor : factors) {
    auto [tensor, map] = dropUnits(builder, loc, moveIntegers(builder, loc, factor), factor.map);
    integers.push_back(tensor);
    maps.push_back(map);
    zeros.push_back(emitZero(builder, loc, factor, i32));
  }
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  auto product = linalg::GenericOp::create(
      builder, loc, type, integers, init, maps, op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location l, ValueRange arguments) {
        Value lhs = widen(b, l, factors[0], arguments[0], zeros[0]);
        Value rhs = widen(b, l, factors[1], arguments[1], zeros[1]);
        Value next = arith::MulIOp::create(b, l, lhs, rhs);
        linalg::YieldOp::create(b, l, Value(arith::AddIOp::create(b, l, arguments[2], next)));
      });
  copyMarks(op, product);
  return product.getResult(0);
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

/// The numbers of a formula as operands of an elementwise op over the result.
static void addElements(const FormulaRef &scale, AffineMap result, SmallVector<Value> &inputs,
                        SmallVector<AffineMap> &maps) {
  MLIRContext *context = result.getContext();
  SmallVector<AffineExpr> loops(result.getNumDims(), getAffineConstantExpr(0, context));
  for (unsigned dim = 0; dim < result.getNumResults(); ++dim)
    loops[result.getDimPosition(dim)] = getAffineDimExpr(dim, context);
  forEachElement(scale, [&](const Formula &element) {
    inputs.push_back(element.value);
    AffineMap over = AffineMap::get(result.getNumDims(), 0, element.index, context);
    maps.push_back(over.replaceDimsAndSymbols(loops, {}, result.getNumResults(), 0));
  });
}

/// float(sum) * scale + what the sums of floats began with.
static Value scaleSums(OpBuilder &builder, linalg::LinalgOp op, Value sums,
                       const FormulaRef &scale) {
  Location loc = op.getLoc();
  OpOperand *init = op.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(init->get().getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<Value> inputs = {sums};
  SmallVector<AffineMap> maps = {identity};
  addElements(scale, op.getMatchingIndexingMap(init), inputs, maps);
  bool addsInit = !isZeroTensor(init->get());
  size_t scales = inputs.size() - 1;
  if (addsInit) {
    inputs.push_back(init->get());
    maps.push_back(identity);
  }
  maps.push_back(identity);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto scaled = linalg::GenericOp::create(
      builder, loc, type, inputs, empty, maps, loops,
      [&](OpBuilder &b, Location l, ValueRange arguments) {
        Value value = arith::SIToFPOp::create(b, l, type.getElementType(), arguments[0]);
        FormulaEmitter emitter(b, l, arguments.slice(1, scales));
        if (scale)
          value = arith::MulFOp::create(b, l, value, emitter.emitFloat(scale));
        if (addsInit)
          value = arith::AddFOp::create(b, l, value, arguments[1 + scales]);
        linalg::YieldOp::create(b, l, value);
      });
  return scaled.getResult(0);
}

namespace {
struct IntegerProductsPass : ucmoh::impl::IntegerProductsBase<IntegerProductsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      SmallVector<QuantizedFactor> factors = findFactors(op);
      if (factors.empty())
        continue;
      rewriter.setInsertionPoint(op);
      Value sums = multiplyIntegers(rewriter, op, factors);
      FormulaRef scale = combine(Formula::Mul, factors[0].scale, factors[1].scale);
      rewriter.replaceOp(op, scaleSums(rewriter, op, sums, scale));
    }
  }
};
} // namespace
