//===- Moves.cpp - Contractions write and read what was only moved
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The heads of an attention are reshapes and transposes between contractions, and branches of a
/// network are concatenated or inserted into each other. What is quantized behind them is quantized
/// in front of them, by the contraction that computes it, and a contraction writes its rows where a
/// transpose would move them. What is left are moves that the analysis of the contraction behind
/// looks through. Rows that are looked up are quantized in their table.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Quantizations in front of moves
//===----------------------------------------------------------------------===//

/// Returns the value that a transpose or a reshape moves, if nothing else uses the result; else
/// null.
static Value findMoved(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse())
    return {};
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return transpose.getInput();
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) ? op->getOperand(0) : Value();
}

static bool isElementwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() && op.getNumReductionLoops() == 0 &&
         op.getNumDpsInits() == 1 && !op.hasIndexSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         op.getMatchingBlockArgument(op.getDpsInitOperand(0)).use_empty();
}

/// Whether a contraction computes the value, or an elementwise op that can join one.
static bool isOfContraction(Value value) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  Operation *op = value.getDefiningOp();
  return value.hasOneUse() && op && (isContractionLike(op) || (generic && isElementwise(generic)));
}

unsigned ucmoh::bitsOf(Value value) {
  Type type = getElementTypeOrSelf(value);
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

Value ucmoh::moveLike(OpBuilder &builder, Operation *move, Value value) {
  Location loc = move->getLoc();
  auto type = cast<RankedTensorType>(move->getResult(0).getType())
                  .clone(getElementTypeOrSelf(value.getType()));
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(move))
    return tensor::ExpandShapeOp::create(builder, loc, type, value,
                                         expand.getReassociationIndices());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(move))
    return tensor::CollapseShapeOp::create(builder, loc, type, value,
                                           collapse.getReassociationIndices());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, empty,
                                     cast<linalg::TransposeOp>(move).getPermutation())
      .getResult()[0];
}

/// Whether the op makes of each element of its one input, where it lies, one that is no wider.
static bool keepsNarrow(linalg::GenericOp op) {
  return isElementwise(op) && op.getNumDpsInputs() == 1 && op.getNumLoops() > 0 &&
         op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity() &&
         bitsOf(op->getResult(0)) >= 8 && bitsOf(op->getResult(0)) <= bitsOf(op.getDpsInputs()[0]);
}

/// Whether the op makes of each element of its one input, where it lies, a narrower one.
static bool isNarrowing(linalg::GenericOp op) {
  return keepsNarrow(op) && bitsOf(op->getResult(0)) < bitsOf(op.getDpsInputs()[0]);
}

/// Makes the same op of another tensor.
static Value narrowLike(OpBuilder &builder, linalg::GenericOp op, Value source) {
  auto type = cast<RankedTensorType>(source.getType())
                  .clone(getElementTypeOrSelf(op->getResult(0).getType()));
  Value empty =
      tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto narrow =
      linalg::GenericOp::create(builder, op.getLoc(), type, source, empty, maps, iterators);
  IRMapping mapping;
  op.getRegion().cloneInto(&narrow.getRegion(), mapping);
  return narrow.getResult(0);
}

namespace {
/// An op that makes elements narrower goes in front of a move, towards a contraction.
struct NarrowBeforeMove : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!isNarrowing(op))
      return failure();
    Value moved = op.getDpsInputs()[0], source = findMoved(moved), origin = source;
    while (origin && findMoved(origin))
      origin = findMoved(origin);
    if (!source || !cast<RankedTensorType>(source.getType()).hasStaticShape() ||
        !isOfContraction(origin))
      return failure();
    Value narrow = narrowLike(rewriter, op, source);
    rewriter.replaceOp(op, moveLike(rewriter, moved.getDefiningOp(), narrow));
    return success();
  }
};

