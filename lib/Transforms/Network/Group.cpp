//===- Group.cpp - What iterates over the same space becomes one op
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Checks.h"
#include "../PatternConfig.h"
#include "../Prepare/Patterns.h"
#include "Rest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_GROUPREST
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// What belongs to the rest
//===----------------------------------------------------------------------===//

bool ucmoh::isRest(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && !op->hasAttr(plainMark) && !op->hasAttr(referenceMark) &&
         !op->hasAttr("ucmoh.op");
}

SmallVector<int64_t> ucmoh::typicalExtents(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  llvm::replace(extents, ShapedType::kDynamic, typicalExtent);
  return extents;
}

bool ucmoh::isInRows(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (parent->hasAttr(rowsMark))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// Whether an op costs about as much as a multiplication.
static bool isCheap(Operation &op) {
  return isa<arith::ConstantOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::AddIOp,
             arith::SubIOp, arith::MulIOp, arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, linalg::YieldOp>(
      op);
}

/// Whether `consumer` may compute the producer's elements again wherever it reads them: they are
/// many more than elements where a row's value is read for each element of the row.
static bool isCheap(linalg::GenericOp producer) {
  return llvm::range_size(*producer.getBody()) <= 4 &&
         llvm::all_of(*producer.getBody(), [](Operation &op) { return isCheap(op); });
}

/// Whether elements are places in a table. What computes places is better done on vectors before.
static bool looksUp(linalg::GenericOp op) {
  return !op.getBody()->getOps<tensor::ExtractOp>().empty();
}

/// Whether places are such of single elements, and not of rows: then no vector computes what
/// follows.
static bool looksUpElements(linalg::GenericOp op) {
  return llvm::any_of(op.getBody()->getOps<tensor::ExtractOp>(), [&](tensor::ExtractOp extract) {
    OperandRange indices = extract.getIndices();
    auto last =
        indices.empty() ? linalg::IndexOp() : indices.back().getDefiningOp<linalg::IndexOp>();
    return !indices.empty() && (!last || last.getDim() + 1 != op.getNumLoops());
  });
}

static bool onlyMoves(linalg::GenericOp op) { return llvm::hasSingleElement(*op.getBody()); }

/// A computation stays apart from a transposition of its innermost dim, which cannot be vectorized
/// as well.
static bool keepsInnermost(AffineMap map) {
  return map.getNumResults() == 0 || map.getResult(map.getNumResults() - 1) ==
                                         getAffineDimExpr(map.getNumDims() - 1, map.getContext());
}

static bool mayMerge(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || !isRest(producer) || !isRest(consumer) || !producer->hasOneUse() ||
      looksUp(consumer) || !mayBecomeOne(producer, consumer) ||
      (looksUpElements(producer) && !isCheap(consumer)))
    return false;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  if (onlyMoves(producer) && consumer.getNumReductionLoops() == 0)
    return map.isProjectedPermutation();
  return (map.isPermutation() && (keepsInnermost(map) || onlyMoves(consumer))) ||
         (map.isProjectedPermutation() && isCheap(producer));
}

void ucmoh::populateMergePatterns(RewritePatternSet &patterns) {
  linalg::populateElementwiseOpsFusionPatterns(patterns, mayMerge);
  // torch-mlir's maximum also computes its position, which nothing uses.
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::populateInlineConstantOperandsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, patterns.getContext());
}

namespace {
/// Named ops as generics, so that they merge. Fills have better treatment under their name.
struct GeneralizeRest : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!isRest(op) || !op.hasPureTensorSemantics() || isa<linalg::GenericOp, linalg::FillOp>(op))
      return failure();
    return linalg::generalizeNamedOp(rewriter, op);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Unit dims
//===----------------------------------------------------------------------===//

/// The loops of extent 1 that can be dropped. Upstream makes a dim of `2 * row + window` where
/// there is one row, although the image may have more rows than the window: the op would have
/// another extent then.
static SmallVector<unsigned> unitLoops(linalg::GenericOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<AffineExpr> dropped;
  for (auto [loop, extent] : llvm::enumerate(extents))
    dropped.push_back(extent == 1 ? getAffineConstantExpr(0, op.getContext())
                                  : getAffineDimExpr(loop, op.getContext()));
  SmallVector<bool> mayGo(extents.size(), true);
  for (OpOperand &operand : op->getOpOperands())
    for (auto [expr, size] :
         llvm::zip(op.getMatchingIndexingMap(&operand).getResults(), op.getShape(&operand))) {
      auto left = dyn_cast<AffineDimExpr>(expr.replaceDims(dropped));
      if (!left || isa<AffineDimExpr>(expr) || extents[left.getPosition()] == size)
        continue;
      for (unsigned loop : llvm::seq<unsigned>(0, extents.size()))
        mayGo[loop] = mayGo[loop] && !expr.isFunctionOfDim(loop);
    }
  return llvm::to_vector(llvm::make_filter_range(llvm::seq<unsigned>(0, extents.size()),
                                                 [&](unsigned loop) { return mayGo[loop]; }));
}

