//===- Border.cpp - Steps of a reduction that meet zeros around an image
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Border.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

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

/// Where an image lies in a padded one, and the number around it.
struct Padded {
  Box image;
  Attribute padding;
};
} // namespace

bool Box::isApartFrom(const Box &other) const {
  for (auto [a, size, b, otherSize] : llvm::zip_equal(offsets, sizes, other.offsets, other.sizes))
    if (a + size <= b || b + otherSize <= a)
      return true;
  return false;
}

static bool areApart(ArrayRef<Box> boxes) {
  for (; !boxes.empty(); boxes = boxes.drop_front())
    if (!llvm::all_of(boxes.drop_front(),
                      [&](const Box &other) { return boxes.front().isApartFrom(other); }))
      return false;
  return true;
}

/// The part of a tensor that an op writes; nothing if it is not known.
static std::optional<Box> findBox(tensor::InsertSliceOp insert) {
  if (!insert.hasUnitStride() || !insert.getOffsets().empty() || !insert.getSizes().empty())
    return std::nullopt;
  return Box{llvm::to_vector(insert.getStaticOffsets()), llvm::to_vector(insert.getStaticSizes())};
}

/// The number that all elements of a tensor have; null if there is none.
static Attribute findNumber(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  Attribute number;
  if (!matchPattern(fill ? fill.value() : tensor, m_Constant(&number)))
    return {};
  auto elements = dyn_cast<DenseElementsAttr>(number);
  if (!elements)
    return fill ? number : Attribute();
  return elements.isSplat() ? elements.getSplatValue<Attribute>() : Attribute();
}

/// The image in a tensor that was written box by box. Around it, all have to be of one number.
static std::optional<Padded> findInserted(tensor::InsertSliceOp insert) {
  std::optional<Box> image = findBox(insert);
  if (!image)
    return std::nullopt;
  if (Attribute number = findNumber(insert.getDest()))
    return Padded{*image, number};
  SmallVector<Box> boxes = {*image};
  Attribute padding;
  int64_t total = insert.getType().getNumElements();
  int64_t covered = image->volume();
  while ((insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>())) {
    std::optional<Box> box = findBox(insert);
    Attribute number = findNumber(insert.getSource());
    if (!box || !number || (padding && number != padding))
      return std::nullopt;
    padding = number;
    covered += box->volume();
    boxes.push_back(*box);
  }
  if (!padding || !areApart(boxes) || covered != total)
    return std::nullopt;
  return Padded{*image, padding};
}

/// Nothing if what is around the image is not one known number.
static std::optional<Padded> findPadded(Value padded) {
  if (auto pad = padded.getDefiningOp<tensor::PadOp>()) {
    Value value = pad.getConstantPaddingValue();
    Attribute padding;
    if (value && matchPattern(value, m_Constant(&padding)) && pad.getLow().empty() &&
        pad.getSourceType().hasStaticShape())
      return Padded{
          {llvm::to_vector(pad.getStaticLow()), llvm::to_vector(pad.getSourceType().getShape())},
          padding};
  }
  auto insert = padded.getDefiningOp<tensor::InsertSliceOp>();
  return insert && insert.getType().hasStaticShape() ? findInserted(insert) : std::nullopt;
}

/// What the intrinsic reads where the lhs is padded. Nothing if rows of it must not be left out:
/// where they are not zero, only the correction per column makes up for them, from numbers of the
/// rhs as they are.
static std::optional<int64_t> findRead(Attribute padding, const Workload &workload,
                                       const Intrinsic &intrinsic) {
  if (auto number = dyn_cast<FloatAttr>(padding))
    return number.getValue().isZero() ? std::optional<int64_t>(0) : std::nullopt;
  auto number = dyn_cast<IntegerAttr>(padding);
  if (!number)
    return std::nullopt;
  const ElementType &type = workload.lhs.type;
  int64_t read = (type.kind == ElementType::UnsignedInt ? number.getValue().getZExtValue()
                                                        : number.getValue().getSExtValue()) +
                 signShift(type, intrinsic.lhs);
  bool isCorrected =
      isShifted(workload.lhs, intrinsic.lhs) && signShift(workload.rhs.type, intrinsic.rhs) == 0;
  return read == 0 || isCorrected ? std::optional(read) : std::nullopt;
}

/// The number of the group that has this dim alone; nothing if there is none.
static std::optional<unsigned> findGroup(ArrayRef<Nest::Group> groups, unsigned dim) {
  for (auto [number, group] : llvm::enumerate(groups))
    if (group.dims == ArrayRef<unsigned>{dim})
      return number;
  return std::nullopt;
}

/// The two dims that an index of the image is a sum of.
static std::optional<Border> matchIndex(AffineExpr index, const Workload &workload) {
  Border border{};
  SmallVector<int64_t> origin(workload.dims.size(), 0);
  bool hasPlace = false, hasLevel = false;
  bool hasOther = !isLinear(index) || evaluate(index, origin, origin.size()) != 0;
  for (unsigned dim = 0; dim < workload.dims.size() && !hasOther; ++dim) {
    int64_t step = coefficient(index, dim);
    if (step == 0)
      continue;
    bool isPlace = workload.dims[dim].role == DimRole::M,
         isLevel = workload.dims[dim].role == DimRole::K;
    hasOther |= step < 0 || (isPlace ? hasPlace : isLevel ? hasLevel : true);
    (isPlace ? hasPlace : hasLevel) = true;
    (isPlace ? border.placeDim : border.levelDim) = dim;
    (isPlace ? border.stride : border.dilation) = step;
  }
  return hasPlace && hasLevel && !hasOther ? std::optional(border) : std::nullopt;
}