/// An op that makes elements narrower goes in front of a concatenation: narrow elements are copied,
/// and a contraction computes those that it can.
struct NarrowBeforeConcat : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    auto concat = isNarrowing(op) ? op.getDpsInputs()[0].getDefiningOp<tensor::ConcatOp>()
                                  : tensor::ConcatOp();
    if (!concat || !concat->hasOneUse() || !llvm::all_of(concat.getInputs(), [](Value input) {
          return cast<RankedTensorType>(input.getType()).hasStaticShape();
        }))
      return failure();
    SmallVector<Value> narrow = llvm::map_to_vector(
        concat.getInputs(), [&](Value input) { return narrowLike(rewriter, op, input); });
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op->getResult(0).getType(), concat.getDim(),
                                                  narrow);
    return success();
  }
};

/// The same in front of insertions into an empty tensor, such as the phases of a transposed
/// convolution.
struct NarrowBeforeInsert : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!isNarrowing(op))
      return failure();
    SmallVector<tensor::InsertSliceOp> inserts; // the last one first
    Value whole = op.getDpsInputs()[0];
    while (auto insert = whole.getDefiningOp<tensor::InsertSliceOp>()) {
      if (!insert->hasOneUse() || !insert.getSourceType().hasStaticShape())
        return failure();
      inserts.push_back(insert);
      whole = insert.getDest();
    }
    if (inserts.empty() || !whole.getDefiningOp<tensor::EmptyOp>())
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value narrow =
        tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(), type.getElementType());
    for (tensor::InsertSliceOp insert : llvm::reverse(inserts))
      narrow = tensor::InsertSliceOp::create(
          rewriter, insert.getLoc(), narrowLike(rewriter, op, insert.getSource()), narrow,
          insert.getMixedOffsets(), insert.getMixedSizes(), insert.getMixedStrides());
    rewriter.replaceOp(op, narrow);
    return success();
  }
};
} // namespace

tensor::ExtractOp ucmoh::findLookup(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !value.hasOneUse() || op.getNumReductionLoops() || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics() || !op.getRegionOutputArgs()[0].use_empty())
    return {};
  auto extract = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
  bool isOne =
      extract && extract->hasOneUse() && extract.getTensor().getParentBlock() != op.getBody();
  return isOne ? extract : tensor::ExtractOp();
}

/// Whether the op had better compute all elements of a table: where it has no more than are looked
/// up, or is the same in each call, and is not kept a second time as large.
static bool isWorthTheTable(linalg::GenericOp op, TypedValue<RankedTensorType> table) {
  auto found = cast<RankedTensorType>(op->getResult(0).getType());
  if (!table.getType().hasStaticShape())
    return false;
  return table.getType().getNumElements() <= found.getNumElements() ||
         (dependsOnWeightsAlone(table) && (isNarrowing(op) || !isa<BlockArgument>(table)));
}

namespace {
/// An op on each element goes in front of a lookup, where it computes the elements of the table:
/// once, and not wherever one of them is found.
struct NarrowBeforeLookup : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    tensor::ExtractOp extract = keepsNarrow(op) ? findLookup(op.getDpsInputs()[0]) : nullptr;
    if (!extract || matchShift(op) || !isWorthTheTable(op, extract.getTensor()))
      return failure();
    auto lookup = op.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
    Value narrow = narrowLike(rewriter, op, extract.getTensor());
    auto made = linalg::GenericOp::create(
        rewriter, lookup.getLoc(), op->getResultTypes(), lookup.getDpsInputs(), op.getDpsInits(),
        lookup.getIndexingMapsArray(), lookup.getIteratorTypesArray());
    IRMapping mapping;
    mapping.map(extract.getTensor(), narrow);
    rewriter.cloneRegionBefore(lookup.getRegion(), made.getRegion(), made.getRegion().end(),
                               mapping);
    Type element = getElementTypeOrSelf(narrow);
    made.getBody()->getArguments().back().setType(element);
    mapping.lookup(extract.getResult()).setType(element);
    rewriter.replaceOp(op, made);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Transposes of results
//===----------------------------------------------------------------------===//

/// The order of the source's dims in a transpose of what was only given dims of extent 1.
static SmallVector<int64_t> orderOfSource(tensor::ExpandShapeOp expand,
                                          ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> order;
  SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
  for (int64_t dim : permutation)
    for (auto [source, group] : llvm::enumerate(groups)) {
      auto *kept = llvm::find_if(
          group, [&](int64_t each) { return expand.getResultType().getDimSize(each) != 1; });
      if (dim == (kept == group.end() ? group.front() : *kept))
        order.push_back(source);
    }
  return order;
}

static Value transposed(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), order);
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, empty, order).getResult()[0];
}