void ucmoh::foldUnitDims(Operation *root, UnitDims how) {
  using Control = linalg::ControlDropUnitDims;
  Control options;
  options.rankReductionStrategy = how == UnitDims::Sliced
                                      ? Control::RankReductionStrategy::ExtractInsertSlice
                                      : Control::RankReductionStrategy::ReassociativeReshape;
  options.controlFn = [how](Operation *op) {
    auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
    if (!generic || !isRest(op) || isInRows(op) != (how == UnitDims::Sliced))
      return SmallVector<unsigned>();
    return unitLoops(generic);
  };
  RewritePatternSet patterns(root->getContext()), cleanup(root->getContext());
  linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
  walkAndApplyPatterns(root, std::move(patterns));
  linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(cleanup, options);
  (void)applyPatternsGreedily(root, std::move(cleanup), patternsOnly());
}

//===----------------------------------------------------------------------===//
// Arithmetic that may be reordered
//===----------------------------------------------------------------------===//

static void relax(Operation *op, arith::FastMathFlags flags) {
  op->setAttr("fastmath", arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

/// Sums of floats in any order: in one order there is one sum in a vector's lanes, and each
/// addition waits for the one before. The sign of a maximum that is zero does not matter either:
/// to tell -0 from 0 costs twice the rest of the loop.
static void relaxReductions(linalg::GenericOp op) {
  for (auto [argument, yielded] :
       llvm::zip_equal(op.getRegionOutputArgs(), op.getBody()->getTerminator()->getOperands())) {
    Operation *combiner = yielded.getDefiningOp();
    if (!combiner || !llvm::is_contained(combiner->getOperands(), argument) ||
        !argument.hasOneUse())
      continue;
    if (isa<arith::AddFOp, arith::MulFOp>(combiner))
      relax(combiner, arith::FastMathFlags::reassoc);
    if (isa<arith::MaximumFOp, arith::MinimumFOp>(combiner))
      relax(combiner, arith::FastMathFlags::nsz);
  }
}

/// Whether the value is a sum of floats, whose order is free.
static bool isRelaxedSum(Value value) {
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumReductionLoops() == 0)
    return false;
  unsigned number = cast<OpResult>(value).getResultNumber();
  Operation *sum = op.getBody()->getTerminator()->getOperand(number).getDefiningOp();
  return isa_and_nonnull<arith::AddFOp>(sum) &&
         llvm::is_contained(sum->getOperands(), op.getRegionOutputArgs()[number]);
}

/// Elements of a row divided by a sum of it, as in a softmax, may be multiplied by its reciprocal:
/// no bit of the sum's last place is certain either, and a division takes as long as ten products.
static void relaxQuotients(RewriterBase &rewriter, linalg::GenericOp op) {
  for (auto quotient : op.getBody()->getOps<arith::DivFOp>()) {
    auto divisor = dyn_cast<BlockArgument>(quotient.getRhs());
    if (!divisor || divisor.getOwner() != op.getBody() ||
        divisor.getArgNumber() >= op.getNumDpsInputs())
      continue;
    OpOperand *sum = op.getDpsInputOperand(divisor.getArgNumber());
    if (!op.getMatchingIndexingMap(sum).isPermutation() && isRelaxedSum(sum->get())) {
      relax(quotient, arith::FastMathFlags::arcp);
      relaxMaximum(rewriter, op, quotient);
    }
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct GroupRestPass : ucmoh::impl::GroupRestBase<GroupRestPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation().walk([](linalg::LinalgOp op) {
      if (isContractionLike(op))
        op->setAttr(plainMark, UnitAttr::get(op.getContext()));
    });
    RewritePatternSet patterns(&getContext());
    patterns.add<GeneralizeRest>(&getContext());
    populateMergePatterns(patterns);
    FrozenRewritePatternSet merge(std::move(patterns));
    RewritePatternSet inParts(&getContext());
    populateConcatenationPatterns(inParts);
    populateMergePatterns(inParts);
    if (failed(applyPatternsGreedily(getOperation(), merge, patternsOnly())) ||
        failed(applyPatternsGreedily(getOperation(), std::move(inParts), patternsOnly())))
      return signalPassFailure();
    foldUnitDims(getOperation(), UnitDims::Reshaped);
    placePartsOfRest(getOperation());
    if (failed(applyPatternsGreedily(getOperation(), merge, patternsOnly())))
      return signalPassFailure();
    roundOnce(getOperation()); // ops have merged
    IRRewriter rewriter(&getContext());
    splitSums(rewriter, getOperation());
    reduceWholes(rewriter, getOperation());
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, getOperation()); // views of the same
    getOperation().walk([&](linalg::GenericOp op) {
      if (!isRest(op))
        return;
      relaxReductions(op);
      relaxQuotients(rewriter, op);
    });
  }
};
} // namespace
