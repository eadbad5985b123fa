//===- Concatenations.cpp - What reads a concatenation is computed part by part
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A rotary embedding swaps the halves of a row, negates one, and multiplies: the concatenation is
/// only there for the arithmetic behind it. That arithmetic is done on each part instead, and what
/// makes the part merges with it:
///
///     f(concat(a, b), x)  ->  concat(f(a, x[first part]), f(b, x[second part]))
///
/// The parts are then written to where they belong in the whole. Loops over parts that read the
/// same become one behind bufferization (Join.cpp).
///
//===----------------------------------------------------------------------===//

#include "Rest.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Part by part
//===----------------------------------------------------------------------===//

/// Elements of a part that are neighbours, so that vectors compute them.
static constexpr int64_t leastNeighbours = 16;

/// Where along the concatenation's dim each part begins; the last one is the end. Nothing if an
/// extent is dynamic.
static SmallVector<int64_t> boundsOf(tensor::ConcatOp concat) {
  SmallVector<int64_t> bounds = {0};
  for (Value input : concat.getInputs()) {
    int64_t extent = cast<RankedTensorType>(input.getType()).getDimSize(concat.getDim());
    if (ShapedType::isDynamic(extent))
      return {};
    bounds.push_back(bounds.back() + extent);
  }
  return bounds;
}

/// Whether the op makes one element of each set of elements, wherever these are.
static bool isElementwise(linalg::GenericOp op) {
  return isRest(op) && op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 &&
         op.getNumDpsInits() == 1 && op.getNumLoops() > 0 && !op.hasIndexSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         op.getMatchingBlockArgument(op.getDpsInitOperand(0)).use_empty() &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); });
}

/// The concatenation that the operand is, if nothing else needs it as a whole.
static tensor::ConcatOp findConcat(OpOperand *operand) {
  auto concat = operand->get().getDefiningOp<tensor::ConcatOp>();
  return concat && concat->hasOneUse() ? concat : tensor::ConcatOp();
}

namespace {
/// An elementwise op on a concatenation becomes the concatenation of such ops on its parts.
class SplitAtConcat : public OpRewritePattern<linalg::GenericOp> {
public:
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override;

private:
  /// Some of the loop's iterations.
  struct Range {
    unsigned loop, number; ///< number: of the part
    int64_t from, extent;
  };
  static Value partOf(OpBuilder &builder, OpOperand *operand, AffineMap map, const Range &range,
                      ArrayRef<int64_t> bounds);
  static Value compute(OpBuilder &builder, linalg::GenericOp op, const Range &range,
                       ArrayRef<int64_t> bounds);
};
} // namespace

/// What the iterations read of an operand.
Value SplitAtConcat::partOf(OpBuilder &builder, OpOperand *operand, AffineMap map,
                            const Range &range, ArrayRef<int64_t> bounds) {
  Value whole = operand->get();
  std::optional<unsigned> dim =
      map.getResultPosition(getAffineDimExpr(range.loop, map.getContext()));
  if (!dim)
    return whole;
  if (tensor::ConcatOp concat = findConcat(operand);
      concat && concat.getDim() == *dim && ArrayRef(boundsOf(concat)) == bounds)
    return concat.getInputs()[range.number];
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, whole.getLoc(), whole);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  offsets[*dim] = builder.getIndexAttr(range.from);
  sizes[*dim] = builder.getIndexAttr(range.extent);
  return tensor::ExtractSliceOp::create(builder, whole.getLoc(), whole, offsets, sizes, strides);
}

/// The same op for some iterations.
Value SplitAtConcat::compute(OpBuilder &builder, linalg::GenericOp op, const Range &range,
                             ArrayRef<int64_t> bounds) {
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    bool isTensor = isa<RankedTensorType>(input->get().getType());
    inputs.push_back(isTensor
                         ? partOf(builder, input, op.getMatchingIndexingMap(input), range, bounds)
                         : input->get());
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, op.getLoc(), op.getDpsInits()[0]);
  sizes[range.loop] = builder.getIndexAttr(range.extent);
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), sizes, type.getElementType());
  auto part = linalg::GenericOp::create(builder, op.getLoc(), empty.getType(), inputs, empty,
                                        op.getIndexingMapsArray(), op.getIteratorTypesArray());
  IRMapping mapping;
  op.getRegion().cloneInto(&part.getRegion(), mapping);
  return part.getResult(0);
}