namespace {
/// A transpose goes in front of a reshape that adds dims of extent 1, towards a contraction.
struct TransposeBeforeUnitDims : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::TransposeOp op, PatternRewriter &rewriter) const override {
    auto expand = op.getInput().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !expand->hasOneUse() || !op.hasPureTensorSemantics() ||
        !haveOneDimEach(expand.getResultType(), expand.getReassociationIndices()) ||
        !isOfContraction(expand.getSrc()))
      return failure();
    SmallVector<int64_t> order = orderOfSource(expand, op.getPermutation());
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<int64_t> shape = applyPermutation(expand.getSrcType().getShape(), order);
    auto groups = getReassociationIndicesForReshape(expand.getSrcType().clone(shape), type);
    if (!groups)
      return failure();
    Value moved = transposed(rewriter, op.getLoc(), expand.getSrc(), order);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, type, moved, *groups);
    return success();
  }
};
} // namespace

/// The contraction with the dims of its result in another order.
static Value computeTransposed(RewriterBase &rewriter, LinalgOp op, ArrayRef<int64_t> order) {
  OpOperand *init = op.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(init->get().getType());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap &written = maps[init->getOperandNumber()];
  written = AffineMap::get(written.getNumDims(), 0, applyPermutation(written.getResults(), order),
                           rewriter.getContext());
  Value empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(), applyPermutation(type.getShape(), order), type.getElementType());
  Value zero =
      arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getZeroAttr(type.getElementType()));
  Value zeros = linalg::FillOp::create(rewriter, op.getLoc(), zero, empty).getResult(0);
  auto result = linalg::GenericOp::create(rewriter, op.getLoc(), zeros.getType(), op.getDpsInputs(),
                                          zeros, maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op->getRegion(0), result.getRegion(), result.getRegion().end());
  copyMarks(op, result);
  return result.getResult(0);
}

/// The elementwise op over its dims in another order, of which `input` has been brought into it.
static Value computeTransposed(RewriterBase &rewriter, linalg::GenericOp op,
                               ArrayRef<int64_t> order, OpOperand *input, Value moved) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(), applyPermutation(type.getShape(), order), type.getElementType());
  AffineMap loops =
      AffineMap::getPermutationMap(invertPermutationVector(order), rewriter.getContext());
  SmallVector<AffineMap> maps = llvm::map_to_vector(
      op.getIndexingMapsArray(), [&](AffineMap map) { return map.compose(loops); });
  maps[input->getOperandNumber()] = maps.back() = rewriter.getMultiDimIdentityMap(op.getNumLoops());
  SmallVector<Value> inputs(op.getDpsInputs());
  inputs[input->getOperandNumber()] = moved;
  auto result = linalg::GenericOp::create(rewriter, op.getLoc(), empty.getType(), inputs, empty,
                                          maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), result.getRegion(), result.getRegion().end());
  return result.getResult(0);
}

/// The contraction that computes `value`, which may have the dims of its result in any order.
static LinalgOp findContraction(Value value) {
  auto op = value.getDefiningOp<LinalgOp>();
  bool matches = op && value.hasOneUse() && isContractionLike(op) && !op.hasDynamicShape() &&
                 op.hasPureTensorSemantics() && !op->hasAttr("ucmoh.choice") &&
                 isZeroTensor(op.getDpsInits()[0]);
  return matches ? op : LinalgOp();
}

