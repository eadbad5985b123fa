//===- Border.cpp - Steps of a reduction that meet zeros around an image
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Border.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Analysis/KnownValues.h"

using namespace mlir;
using namespace ucmoh;

AffineExpr Border::first(MLIRContext *context) const {
  return (low - getAffineDimExpr(0, context) * stride).ceilDiv(dilation);
}

AffineExpr Border::end(MLIRContext *context) const {
  return (low + rows - 1 - getAffineDimExpr(0, context) * stride).floorDiv(dilation) + 1;
}

namespace {
/// A part of a tensor.
struct Box {
  SmallVector<int64_t> offsets, sizes;

  int64_t volume() const { return llvm::product_of(sizes); }
  bool isApartFrom(const Box &other) const;
};
} // namespace

bool Box::isApartFrom(const Box &other) const {
  for (auto [a, size, b, otherSize] : llvm::zip_equal(offsets, sizes, other.offsets, other.sizes))
    if (a + size <= b || b + otherSize <= a)
      return true;
  return false;
}

static bool areApart(ArrayRef<Box> boxes) {
  for (auto [number, box] : llvm::enumerate(boxes))
    if (!llvm::all_of(boxes.drop_front(number + 1),
                      [&](const Box &other) { return box.isApartFrom(other); }))
      return false;
  return true;
}

/// The part of a tensor that an op writes; nothing if it is not known.
static std::optional<Box> findBox(tensor::InsertSliceOp insert) {
  if (!insert.hasUnitStride() || !insert.getOffsets().empty() || !insert.getSizes().empty())
    return std::nullopt;
  return Box{llvm::to_vector(insert.getStaticOffsets()), llvm::to_vector(insert.getStaticSizes())};
}

/// The image in a tensor that was written box by box. Around it, all have to be zero.
static std::optional<Box> findInserted(tensor::InsertSliceOp insert) {
  std::optional<Box> image = findBox(insert);
  if (!image || isZeroTensor(insert.getDest()))
    return image;
  SmallVector<Box> boxes = {*image};
  int64_t total = insert.getType().getNumElements();
  int64_t covered = image->volume();
  while ((insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>())) {
    std::optional<Box> box = findBox(insert);
    if (!box || !isZeroTensor(insert.getSource()))
      return std::nullopt;
    covered += box->volume();
    boxes.push_back(*box);
  }
  return areApart(boxes) && covered == total ? image : std::nullopt;
}

/// Where the image lies in a padded one. Nothing if what is around it is not known to be zero.
static std::optional<Box> findImage(Value padded) {
  if (auto pad = padded.getDefiningOp<tensor::PadOp>()) {
    Value zero = pad.getConstantPaddingValue();
    if (zero && isZero(zero) && pad.getLow().empty() && pad.getSourceType().hasStaticShape())
      return Box{llvm::to_vector(pad.getStaticLow()),
                 llvm::to_vector(pad.getSourceType().getShape())};
  }
  auto insert = padded.getDefiningOp<tensor::InsertSliceOp>();
  return insert && insert.getType().hasStaticShape() ? findInserted(insert) : std::nullopt;
}

/// The number of the group that has this dim alone; nothing if there is none.
static std::optional<unsigned> findGroup(ArrayRef<Nest::Group> groups, unsigned dim) {
  for (auto [number, group] : llvm::enumerate(groups))
    if (group.dims == ArrayRef<unsigned>{dim})
      return number;
  return std::nullopt;
}

/// The loops that an index of the image is a sum of.
static std::optional<Border> matchIndex(AffineExpr index, const Nest &nest) {
  Border border{};
  SmallVector<int64_t> origin(nest.dimExtents.size(), 0);
  bool hasPlace = false, hasLevel = false;
  bool hasOther = !isLinear(index) || evaluate(index, origin, origin.size()) != 0;
  for (unsigned dim = 0; dim < nest.dimExtents.size() && !hasOther; ++dim) {
    int64_t step = coefficient(index, dim);
    if (step == 0)
      continue;
    std::optional<unsigned> place = findGroup(nest.outerM, dim),
                            level = findGroup(nest.outerK, dim);
    hasOther |= step < 0 || (place ? hasPlace : level ? hasLevel : true);
    if (place)
      border.place = nest.batch.size() + *place, border.stride = step, hasPlace = true;
    if (level)
      border.level = *level, border.dilation = step, hasLevel = true;
  }
  return hasPlace && hasLevel && !hasOther ? std::optional(border) : std::nullopt;
}

/// Whether some place meets the border, and each of them the image.
static bool pays(const Border &border, const Nest &nest, MLIRContext *context) {
  int64_t extent = nest.outerK[border.level].extent, most = 0;
  for (int64_t at = 0; at < nest.variables()[border.place]->extent; ++at) {
    auto valueOf = [&](AffineExpr expr) { return *evaluate(expr, {at}, 1); };
    int64_t first = std::max<int64_t>(valueOf(border.first(context)), 0);
    int64_t left = std::min(valueOf(border.end(context)), extent) - first;
    if (left <= 0)
      return false;
    most = std::max(most, extent - left);
  }
  return most > 0;
}

SmallVector<Border> ucmoh::findBorders(const Workload &workload, const Nest &nest,
                                       const Candidate &candidate) {
  SmallVector<Border> borders;
  const Operand &lhs = workload.lhs;
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (intrinsic.isStaged || candidate.packLhs != Packing::None || !lhs.strides.empty() ||
      signShift(lhs.type, intrinsic.lhs))
    return borders;
  std::optional<Box> image = findImage(lhs.value);
  if (!image || image->sizes.size() != lhs.map.getNumResults())
    return borders;
  for (auto [index, low, rows] :
       llvm::zip_equal(lhs.map.getResults(), image->offsets, image->sizes)) {
    std::optional<Border> border = matchIndex(index, nest);
    if (!border)
      continue;
    border->low = low;
    border->rows = rows;
    if (pays(*border, nest, lhs.map.getContext()))
      borders.push_back(*border);
  }
  return borders;
}
