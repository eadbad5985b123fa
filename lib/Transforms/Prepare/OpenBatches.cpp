//===- OpenBatches.cpp - Batches and rows of which both numbers are open
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a batch and a length are open, the rows of all batches are one dim for products with the
/// same matrix, so that it is read once for all of them. The heads of an attention and the batch
/// are two dims, where an exporter had made them one: products, masks and softmax then have the
/// same loops.
///
//===----------------------------------------------------------------------===//

#include "../PatternConfig.h"
#include "Patterns.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

static SmallVector<LinalgOp> openContractions(Operation *root) {
  SmallVector<LinalgOp> ops;
  root->walk([&](LinalgOp op) {
    if (op.hasPureTensorSemantics() && op.hasDynamicShape() && isContractionLike(op))
      ops.push_back(op);
  });
  return ops;
}

//===----------------------------------------------------------------------===//
// Heads and batches
//===----------------------------------------------------------------------===//

/// Whether a loop runs along both operands and the result.
static bool isBatch(LinalgOp op, AffineExpr loop) {
  std::optional<ContractionBody> body = matchContractionBody(op);
  auto dim = dyn_cast<AffineDimExpr>(loop);
  return body && dim && body->lhs.map.isFunctionOfDim(dim.getPosition()) &&
         body->rhs.map.isFunctionOfDim(dim.getPosition());
}

/// Whether a reshape joins dims, some of them open, to the batch of a contraction, whose operand or
/// result is `map` of its loops.
template <typename Reshape>
static bool joinsBatches(Reshape reshape, RankedTensorType expanded, LinalgOp op, AffineMap map) {
  bool any = false;
  for (auto [dim, group] : llvm::enumerate(reshape.getReassociationIndices())) {
    bool isOpen = llvm::any_of(group, [&](int64_t each) { return expanded.isDynamicDim(each); });
    if (group.size() < 2 || !isOpen)
      continue;
    if (!isBatch(op, map.getResult(dim)))
      return false;
    any = true;
  }
  return any;
}

/// Whether a contraction gets loops of its own for the dims that a reshape joins or splits.
static bool splitsBatches(OpOperand *operand) {
  if (auto op = dyn_cast<LinalgOp>(operand->getOwner())) {
    auto reshape = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
    return reshape && isContractionLike(op) &&
           joinsBatches(reshape, reshape.getSrcType(), op, op.getMatchingIndexingMap(operand));
  }
  auto reshape = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner());
  auto op = operand->get().getDefiningOp<LinalgOp>();
  return reshape && op && isContractionLike(op) &&
         joinsBatches(reshape, reshape.getResultType(), op,
                      op.getIndexingMapMatchingResult(cast<OpResult>(operand->get())));
}

/// The named op as a generic with its marks. The op is gone.
static FailureOr<linalg::GenericOp> generalize(RewriterBase &rewriter, LinalgOp op) {
  rewriter.setInsertionPoint(op);
  SmallVector<NamedAttribute> marks = llvm::to_vector(op->getDiscardableAttrs());
  auto generic = linalg::generalizeNamedOp(rewriter, op);
  if (succeeded(generic))
    for (NamedAttribute mark : marks)
      (*generic)->setAttr(mark.getName(), mark.getValue());
  return generic;
}

/// Named contractions whose batch was joined; upstream's patterns want generics.
static void generalizeJoined(RewriterBase &rewriter, ArrayRef<LinalgOp> ops) {
  for (LinalgOp op : ops) {
    if (isa<linalg::GenericOp>(op) || llvm::none_of(op.getDpsInputOperands(), splitsBatches))
      continue;
    (void)generalize(rewriter, op);
  }
}

//===----------------------------------------------------------------------===//
// Rows of all batches
//===----------------------------------------------------------------------===//

/// The first of two open loops, one behind the other, that run along one operand only.
static std::optional<unsigned> findOpenRows(LinalgOp op, const ContractionBody::Input &rows,
                                            const ContractionBody::Input &matrix) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto isRow = [&](unsigned loop) {
    return ShapedType::isDynamic(extents[loop]) && rows.map.isFunctionOfDim(loop) &&
           !matrix.map.isFunctionOfDim(loop) &&
           linalg::isParallelIterator(op.getIteratorTypesArray()[loop]);
  };
  for (unsigned loop = 0; loop + 1 < extents.size(); ++loop)
    if (isRow(loop) && isRow(loop + 1))
      return loop;
  return std::nullopt;
}

/// The op's maps where `moved` is read as `operand` says.
static SmallVector<AffineMap> mapsWith(LinalgOp op, Value moved,
                                       const ContractionBody::Input &operand) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() == moved)
      maps[input->getOperandNumber()] = operand.map;
  return maps;
}

