//===- Piece.cpp - A part of static size of ops whose extents are dynamic
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Piece.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Formula.h"

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

static bool isCut(const std::optional<Cut> &cut) { return cut.has_value(); }

bool ucmoh::canCut(LinalgOp op, const Cuts &loops) {
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults())
      for (auto [loop, cut] : llvm::enumerate(loops))
        if (cut && expr.isFunctionOfDim(loop) && !isa<AffineDimExpr>(expr))
          return false;
  return true;
}

Cuts ucmoh::cutsOfOperand(LinalgOp op, OpOperand &operand, const Cuts &loops) {
  return llvm::map_to_vector(op.getMatchingIndexingMap(&operand).getResults(),
                             [&](AffineExpr expr) -> std::optional<Cut> {
                               auto dim = dyn_cast<AffineDimExpr>(expr);
                               return dim ? loops[dim.getPosition()] : std::nullopt;
                             });
}

std::optional<Cuts> ucmoh::cutsOfLoops(LinalgOp op, OpResult result, const Cuts &cuts) {
  Cuts loops(op.getNumLoops());
  for (auto [expr, cut] :
       llvm::zip_equal(op.getIndexingMapMatchingResult(result).getResults(), cuts)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (cut && !dim)
      return std::nullopt;
    if (cut)
      loops[dim.getPosition()] = cut;
  }
  return canCut(op, loops) ? std::optional(loops) : std::nullopt;
}

/// Whether all dims but one have extent 1.
static bool isOneDim(RankedTensorType type, ArrayRef<int64_t> dims) {
  return llvm::count_if(dims, [&](int64_t dim) { return type.getDimSize(dim) != 1; }) <= 1;
}

/// Whether dims that one dim was split into can be reshaped for a part: a dim that is cut stands
/// alone but for dims of extent 1, and nobody would know the extents of several open ones.
static bool canReshape(RankedTensorType expanded, ArrayRef<int64_t> group, bool isCut) {
  return isOneDim(expanded, group) ||
         (!isCut && llvm::none_of(group, [&](int64_t dim) { return expanded.isDynamicDim(dim); }));
}

std::optional<Cuts> ucmoh::cutsOfSource(tensor::ExpandShapeOp op, const Cuts &cuts) {
  RankedTensorType expanded = op.getResultType();
  Cuts source(op.getSrcType().getRank());
  for (auto [cut, group] : llvm::zip_equal(source, op.getReassociationIndices())) {
    for (int64_t dim : group)
      if (expanded.getDimSize(dim) != 1 && cuts[dim])
        cut = cuts[dim];
    if (!canReshape(expanded, group, isCut(cut)))
      return std::nullopt;
  }
  return source;
}

std::optional<Cuts> ucmoh::cutsOfSource(tensor::CollapseShapeOp op, const Cuts &cuts) {
  RankedTensorType expanded = op.getSrcType();
  Cuts source(expanded.getRank());
  for (auto [cut, group] : llvm::zip_equal(cuts, op.getReassociationIndices())) {
    if (!canReshape(expanded, group, isCut(cut)))
      return std::nullopt;
    for (int64_t dim : group)
      if (expanded.getDimSize(dim) != 1)
        source[dim] = cut;
  }
  return source;
}

static RankedTensorType typeOfPart(Value value, const Cuts &cuts) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [extent, cut] : llvm::zip_equal(shape, cuts))
    extent = cut ? cut->size : extent;
  return type.clone(shape);
}

OpFoldResult ucmoh::extentOf(OpBuilder &builder, Location loc, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  return tensor::DimOp::create(builder, loc, tensor, dim).getResult();
}

Value ucmoh::emptyLike(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto extents = llvm::map_to_vector(
      llvm::seq(type.getRank()), [&](int64_t dim) { return extentOf(builder, loc, tensor, dim); });
  return tensor::EmptyOp::create(builder, loc, extents, type.getElementType());
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// The slice of a tensor, and its type without the dims of extent 1 that it begins with: what lies
/// behind those is contiguous if it is whole rows, which no type with all dims can say.
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  RankedTensorType full, reduced;
  SmallVector<ReassociationIndices> reassociation;
};
} // namespace

static Slice sliceOf(OpBuilder &builder, Location loc, Value tensor, const Cuts &cuts) {
  Slice slice;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (auto [dim, cut] : llvm::enumerate(cuts)) {
    slice.offsets.push_back(cut ? cut->from : OpFoldResult(builder.getIndexAttr(0)));
    slice.sizes.push_back(cut ? cut->valid : extentOf(builder, loc, tensor, dim));
    shape.push_back(getConstantIntValue(slice.sizes.back()).value_or(ShapedType::kDynamic));
  }
  slice.strides.assign(cuts.size(), builder.getIndexAttr(1));
  slice.full = type.clone(shape);
  size_t leading = 0;
  while (leading + 1 < shape.size() && shape[leading] == 1)
    ++leading;
  slice.reduced = type.clone(ArrayRef(shape).drop_front(leading));
  slice.reassociation.resize(shape.size() - leading);
  for (size_t dim = 0; dim < shape.size(); ++dim)
    slice.reassociation[dim < leading ? 0 : dim - leading].push_back(dim);
  return slice;
}

