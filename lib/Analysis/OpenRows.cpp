//===- OpenRows.cpp - Products of which not all rows are wanted
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/OpenRows.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;
using namespace ucmoh;

int64_t OpenRows::rowElements() {
  int64_t product = 1;
  for (auto [index, extent] : llvm::enumerate(slice.getSourceType().getShape()))
    product *= index == dim ? 1 : extent;
  return product;
}

/// The dim of which the slice leaves out the end, if it leaves out nothing else.
static std::optional<unsigned> openDim(tensor::ExtractSliceOp slice) {
  std::optional<unsigned> open;
  for (auto [dim, size, extent] :
       llvm::enumerate(slice.getStaticSizes(), slice.getSourceType().getShape())) {
    if (size == extent)
      continue;
    if (open || !ShapedType::isDynamic(size))
      return std::nullopt;
    open = dim;
  }
  return open;
}

std::optional<OpenRows> ucmoh::findOpenRows(Operation *op) {
  if (op->getNumResults() != 1 || !op->hasOneUse())
    return std::nullopt;
  auto slice = dyn_cast<tensor::ExtractSliceOp>(*op->user_begin());
  if (!slice || !slice.hasUnitStride() || !slice.hasZeroOffset() ||
      slice.getType().getRank() != slice.getSourceType().getRank())
    return std::nullopt;
  std::optional<unsigned> dim = openDim(slice);
  bool isOutermost = dim && llvm::all_of(slice.getSourceType().getShape().take_front(*dim),
                                         [](int64_t extent) { return extent == 1; });
  return isOutermost ? std::optional(OpenRows{slice, *dim}) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Before padding
//===----------------------------------------------------------------------===//

/// The dim that is dynamic.
static std::optional<unsigned> dynamicDim(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getNumDynamicDims() != 1)
    return std::nullopt;
  return llvm::find_if(type.getShape(), ShapedType::isDynamic) - type.getShape().begin();
}

/// Rows of zeros stand behind others.
static bool padsRows(tensor::PadOp pad) {
  std::optional<unsigned> dim = dynamicDim(pad.getSource());
  if (!dim || !pad.getType().hasStaticShape())
    return false;
  for (auto [index, low, high] : llvm::enumerate(pad.getMixedLowPad(), pad.getMixedHighPad()))
    if (!isZeroInteger(low) || (index != *dim && !isZeroInteger(high)))
      return false;
  return true;
}

/// The inputs of an elementwise op without padding, and the loop over their rows; none where an
/// input has the rows, but no padding.
static std::optional<unsigned> findRows(OpBuilder &builder, linalg::GenericOp op,
                                        SmallVectorImpl<Value> &inputs) {
  std::optional<unsigned> rows;
  for (OpOperand *input : op.getDpsInputOperands()) {
    inputs.push_back(withoutPaddedRows(builder, input->get()));
    if (inputs.back() != input->get())
      rows = op.getMatchingIndexingMap(input).getDimPosition(*dynamicDim(inputs.back()));
  }
  for (auto [input, operand] : llvm::zip_equal(inputs, op.getDpsInputOperands()))
    if (rows && input == operand->get() &&
        op.getMatchingIndexingMap(operand).isFunctionOfDim(*rows))
      return std::nullopt;
  return rows;
}

static Value computeOnFewer(OpBuilder &builder, linalg::GenericOp op) {
  Value result = op->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  bool isElementwise = op.getNumParallelLoops() == op.getNumLoops() && op->getNumResults() == 1 &&
                       !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
                       !op.hasIndexSemantics() &&
                       llvm::all_of(op.getIndexingMapsArray(),
                                    [](AffineMap map) { return map.isProjectedPermutation(); });
  SmallVector<Value> inputs;
  std::optional<unsigned> rows = isElementwise ? findRows(builder, op, inputs) : std::nullopt;
  if (!rows)
    return result;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<OpFoldResult> extents = getAsIndexOpFoldResult(op.getContext(), type.getShape());
  for (auto [input, operand] : llvm::zip_equal(inputs, op.getDpsInputOperands()))
    if (input != operand->get())
      extents[*map.getResultPosition(getAffineDimExpr(*rows, op.getContext()))] =
          tensor::getMixedSize(builder, op.getLoc(), input, *dynamicDim(input));
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), extents, type.getElementType());
  inputs.push_back(empty);
  return clone(builder, op, empty.getType(), inputs)->getResult(0);
}

static Value reshapeFewer(OpBuilder &builder, Operation *op) {
  Value result = op->getResult(0), before = op->getOperand(0);
  Value source = withoutPaddedRows(builder, before);
  if (source == before)
    return result;
  auto type = cast<RankedTensorType>(result.getType());
  int64_t rows = cast<RankedTensorType>(before.getType()).getDimSize(*dynamicDim(source));
  SmallVector<int64_t> shape(type.getShape());
  auto dim = llvm::find(shape, rows);
  if (dim == shape.end() || llvm::count(shape, rows) != 1)
    return result;
  *dim = ShapedType::kDynamic;
  auto made = RankedTensorType::get(shape, type.getElementType());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return tensor::ExpandShapeOp::create(builder, op->getLoc(), made, source,
                                         expand.getReassociationIndices());
  return tensor::CollapseShapeOp::create(
      builder, op->getLoc(), made, source,
      cast<tensor::CollapseShapeOp>(op).getReassociationIndices());
}

Value ucmoh::withoutPaddedRows(OpBuilder &builder, Value value) {
  Operation *op = value.getDefiningOp();
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op))
    return padsRows(pad) ? pad.getSource() : value;
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return reshapeFewer(builder, op);
  if (auto generic = dyn_cast_or_null<linalg::GenericOp>(op))
    return computeOnFewer(builder, generic);
  return value;
}
