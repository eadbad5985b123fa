//===- Slices.cpp - Operands and results that are parts of larger tensors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Slices.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "ucmoh/Analysis/ContractionBody.h"

using namespace mlir;
using namespace ucmoh;

/// Behind the first dim that has several elements, all dims are whole.
static bool isContiguous(ArrayRef<int64_t> sizes, ArrayRef<int64_t> shape) {
  bool whole = false;
  for (auto [size, extent] : llvm::zip_equal(sizes, shape)) {
    if (whole && size != extent)
      return false;
    whole |= size != 1;
  }
  return true;
}

/// Returns the strides of the dims that the slice keeps, inside of a tensor of this shape.
template <typename Slice>
static std::optional<SmallVector<int64_t>> stridesInside(Slice slice, RankedTensorType whole) {
  ArrayRef<int64_t> steps = slice.getStaticStrides();
  if (!whole.hasStaticShape() || ShapedType::isDynamicShape(slice.getStaticSizes()) ||
      llvm::is_contained(steps, ShapedType::kDynamic) ||
      (slice.hasUnitStride() && isContiguous(slice.getStaticSizes(), whole.getShape())))
    return std::nullopt;
  SmallVector<int64_t> strides;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  for (auto [dim, stride] : llvm::enumerate(computeStrides(whole.getShape())))
    if (!dropped[dim])
      strides.push_back(stride * steps[dim]);
  return strides;
}

std::optional<SmallVector<int64_t>> ucmoh::findStridesOfSlice(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  bool isBox = slice && slice.hasUnitStride();
  return isBox ? stridesInside(slice, slice.getSourceType()) : std::nullopt;
}

std::optional<SmallVector<int64_t>> ucmoh::findStridesOfPlace(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice ? stridesInside(slice, slice.getSourceType()) : std::nullopt;
}

/// The strides of what was collapsed, of which each group has one dim of several elements.
static std::optional<SmallVector<int64_t>> stridesBefore(tensor::CollapseShapeOp collapse,
                                                         ArrayRef<int64_t> strides) {
  ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
  SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
  if (!haveOneDimEach(collapse.getSrcType(), groups))
    return std::nullopt;
  SmallVector<int64_t> result(shape.size(), 0);
  for (auto [group, stride] : llvm::zip_equal(groups, strides))
    for (int64_t dim : group)
      if (shape[dim] != 1)
        result[dim] = stride;
  return result;
}

/// Whether neighbours along the innermost dim of several elements are apart: no vector can be
/// stored.
static bool isScattered(Value tensor, ArrayRef<int64_t> strides) {
  for (auto [size, stride] :
       llvm::reverse(llvm::zip_equal(cast<RankedTensorType>(tensor.getType()).getShape(), strides)))
    if (size != 1)
      return stride > 1;
  return false;
}

std::optional<Place> ucmoh::findPlace(Value result) {
  if (!result.hasOneUse())
    return std::nullopt;
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(*result.user_begin());
  if (collapse && !collapse->hasOneUse())
    return std::nullopt;
  Value part = collapse ? collapse.getResult() : result;
  auto insert = dyn_cast<tensor::InsertSliceOp>(*part.user_begin());
  // A slice of an empty tensor is any tensor: it would not lie in the larger one.
  if (!insert || insert.getSource() != part || insert.getDest().getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  std::optional<SmallVector<int64_t>> strides = stridesInside(insert, insert.getDestType());
  if (strides && collapse)
    strides = stridesBefore(collapse, *strides);
  if (!strides || isScattered(result, *strides))
    return std::nullopt;
  return Place{insert, *strides};
}

bool ucmoh::isSameInEachStep(Operation *op, Value value) {
  auto loop = dyn_cast_or_null<scf::ForOp>(op->getParentOp());
  std::optional<APInt> steps = loop ? loop.getStaticTripCount() : std::nullopt;
  return steps && steps->ugt(1) && loop.isDefinedOutsideOfLoop(value);
}