LogicalResult SplitAtConcat::matchAndRewrite(linalg::GenericOp op,
                                             PatternRewriter &rewriter) const {
  if (!isElementwise(op))
    return failure();
  for (OpOperand *input : op.getDpsInputOperands()) {
    tensor::ConcatOp concat = findConcat(input);
    SmallVector<int64_t> bounds = concat ? boundsOf(concat) : SmallVector<int64_t>();
    if (bounds.empty())
      continue;
    unsigned loop = op.getMatchingIndexingMap(input).getDimPosition(concat.getDim());
    SmallVector<Value> parts;
    bool isInnermost = loop + 1 == op.getNumLoops();
    for (unsigned i = 0; isInnermost && i + 1 < bounds.size(); ++i)
      if (bounds[i + 1] - bounds[i] < leastNeighbours)
        return failure();
    for (unsigned i = 0; i + 1 < bounds.size(); ++i)
      parts.push_back(
          compute(rewriter, op, {loop, i, bounds[i], bounds[i + 1] - bounds[i]}, bounds));
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op->getResult(0).getType(), loop, parts);
    return success();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Parts of what was moved
//===----------------------------------------------------------------------===//

namespace {
/// A part of a transposition is the transposition of a part, which costs nothing where it merges
/// with what reads it.
struct SliceBeforeTranspose : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto op = slice.getSource().getDefiningOp<linalg::GenericOp>();
    if (!op || !isElementwise(op) || !llvm::hasSingleElement(*op.getBody()) ||
        op.getNumDpsInputs() != 1 || slice.getType().getRank() != op.getNumLoops() ||
        !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isPermutation() ||
        !llvm::all_of(op->getUsers(), llvm::IsaPred<tensor::ExtractSliceOp>))
      return failure();
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
    Location loc = slice.getLoc();
    Value source = tensor::ExtractSliceOp::create(
        rewriter, loc, op.getDpsInputs()[0], permuted(map, slice.getMixedOffsets()),
        permuted(map, slice.getMixedSizes()), permuted(map, slice.getMixedStrides()));
    Value empty = tensor::EmptyOp::create(rewriter, loc, slice.getMixedSizes(),
                                          slice.getType().getElementType());
    auto moved = linalg::GenericOp::create(rewriter, loc, empty.getType(), source, empty,
                                           op.getIndexingMapsArray(), op.getIteratorTypesArray());
    IRMapping mapping;
    op.getRegion().cloneInto(&moved.getRegion(), mapping);
    rewriter.replaceOp(slice, moved);
    return success();
  }

private:
  /// What belongs to the loops, in the order of the dims that a map reads.
  static SmallVector<OpFoldResult> permuted(AffineMap map, ArrayRef<OpFoldResult> values) {
    SmallVector<OpFoldResult> result;
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      result.push_back(values[map.getDimPosition(dim)]);
    return result;
  }
};
} // namespace

void ucmoh::populateConcatenationPatterns(RewritePatternSet &patterns) {
  patterns.add<SplitAtConcat, SliceBeforeTranspose>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Places of parts
//===----------------------------------------------------------------------===//

/// The op of the rest that makes a part for the concatenation alone; perhaps dims of extent 1 were
/// added.
static Operation *findMaker(Value part) {
  while (part.hasOneUse() && part.getDefiningOp<tensor::ExpandShapeOp>())
    part = part.getDefiningOp()->getOperand(0);
  Operation *op = part.getDefiningOp();
  return op && part.hasOneUse() && isRest(op) ? op : nullptr;
}

/// The tensor without dims of extent 1, which bufferization would not see through.
static Value dropUnitDims(OpBuilder &builder, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  llvm::SmallBitVector units(type.getRank());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    units[dim] = type.getDimSize(dim) == 1;
  return units.none() ? tensor : tensor::dropGivenUnitDims(builder, tensor.getLoc(), tensor, units);
}

/// Inserts each part into a buffer that is there before the first op that makes one.
static void placeParts(RewriterBase &rewriter, tensor::ConcatOp concat) {
  SmallVector<int64_t> bounds = boundsOf(concat);
  Operation *first = nullptr;
  for (Value part : concat.getInputs())
    if (Operation *maker = findMaker(part); maker && maker->getBlock() == concat->getBlock())
      first = !first || maker->isBeforeInBlock(first) ? maker : first;
  if (!first || bounds.empty() || !concat.getType().hasStaticShape())
    return;
  rewriter.setInsertionPoint(first);
  Value whole = bufferization::AllocTensorOp::create(
      rewriter, concat.getLoc(), cast<RankedTensorType>(concat.getType()), ValueRange());
  rewriter.setInsertionPoint(concat);
  for (auto [part, from] : llvm::zip(concat.getInputs(), bounds)) {
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, part.getLoc(), part),
                              offsets(sizes.size(), rewriter.getIndexAttr(0)),
                              strides(sizes.size(), rewriter.getIndexAttr(1));
    offsets[concat.getDim()] = rewriter.getIndexAttr(from);
    whole = tensor::InsertSliceOp::create(rewriter, part.getLoc(), dropUnitDims(rewriter, part),
                                          whole, offsets, sizes, strides);
  }
  rewriter.replaceOp(concat, whole);
}

void ucmoh::placePartsOfRest(Operation *root) {
  SmallVector<tensor::ConcatOp> concats;
  root->walk([&](tensor::ConcatOp concat) { concats.push_back(concat); });
  IRRewriter rewriter(root->getContext());
  for (tensor::ConcatOp concat : concats)
    placeParts(rewriter, concat);
}