/// A generic that reads an operand where it lies, before it was moved or repeated.
static FailureOr<linalg::GenericOp> readOriginal(RewriterBase &rewriter, LinalgOp op, Value moved,
                                                 const ContractionBody::Input &operand) {
  SmallVector<AffineMap> maps = mapsWith(op, moved, operand);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    auto made = generalize(rewriter, op);
    if (failed(made))
      return failure();
    generic = *made;
  }
  rewriter.modifyOpInPlace(generic, [&] {
    for (OpOperand *input : generic.getDpsInputOperands())
      if (input->get() == moved)
        input->set(operand.value);
    generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  return generic;
}

/// Makes two open loops of `rows` one, if the op and its `matrix` allow it.
static bool joinRows(RewriterBase &rewriter, LinalgOp op, const ContractionBody::Input &rows,
                     ContractionBody::Input matrix) {
  Value moved = matrix.value;
  lookThroughMoves(matrix);
  std::optional<unsigned> first = findOpenRows(op, rows, matrix);
  if (!first || rows.value == moved)
    return false;
  ReassociationIndices joined{*first, *first + 1};
  SmallVector<AffineMap> maps = mapsWith(op, moved, matrix); // sums for images
  if (!llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }) ||
      !linalg::areDimSequencesPreserved(maps, joined))
    return false;
  rewriter.setInsertionPoint(op);
  auto generic = readOriginal(rewriter, op, moved, matrix);
  if (failed(generic))
    return true;
  rewriter.setInsertionPoint(*generic);
  auto made = linalg::collapseOpIterationDims(*generic, joined, rewriter);
  if (succeeded(made)) {
    copyMarks(*generic, made->collapsedOp);
    rewriter.replaceOp(*generic, made->results);
  }
  return true;
}

static void joinAllRows(RewriterBase &rewriter, Operation *root) {
  for (LinalgOp op : openContractions(root))
    if (std::optional<ContractionBody> body = matchContractionBody(op))
      if (!joinRows(rewriter, op, body->lhs, body->rhs))
        joinRows(rewriter, op, body->rhs, body->lhs);
}

/// Whether a reshape joins, or splits into, dims of which several are open.
template <typename Reshape> static bool hasOpenRows(Reshape reshape, RankedTensorType expanded) {
  return reshape && llvm::any_of(reshape.getReassociationIndices(), [&](auto &group) {
           return llvm::count_if(group, [&](int64_t dim) { return expanded.isDynamicDim(dim); }) >
                  1;
         });
}

/// Ops around the products follow them: they have one loop for the rows of all batches as well.
static bool followsRows(OpOperand *operand) {
  if (auto op = dyn_cast<LinalgOp>(operand->getOwner())) {
    auto split = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
    return !isContractionLike(op) && split && hasOpenRows(split, split.getResultType());
  }
  auto joined = dyn_cast<tensor::CollapseShapeOp>(operand->getOwner());
  auto op = operand->get().getDefiningOp<LinalgOp>();
  return op && op->hasOneUse() && !isContractionLike(op) && joined &&
         hasOpenRows(joined, joined.getSrcType());
}

namespace {

/// Two reshapes as one: for each dim between them that one of both joins or splits, the other one
/// keeps it.
struct TwoReshapes {
  using Groups = SmallVector<ReassociationIndices>;
  Groups whole; ///< where dims of the first kind are one, and those of the second are apart
  Groups rest;

  /// `rows` joins dims of what lies between, `others` joins dims of which those are. None if a dim
  /// takes part in both.
  static std::optional<TwoReshapes> create(const Groups &rows, const Groups &others) {
    TwoReshapes result;
    int64_t last = 0, between = 0;
    for (ArrayRef<int64_t> group : rows) {
      bool isJoined = group.size() > 1;
      if (isJoined && llvm::any_of(group, [&](int64_t dim) { return others[dim].size() > 1; }))
        return std::nullopt;
      ReassociationIndices &own = result.rest.emplace_back();
      for (int64_t dim : group)
        for ([[maybe_unused]] int64_t each : others[dim]) {
          if (own.empty() || !isJoined) {
            own.push_back(between++);
            result.whole.emplace_back();
          }
          result.whole.back().push_back(last++);
        }
    }
    return result;
  }
};

/// An operand without the dims of extent 1 that are read at 0.
struct WithoutUnits {
  AffineMap map;
  SmallVector<ReassociationIndices> groups; ///< the operand's dims; empty if none is dropped

