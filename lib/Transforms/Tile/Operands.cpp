//===- Operands.cpp - What happens to operands before a kernel reads them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

Value ucmoh::convertElements(OpBuilder &builder, Location loc, Value value, ElementType have,
                             ElementType want) {
  if (have == want)
    return value;
  Type element = want.getType(builder.getContext()), type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  // Flipping the top bit of 8 adds or subtracts 128 between the two readings of it.
  if (signShift(have, want)) {
    TypedAttr top = builder.getIntegerAttr(element, -128);
    if (auto vector = dyn_cast<VectorType>(type))
      top = DenseElementsAttr::get(vector, top);
    return arith::XOrIOp::create(builder, loc, value, arith::ConstantOp::create(builder, loc, top));
  }
  if (!have.isInteger())
    return arith::ExtFOp::create(builder, loc, type, value);
  if (have.kind == ElementType::UnsignedInt)
    return arith::ExtUIOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

/// The elements of `tensor`, converted, in place of those of `into`.
static Value convertInto(OpBuilder &builder, Location loc, Value tensor, Value into,
                         ElementType have, ElementType want) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, into.getType(), tensor, into, maps, iterators,
             [&](OpBuilder &nested, Location nestedLoc, ValueRange arguments) {
               linalg::YieldOp::create(
                   nested, nestedLoc, convertElements(nested, nestedLoc, arguments[0], have, want));
             })
      .getResult(0);
}

/// The image is converted on its way into the padded one: one pass instead of two.
static Value convertPadded(OpBuilder &builder, Location loc, tensor::PadOp pad, Value empty,
                           ElementType have, ElementType want) {
  Value padding = convertElements(builder, loc, pad.getConstantPaddingValue(), have, want);
  Value filled = linalg::FillOp::create(builder, loc, padding, empty).getResult(0);
  auto source = cast<RankedTensorType>(pad.getSource().getType());
  SmallVector<OpFoldResult> sizes, ones(source.getRank(), builder.getIndexAttr(1));
  for (int64_t extent : source.getShape())
    sizes.push_back(builder.getIndexAttr(extent));
  SmallVector<OpFoldResult> offsets = pad.getMixedLowPad();
  Value inside = tensor::ExtractSliceOp::create(builder, loc, filled, offsets, sizes, ones);
  Value converted = convertInto(builder, loc, pad.getSource(), inside, have, want);
  return tensor::InsertSliceOp::create(builder, loc, converted, filled, offsets, sizes, ones);
}

static Value convertTensor(OpBuilder &builder, Location loc, Value tensor, ElementType have,
                           ElementType want) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty =
      tensor::EmptyOp::create(builder, loc, type.getShape(), want.getType(builder.getContext()));
  auto pad = tensor.getDefiningOp<tensor::PadOp>();
  if (pad && pad.getConstantPaddingValue() && pad.getLow().empty() && pad.getHigh().empty() &&
      pad.getSourceType().hasStaticShape())
    return convertPadded(builder, loc, pad, empty, have, want);
  return convertInto(builder, loc, tensor, empty, have, want);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> extentsOf(const Workload &workload, ArrayRef<unsigned> dims) {
  return llvm::map_to_vector(dims, [&](unsigned dim) { return workload.dims[dim].extent; });
}