static Value extract(OpBuilder &builder, Location loc, Value tensor, const Cuts &cuts) {
  Slice slice = sliceOf(builder, loc, tensor, cuts);
  Value reduced = tensor::ExtractSliceOp::create(builder, loc, slice.reduced, tensor, slice.offsets,
                                                 slice.sizes, slice.strides);
  if (slice.full == slice.reduced)
    return reduced;
  return tensor::ExpandShapeOp::create(builder, loc, slice.full, reduced, slice.reassociation,
                                       slice.sizes);
}

static bool isWhole(const Cuts &cuts) {
  return llvm::all_of(cuts, [](const std::optional<Cut> &cut) { return !cut || cut->isWhole(); });
}

/// The valid elements of a piece.
static Value dropPadding(OpBuilder &builder, Location loc, Value part, const Cuts &cuts) {
  if (isWhole(cuts))
    return part;
  Cuts inside = cuts;
  for (std::optional<Cut> &cut : inside)
    if (cut)
      cut->from = builder.getIndexAttr(0);
  Slice slice = sliceOf(builder, loc, part, inside);
  return tensor::ExtractSliceOp::create(builder, loc, part, slice.offsets, slice.sizes,
                                        slice.strides);
}

Value ucmoh::insertPart(OpBuilder &builder, Location loc, Value part, Value into,
                        const Cuts &cuts) {
  part = dropPadding(builder, loc, part, cuts);
  Slice slice = sliceOf(builder, loc, into, cuts);
  if (slice.full != slice.reduced)
    part = tensor::CollapseShapeOp::create(builder, loc, part, slice.reassociation);
  return tensor::InsertSliceOp::create(builder, loc, part, into, slice.offsets, slice.sizes,
                                       slice.strides);
}

Value PieceBuilder::pad(Value slice, RankedTensorType type, const Cuts &cuts) {
  Location loc = slice.getLoc();
  AffineExpr size, valid;
  bindDims(builder.getContext(), size, valid);
  SmallVector<OpFoldResult> low(cuts.size(), builder.getIndexAttr(0)), high = low;
  for (auto [behind, cut] : llvm::zip_equal(high, cuts))
    if (cut)
      behind = affine::makeComposedFoldedAffineApply(builder, loc, size - valid,
                                                     {builder.getIndexAttr(cut->size), cut->valid});
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(builder, loc, type, slice, low, high, zero);
}

Value PieceBuilder::makeSlice(Value value, const Cuts &cuts) {
  Value slice = extract(builder, value.getLoc(), value, cuts);
  return isWhole(cuts) ? slice : pad(slice, typeOfPart(value, cuts), cuts);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value PieceBuilder::part(Value value, const Cuts &cuts) {
  if (llvm::none_of(cuts, isCut))
    return value;
  for (const Known &entry : known[value])
    if (entry.cuts == cuts)
      return entry.value;
  Value made = makePart(value, cuts);
  known[value].push_back({cuts, made});
  return made;
}

Value PieceBuilder::makePart(Value value, const Cuts &cuts) {
  Operation *producer = value.getDefiningOp();
  if (isa_and_nonnull<tensor::EmptyOp>(producer))
    return makeEmpty(value, cuts);
  if (auto padded = dyn_cast_or_null<tensor::PadOp>(producer))
    return makePadded(padded, cuts);
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(producer))
    return makeReshaped(producer, cuts);
  auto op = dyn_cast_or_null<LinalgOp>(producer);
  if (!op || !(isa<linalg::FillOp>(producer) || joins(producer)))
    return makeSlice(value, cuts);
  auto result = cast<OpResult>(value);
  std::optional<Cuts> loops = cutsOfLoops(op, result, cuts);
  return loops ? compute(op, *loops)->getResult(result.getResultNumber()) : makeSlice(value, cuts);
}

Value PieceBuilder::makeEmpty(Value value, const Cuts &cuts) {
  SmallVector<OpFoldResult> extents;
  for (auto [dim, cut] : llvm::enumerate(cuts)) {
    bool isOpen = cut && ShapedType::isDynamic(cut->size);
    extents.push_back(isOpen ? cut->valid
                      : cut  ? builder.getIndexAttr(cut->size)
                             : extentOf(builder, value.getLoc(), value, dim));
  }
  return tensor::EmptyOp::create(builder, value.getLoc(), extents, getElementTypeOrSelf(value));
}