  explicit WithoutUnits(LinalgOp op, OpOperand &operand)
      : map(op.getMatchingIndexingMap(&operand)) {
    ArrayRef<int64_t> shape = op.getShape(&operand);
    auto isUnit = [&](auto each) {
      return shape[each.index()] == 1 && isa<AffineConstantExpr>(each.value());
    };
    SmallVector<AffineExpr> kept;
    ReassociationIndices leading;
    for (auto each : llvm::enumerate(map.getResults())) {
      if (!isUnit(each)) {
        kept.push_back(each.value());
        groups.push_back(std::exchange(leading, {}));
      }
      (groups.empty() ? leading : groups.back()).push_back(each.index());
    }
    if (kept.empty() || kept.size() == map.getNumResults())
      groups.clear();
    else
      map = AffineMap::get(map.getNumDims(), 0, kept, map.getContext());
  }
  Value drop(OpBuilder &builder, Value operand) const {
    return groups.empty()
               ? operand
               : tensor::CollapseShapeOp::create(builder, operand.getLoc(), operand, groups);
  }
  /// The result of an op that writes to an operand without these dims.
  Value restore(OpBuilder &builder, Value result, Value init) const {
    if (groups.empty())
      return result;
    return tensor::ExpandShapeOp::create(builder, result.getLoc(), init.getType(), result, groups,
                                         tensor::getMixedSizes(builder, result.getLoc(), init));
  }
};

/// Elementwise ops and sums over rows of several open dims read and write no dims of extent 1:
/// upstream's patterns want maps of dims alone.
struct DropUnitsOfRows : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || isContractionLike(op) || op.hasIndexSemantics() ||
        llvm::count_if(op.getStaticLoopRanges(), ShapedType::isDynamic) < 2)
      return failure();
    SmallVector<WithoutUnits> forms;
    for (OpOperand &operand : op->getOpOperands())
      forms.emplace_back(op, operand);
    if (llvm::all_of(forms, [](const WithoutUnits &form) { return form.groups.empty(); }))
      return failure();
    SmallVector<Value> operands;
    for (auto [form, operand] : llvm::zip_equal(forms, op->getOperands()))
      operands.push_back(form.drop(rewriter, operand));
    rewriter.replaceOp(op, rebuild(rewriter, op, forms, operands));
    return success();
  }

private:
  static SmallVector<Value> rebuild(RewriterBase &rewriter, linalg::GenericOp op,
                                    ArrayRef<WithoutUnits> forms, ArrayRef<Value> operands) {
    unsigned count = op.getNumDpsInputs();
    auto maps = llvm::map_to_vector(forms, [](const WithoutUnits &form) { return form.map; });
    ArrayRef<Value> inits = operands.drop_front(count);
    auto made = linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(ValueRange(inits)),
                                          operands.take_front(count), inits, maps,
                                          op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), made.getRegion(), made.getRegion().begin());
    copyMarks(op, made);
    SmallVector<Value> results;
    for (auto [form, result, init] :
         llvm::zip_equal(forms.drop_front(count), made.getResults(), op.getDpsInits()))
      results.push_back(form.restore(rewriter, result, init));
    return results;
  }
};

/// Rows are joined before other dims are: only elementwise ops whose loops are these follow.
struct JoinRowsFirst : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto before = op.getSrc().getDefiningOp<tensor::CollapseShapeOp>();
    if (!before || !hasOpenRows(op, op.getSrcType()) || hasOpenRows(before, before.getSrcType()))
      return failure();
    auto both = TwoReshapes::create(op.getReassociationIndices(), before.getReassociationIndices());
    if (!both)
      return failure();
    Value rows =
        tensor::CollapseShapeOp::create(rewriter, op.getLoc(), before.getSrc(), both->whole);
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op.getResultType(), rows, both->rest);
    return success();
  }
};

/// Rows are split after other dims are.
struct SplitRowsLast : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto before = op.getSrc().getDefiningOp<tensor::ExpandShapeOp>();
    if (!before || !hasOpenRows(before, before.getResultType()) ||
        hasOpenRows(op, op.getResultType()))
      return failure();
    auto both = TwoReshapes::create(before.getReassociationIndices(), op.getReassociationIndices());
    if (!both)
      return failure();
    SmallVector<OpFoldResult> wanted = op.getMixedOutputShape(), sizes;
    SmallVector<int64_t> shape;
    for (auto [dim, group] : llvm::enumerate(both->rest))
      for (int64_t each : group) {
        ArrayRef<int64_t> rows = both->whole[each];
        sizes.push_back(rows.size() > 1
                            ? tensor::getMixedSize(rewriter, op.getLoc(), before.getSrc(), dim)
                            : wanted[rows.front()]);
        shape.push_back(rows.size() > 1 ? before.getSrcType().getDimSize(dim)
                                        : op.getResultType().getDimSize(rows.front()));
      }
    auto type = op.getResultType().clone(shape);
    Value split = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type, before.getSrc(),
                                                both->rest, sizes);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, op.getResultType(), split, both->whole,
                                                       wanted);
    return success();
  }
};

} // namespace

void ucmoh::populateOpenRowsPatterns(RewritePatternSet &patterns) {
  tensor::DimOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  patterns.add<DropUnitsOfRows, JoinRowsFirst, SplitRowsLast>(patterns.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, followsRows);
}

/// Extents by what values are computed from, so that these are not read for their extents alone.
static void resolveDims(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  (void)applyPatternsGreedily(root, std::move(patterns), patternsOnly());
}

void ucmoh::arrangeOpenBatches(Operation *root) {
  SmallVector<LinalgOp> open = openContractions(root);
  if (open.empty())
    return;
  IRRewriter rewriter(root->getContext());
  generalizeJoined(rewriter, open);
  RewritePatternSet patterns(root->getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, splitsBatches);
  linalg::FillOp::getCanonicalizationPatterns(patterns, root->getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, root->getContext());
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, root->getContext());
  (void)applyPatternsGreedily(root, std::move(patterns), patternsOnly());
  joinAllRows(rewriter, root);
  resolveDims(root);
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, root);
}