static Value zeroTensor(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape) {
  Value empty = tensor::EmptyOp::create(builder, loc, shape, builder.getI32Type());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

/// acc + the element as i32.
static void buildSum(OpBuilder &builder, Location loc, Value element, Value acc, bool isUnsigned) {
  Type type = builder.getI32Type();
  Value wide = isUnsigned ? Value(arith::ExtUIOp::create(builder, loc, type, element))
                          : Value(arith::ExtSIOp::create(builder, loc, type, element));
  Value total = arith::AddIOp::create(builder, loc, wide, acc);
  linalg::YieldOp::create(builder, loc, total);
}

/// Loops over these dims: that which runs along the operand's memory goes inside.
static SmallVector<unsigned> orderLoops(const Operand &operand, ArrayRef<unsigned> kept,
                                        ArrayRef<unsigned> reduced) {
  bool reductionInside = coefficient(operand.linearIndex(), reduced.back()) == 1;
  SmallVector<unsigned> order(reductionInside ? kept : reduced);
  llvm::append_range(order, reductionInside ? reduced : kept);
  return order;
}

/// The sums as an operand that is indexed by the dims that were kept.
static Operand operandOf(Value sums, const Workload &workload, ArrayRef<unsigned> kept) {
  Operand result;
  result.value = sums;
  result.shape = extentsOf(workload, kept);
  result.type = {ElementType::SignedInt, 32};
  MLIRContext *context = sums.getContext();
  auto exprs =
      llvm::map_to_vector(kept, [&](unsigned dim) { return getAffineDimExpr(dim, context); });
  result.map = AffineMap::get(workload.dims.size(), 0, exprs, context);
  return result;
}

/// The operand's elements summed over the reduction, per batch and row (or column).
static Operand sumOverReduction(OpBuilder &builder, Location loc, const Workload &workload,
                                const Operand &operand, DimRole keep) {
  SmallVector<unsigned> kept = workload.dimsOf(DimRole::Batch);
  llvm::append_range(kept, workload.dimsOf(keep));
  SmallVector<unsigned> reduced = workload.dimsOf(DimRole::K);
  SmallVector<unsigned> order = orderLoops(operand, kept, reduced);
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> position(workload.dims.size(), getAffineConstantExpr(0, context));
  SmallVector<utils::IteratorType> iterators;
  for (auto [index, dim] : llvm::enumerate(order)) {
    position[dim] = getAffineDimExpr(index, context);
    iterators.push_back(workload.dims[dim].role == DimRole::K ? utils::IteratorType::reduction
                                                              : utils::IteratorType::parallel);
  }
  auto mapOf = [&](ArrayRef<unsigned> dims) {
    auto exprs = llvm::map_to_vector(dims, [&](unsigned dim) { return position[dim]; });
    return AffineMap::get(order.size(), 0, exprs, context);
  };
  AffineMap operandMap = operand.map.replaceDimsAndSymbols(position, {}, order.size(), 0);
  // The extents of a convolution's window do not follow from the shape of what it slides over.
  Value window =
      tensor::EmptyOp::create(builder, loc, extentsOf(workload, reduced), builder.getI8Type());
  Value init = zeroTensor(builder, loc, extentsOf(workload, kept));
  bool isUnsigned = operand.type.kind == ElementType::UnsignedInt;
  auto sum =
      linalg::GenericOp::create(builder, loc, init.getType(), ValueRange{operand.value, window},
                                init, {operandMap, mapOf(reduced), mapOf(kept)}, iterators,
                                [&](OpBuilder &b, Location l, ValueRange arguments) {
                                  buildSum(b, l, arguments[0], arguments[2], isUnsigned);
                                });
  return operandOf(sum.getResult(0), workload, kept);
}

/// sums * factor + addend, element by element.
static void scale(OpBuilder &builder, Location loc, Operand &sums, Value factor, Value addend) {
  auto type = cast<RankedTensorType>(sums.value.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  sums.value =
      linalg::GenericOp::create(
          builder, loc, type, sums.value, empty, maps, iterators,
          [&](OpBuilder &b, Location l, ValueRange arguments) {
            Value product = arith::MulIOp::create(b, l, arguments[0], factor);
            linalg::YieldOp::create(b, l, ValueRange{arith::AddIOp::create(b, l, product, addend)});
          })
          .getResult(0);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// The zero point of the converted operand: its own, moved by what the conversion adds.
static Value effectiveZero(OpBuilder &builder, Location loc, const Operand &operand,
                           int64_t shift) {
  Value offset = arith::ConstantOp::create(builder, loc,
                                           builder.getI32IntegerAttr(operand.zeroOffset + shift));
  return operand.zeroPoint
             ? arith::AddIOp::create(builder, loc, operand.zeroPoint, offset).getResult()
             : offset;
}

static void convertAhead(OpBuilder &builder, Location loc, Operand &operand, ElementType want) {
  if (operand.type == want)
    return;
  operand.value = convertTensor(builder, loc, operand.value, operand.type, want);
  operand.strides.clear();
  operand.type = want;
}

// With a' = a + s_a and b' = b + s_b as the intrinsic sees them, and zero points z_a, z_b:
//   sum (a - z_a)(b - z_b) = sum a'b' - (s_a + z_a) sum b - (s_b + z_b) sum a
//                            + K (z_a z_b - s_a s_b)
Corrections ucmoh::convertOperands(OpBuilder &builder, Location loc, Workload &workload,
                                   const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  Operand &lhs = workload.lhs, &rhs = workload.rhs;
  int64_t shiftLhs = signShift(lhs.type, intrinsic.lhs);
  int64_t shiftRhs = signShift(rhs.type, intrinsic.rhs);
  Corrections corrections;
  if (isShifted(lhs, intrinsic.lhs) || isShifted(rhs, intrinsic.rhs)) {
    auto constant = [&](int64_t value) {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value)).getResult();
    };
    auto mul = [&](Value a, Value b) { return builder.createOrFold<arith::MulIOp>(loc, a, b); };
    auto sub = [&](Value a, Value b) { return builder.createOrFold<arith::SubIOp>(loc, a, b); };
    Value zeros = mul(effectiveZero(builder, loc, lhs, 0), effectiveZero(builder, loc, rhs, 0));
    Value rest =
        mul(sub(zeros, constant(shiftLhs * shiftRhs)), constant(workload.extent(DimRole::K)));
    if (isShifted(lhs, intrinsic.lhs)) {
      corrections.perColumn = sumOverReduction(builder, loc, workload, rhs, DimRole::N);
      scale(builder, loc, *corrections.perColumn,
            sub(constant(0), effectiveZero(builder, loc, lhs, shiftLhs)), rest);
      rest = constant(0);
    }
    if (isShifted(rhs, intrinsic.rhs)) {
      corrections.perRow = sumOverReduction(builder, loc, workload, lhs, DimRole::M);
      scale(builder, loc, *corrections.perRow,
            sub(constant(0), effectiveZero(builder, loc, rhs, shiftRhs)), rest);
    }
  }
  if (candidate.packLhs != Packing::Block)
    convertAhead(builder, loc, lhs, intrinsic.lhs);
  if (candidate.packRhs != Packing::Block)
    convertAhead(builder, loc, rhs, intrinsic.rhs);
  return corrections;
}

Value ucmoh::flatten(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getRank() == 1)
    return tensor;
  if (type.getRank() == 0)
    return tensor::ExpandShapeOp::create(builder, loc,
                                         RankedTensorType::get({1}, type.getElementType()), tensor,
                                         ArrayRef<ReassociationIndices>{});
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return tensor::CollapseShapeOp::create(builder, loc, tensor, ArrayRef<ReassociationIndices>{all});
}

Value ucmoh::unflatten(OpBuilder &builder, Location loc, Value flat, RankedTensorType type) {
  if (type.getRank() == 1)
    return flat;
  if (type.getRank() == 0)
    return tensor::CollapseShapeOp::create(builder, loc, type, flat,
                                           ArrayRef<ReassociationIndices>{});
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return tensor::ExpandShapeOp::create(builder, loc, type, flat,
                                       ArrayRef<ReassociationIndices>{all});
}
