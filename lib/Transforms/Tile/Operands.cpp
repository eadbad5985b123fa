//===- Operands.cpp - What happens to operands before a kernel reads them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include "Sums.h"
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
// Of sum a'b', a kernel leaves out p sum b' over rows of padding, whose a' is p.
Corrections ucmoh::convertOperands(OpBuilder &builder, Location loc, Workload &workload,
                                   const Candidate &candidate, ArrayRef<Border> borders) {
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
      corrections.perColumn =
          scaledColumnSums(builder, loc, workload, borders,
                           sub(constant(0), effectiveZero(builder, loc, lhs, shiftLhs)), rest);
      rest = constant(0);
    }
    if (isShifted(rhs, intrinsic.rhs)) {
      corrections.perRow =
          scaledRowSums(builder, loc, workload,
                        sub(constant(0), effectiveZero(builder, loc, rhs, shiftRhs)), rest);
    }
  }
  if (candidate.packLhs != Packing::Block)
    convertAhead(builder, loc, lhs, intrinsic.lhs);
  if (!isCopied(candidate.packRhs))
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