namespace {
/// A contraction, or what joins it, writes rows where a transpose would move them.
struct TransposeInStore : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::TransposeOp op, PatternRewriter &rewriter) const override {
    SmallVector<int64_t> order(op.getPermutation());
    Value input = op.getInput();
    if (!op.hasPureTensorSemantics() || !input.hasOneUse() || order.empty() ||
        order.back() != int64_t(order.size()) - 1)
      return failure();
    if (LinalgOp contraction = findContraction(input)) {
      rewriter.replaceOp(op, computeTransposed(rewriter, contraction, order));
      return success();
    }
    auto elementwise = input.getDefiningOp<linalg::GenericOp>();
    if (!elementwise || !isElementwise(elementwise))
      return failure();
    for (OpOperand *operand : elementwise.getDpsInputOperands()) {
      LinalgOp contraction = findContraction(operand->get());
      if (!contraction || !elementwise.getMatchingIndexingMap(operand).isIdentity())
        continue;
      Value moved = computeTransposed(rewriter, contraction, order);
      rewriter.replaceOp(op, computeTransposed(rewriter, elementwise, order, operand, moved));
      return success();
    }
    return failure();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Repeated weights
//===----------------------------------------------------------------------===//

/// An input's map where loops became one: loop i is now `places[i]`. Null if it has one of the
/// loops `gone`.
static AffineMap collapseLoops(AffineMap map, ArrayRef<unsigned> places, const BitVector &gone,
                               unsigned loops) {
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim || gone.test(dim.getPosition()))
      return {};
    results.push_back(getAffineDimExpr(places[dim.getPosition()], map.getContext()));
  }
  return AffineMap::get(loops, 0, results, map.getContext());
}

namespace {
/// An op that repeats its inputs along dims that become one repeats them along that one: a product
/// of rows of several dims and weights is one of many rows then, and not one for each of them.
struct RepeatAlongOne : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto repeated = op.getSrc().getDefiningOp<linalg::GenericOp>();
    if (!repeated || !repeated->hasOneUse() || !isElementwise(repeated) ||
        repeated.hasIndexSemantics() || repeated->getNumResults() != 1 ||
        !repeated.getIndexingMapsArray().back().isIdentity())
      return failure();
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    if (groups.empty()) // a scalar of dims of extent 1
      return failure();
    SmallVector<unsigned> places(repeated.getNumLoops());
    BitVector gone(repeated.getNumLoops());
    for (auto [place, group] : llvm::enumerate(groups))
      for (int64_t dim : group) {
        places[dim] = place;
        gone[dim] = group.size() > 1;
      }
    SmallVector<AffineMap> maps;
    for (OpOperand *input : repeated.getDpsInputOperands())
      if (AffineMap map =
              collapseLoops(repeated.getMatchingIndexingMap(input), places, gone, groups.size()))
        maps.push_back(map);
    if (maps.empty() || maps.size() != size_t(repeated.getNumDpsInputs()))
      return failure();
    maps.push_back(rewriter.getMultiDimIdentityMap(groups.size()));
    Value init = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), op.getResultType(),
                                                 repeated.getDpsInits()[0], groups);
    SmallVector<utils::IteratorType> iterators(groups.size(), utils::IteratorType::parallel);
    auto made =
        linalg::GenericOp::create(rewriter, repeated.getLoc(), op.getResultType(),
                                  repeated.getDpsInputs(), ValueRange{init}, maps, iterators);
    rewriter.inlineRegionBefore(repeated.getRegion(), made.getRegion(), made.getRegion().end());
    rewriter.replaceOp(op, made);
    rewriter.eraseOp(repeated);
    return success();
  }
};
} // namespace

void ucmoh::populateLookupPatterns(RewritePatternSet &patterns) {
  patterns.add<NarrowBeforeLookup>(patterns.getContext());
}

void ucmoh::populateMovePatterns(RewritePatternSet &patterns) {
  populateLookupPatterns(patterns);
  patterns.add<NarrowBeforeMove, NarrowBeforeConcat, NarrowBeforeInsert, TransposeBeforeUnitDims,
               TransposeInStore, RepeatAlongOne>(patterns.getContext());
}