/// An element of several dims that were joined, as an element of each of them.
static void splitElement(OpBuilder &builder, Location loc, const Cut &element,
                         RankedTensorType expanded, ArrayRef<int64_t> group, Cuts &source) {
  ArrayRef<int64_t> extents = expanded.getShape().slice(group.front(), group.size());
  SmallVector<AffineExpr> parts = splitIndex(builder.getAffineDimExpr(0), extents);
  for (auto [dim, part] : llvm::zip_equal(group, parts)) {
    OpFoldResult from = affine::makeComposedFoldedAffineApply(builder, loc, part, {element.from});
    source[dim] = Cut{from, element.valid, /*size=*/1};
  }
}

/// As `cutsOfSource`, but where one element is taken of dims that were joined, such as a head of
/// the attention that shares keys with others.
std::optional<Cuts> PieceBuilder::cutsBefore(tensor::CollapseShapeOp op, const Cuts &cuts) {
  RankedTensorType expanded = op.getSrcType();
  Cuts elements(expanded.getRank()), others = cuts;
  for (auto [cut, group] : llvm::zip_equal(others, op.getReassociationIndices())) {
    bool isElement = cut && cut->size == 1 && !isOneDim(expanded, group) &&
                     llvm::none_of(group, [&](int64_t dim) { return expanded.isDynamicDim(dim); });
    if (!isElement)
      continue;
    splitElement(builder, op.getLoc(), *cut, expanded, group, elements);
    cut.reset();
  }
  std::optional<Cuts> source = cutsOfSource(op, others);
  for (auto [dim, element] : llvm::enumerate(elements))
    if (source && element)
      (*source)[dim] = element;
  return source;
}

/// The reshape of a part, where what is cut stays a dim of its own or is one element.
Value PieceBuilder::makeReshaped(Operation *op, const Cuts &cuts) {
  RankedTensorType type = typeOfPart(op->getResult(0), cuts);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    std::optional<Cuts> source = cutsOfSource(expand, cuts);
    return source ? tensor::ExpandShapeOp::create(builder, op->getLoc(), type,
                                                  part(expand.getSrc(), *source),
                                                  expand.getReassociationIndices())
                        .getResult()
                  : makeSlice(op->getResult(0), cuts);
  }
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  std::optional<Cuts> source = cutsBefore(collapse, cuts);
  return source ? tensor::CollapseShapeOp::create(builder, op->getLoc(), type,
                                                  part(collapse.getSrc(), *source),
                                                  collapse.getReassociationIndices())
                      .getResult()
                : makeSlice(op->getResult(0), cuts);
}

/// The border around a part of what is padded, where no dim is both padded and cut.
Value PieceBuilder::makePadded(tensor::PadOp op, const Cuts &cuts) {
  for (auto [cut, low, high] : llvm::zip_equal(cuts, op.getMixedLowPad(), op.getMixedHighPad()))
    if (cut && !(isZeroInteger(low) && isZeroInteger(high) && cut->isWhole()))
      return makeSlice(op, cuts);
  Value source = part(op.getSource(), cuts);
  auto made = tensor::PadOp::create(builder, op.getLoc(), typeOfPart(op, cuts), source,
                                    op.getMixedLowPad(), op.getMixedHighPad(), op.getNofold());
  IRMapping mapping;
  op.getRegion().cloneInto(&made.getRegion(), mapping);
  return made;
}

/// Makes the tensor that the piece writes to. One that the op does not read needs no part of
/// anything.
Value PieceBuilder::makeInit(LinalgOp op, OpOperand &init, const Cuts &loops) {
  Cuts cuts = cutsOfOperand(op, init, loops);
  RankedTensorType type = typeOfPart(init.get(), cuts);
  if (op.payloadUsesValueFromOperand(&init) || !type.hasStaticShape())
    return part(init.get(), cuts);
  return tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(), type.getElementType());
}

Operation *PieceBuilder::compute(LinalgOp op, const Cuts &loops, ValueRange inits) {
  SmallVector<Value> operands;
  SmallVector<Type> results;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.get().getType());
    if (!op.isDpsInit(&operand)) {
      operands.push_back(isTensor ? part(operand.get(), cutsOfOperand(op, operand, loops))
                                  : operand.get());
      continue;
    }
    unsigned position = results.size();
    operands.push_back(inits.empty() ? makeInit(op, operand, loops) : inits[position]);
    results.push_back(operands.back().getType());
  }
  Operation *made = clone(builder, op, results, operands);
  SmallVector<OpFoldResult> offsets = llvm::map_to_vector(
      loops, [](const std::optional<Cut> &cut) { return cut ? cut->from : OpFoldResult(); });
  linalg::offsetIndices(builder, cast<LinalgOp>(made), offsets);
  return made;
}