/// The first iteration that reads the image, and the one behind the last; none are left where the
/// latter is not greater.
static std::pair<int64_t, int64_t> iterationsInside(const Border &border, const Workload &workload,
                                                    int64_t at) {
  // As `first` and `end` are, without an expression: each candidate asks for all places.
  int64_t start = border.low - at * border.stride;
  return {std::max<int64_t>(llvm::divideCeilSigned(start, border.dilation), 0),
          std::min(llvm::divideFloorSigned(start + border.rows - 1, border.dilation) + 1,
                   workload.dims[border.levelDim].extent)};
}

/// How many iterations are left for each tile: negative numbers or zeros where it meets no image.
static SmallVector<int64_t> iterationsLeft(const Border &border, const Workload &workload) {
  SmallVector<int64_t> left;
  int64_t rows = workload.dims[border.placeDim].extent * border.rowsOfPlace;
  for (int64_t row = 0; row < rows; row += border.rowsOfTile) {
    int64_t last = std::min(row + border.rowsOfTile, rows) - 1;
    left.push_back(iterationsInside(border, workload, row / border.rowsOfPlace).second -
                   iterationsInside(border, workload, last / border.rowsOfPlace).first);
  }
  return left;
}

/// Whether some place meets the border, and each of them the image.
static bool pays(const Border &border, const Workload &workload) {
  SmallVector<int64_t> left = iterationsLeft(border, workload);
  return *llvm::min_element(left) > 0 &&
         *llvm::min_element(left) < workload.dims[border.levelDim].extent;
}

/// Those of the image that a kernel reads in place; their loops are for others to find.
static SmallVector<Border> matchBorders(const Workload &workload, const Candidate &candidate) {
  SmallVector<Border> borders;
  const Operand &lhs = workload.lhs;
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (intrinsic.isStaged || candidate.packLhs != Packing::None || !lhs.strides.empty())
    return borders;
  std::optional<Padded> padded = findPadded(lhs.value);
  std::optional<int64_t> read;
  if (!padded || padded->image.sizes.size() != lhs.map.getNumResults() ||
      !(read = findRead(padded->padding, workload, intrinsic)))
    return borders;
  for (auto [index, low, rows] :
       llvm::zip_equal(lhs.map.getResults(), padded->image.offsets, padded->image.sizes)) {
    std::optional<Border> border = matchIndex(index, workload);
    if (!border)
      continue;
    border->low = low;
    border->rows = rows;
    border->padding = *read;
    if (pays(*border, workload))
      borders.push_back(*border);
  }
  return borders;
}

/// Whether the loop over places is one outside of the tile, or the outer part of m.
static bool findPlace(const Nest &nest, const Candidate &candidate, Border &border) {
  if (std::optional<unsigned> place = findGroup(nest.outerM, border.placeDim)) {
    border.place = nest.batch.size() + *place;
    return true;
  }
  if (nest.m.dims.size() < 2 || nest.m.dims.front() != border.placeDim || border.padding != 0)
    return false;
  border.place = nest.batch.size() + nest.outerM.size() + nest.outerN.size();
  border.rowsOfPlace = nest.m.extent / nest.dimExtents[border.placeDim];
  border.rowsOfTile = candidate.tileM;
  return true;
}

SmallVector<Border> ucmoh::findBorders(const Workload &workload, const Nest &nest,
                                       const Candidate &candidate) {
  SmallVector<Border> borders;
  for (Border &border : matchBorders(workload, candidate)) {
    std::optional<unsigned> level = findGroup(nest.outerK, border.levelDim);
    if (!level || !findPlace(nest, candidate, border))
      continue;
    border.level = *level;
    borders.push_back(border);
  }
  return borders;
}

/// How much of the loop k one iteration of its outermost dim is.
static int64_t stepsOfLevel(const Workload &workload, const Nest &nest) {
  return nest.k.extent / workload.dims[nest.k.dims.front()].extent;
}

std::optional<Border> ucmoh::findSides(const Workload &workload, const Nest &nest,
                                       const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  constexpr double worthSeveralTiles = 1 / 64.; // 64 x 64 pixels leave out 1 % and gain nothing
  for (const Border &border : matchBorders(workload, candidate))
    if (border.padding == 0 && intrinsic.m == 1 && nest.m.dims == ArrayRef(border.placeDim) &&
        nest.k.dims.size() > 1 && nest.k.dims.front() == border.levelDim &&
        candidate.cacheK >= nest.k.extent && stepsOfLevel(workload, nest) % intrinsic.k == 0 &&
        1 - shareLeft(border, workload) >= worthSeveralTiles)
      return border;
  return std::nullopt;
}

std::pair<int64_t, int64_t> ucmoh::stepsInside(const Border &sides, const Workload &workload,
                                               const Nest &nest, int64_t at) {
  int64_t steps = stepsOfLevel(workload, nest);
  auto [first, end] = iterationsInside(sides, workload, at);
  return {first * steps, end * steps};
}

double ucmoh::shareLeft(ArrayRef<Border> borders, const Workload &workload) {
  double share = 1;
  for (const Border &border : borders) {
    SmallVector<int64_t> left = iterationsLeft(border, workload);
    share *=
        double(llvm::sum_of(left)) / (workload.dims[border.levelDim].extent * int64_t(left.size()));
  }
  return share;
}

std::string ucmoh::describePadding(const Workload &workload) {
  std::optional<Padded> padded = findPadded(workload.lhs.value);
  if (!padded)
    return "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(padded->image.offsets, stream, "x");
  stream << "+";
  llvm::interleave(padded->image.sizes, stream, "x");
  stream << ":" << padded->padding;
  return text;
}
