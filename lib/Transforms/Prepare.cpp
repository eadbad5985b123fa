//===- Prepare.cpp - What surrounds contractions, brought into a form that fuses
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternConfig.h"
#include "Prepare/Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_PREPARE
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Whether the consumer would compute each element of the producer many times, because it
/// broadcasts them. It would also stand between a contraction and a vector that its store can read
/// (a bias that is quantized first), and a whole tensor would be read instead.
static bool wouldRepeat(linalg::GenericOp producer, OpOperand &operand) {
  auto consumer = cast<linalg::GenericOp>(operand.getOwner());
  auto made = cast<ShapedType>(producer->getResult(0).getType());
  if (producer.getBody()->getOperations().size() == 1 || made.getRank() == 0)
    return false; // a copy, or a scalar, which any loop can hold in a register
  AffineMap map = consumer.getMatchingIndexingMap(&operand);
  return llvm::any_of(llvm::enumerate(consumer.getStaticLoopRanges()), [&](auto loop) {
    return loop.value() != 1 && !map.isFunctionOfDim(loop.index());
  });
}

/// Contractions from which elementwise ops compute `value`, with at most `depth` of them between.
static void collectContractions(Value value, unsigned depth, SmallVectorImpl<Operation *> &found) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (op && isContractionLike(op))
    found.push_back(op);
  else if (op && op.getNumReductionLoops() == 0 && depth > 0)
    for (Value input : op.getDpsInputs())
      collectContractions(input, depth - 1, found);
}

/// Whether the op stops the program at an index that is out of bounds: no vector can do that, so
/// that its loop stays scalar, with all that it computes besides.
static bool asserts(linalg::GenericOp op) { return !op.getBody()->getOps<cf::AssertOp>().empty(); }

/// Whether the producer adds to what its result holds, as a sum over a dim of extent 1 does, and
/// the consumer repeats elements: as one op they would add to each element several times.
static bool wouldAddAgain(linalg::GenericOp producer, linalg::GenericOp consumer) {
  auto isRead = [&](OpOperand &init) { return producer.payloadUsesValueFromOperand(&init); };
  auto isRepeated = [&](OpOperand &operand) {
    return operand.get().getDefiningOp() == producer &&
           !consumer.getMatchingIndexingMap(&operand).isPermutation();
  };
  return llvm::any_of(producer.getDpsInitsMutable(), isRead) &&
         llvm::any_of(consumer->getOpOperands(), isRepeated);
}

bool ucmoh::mayBecomeOne(linalg::GenericOp producer, linalg::GenericOp consumer) {
  constexpr unsigned mostOps = 256;
  return !asserts(producer) && !asserts(consumer) && !wouldAddAgain(producer, consumer) &&
         llvm::range_size(*producer.getBody()) + llvm::range_size(*consumer.getBody()) <= mostOps;
}

/// The elementwise op that alone reads the result of another one; null if it is anything else.
static linalg::GenericOp soleReader(linalg::GenericOp op) {
  if (!op->hasOneUse())
    return nullptr;
  auto reader = dyn_cast<linalg::GenericOp>(*op->user_begin());
  return reader && reader.getNumReductionLoops() == 0 ? reader : nullptr;
}

/// Contractions from which the op computes, through chains as long as they are before they merge.
static SmallVector<Operation *> contractionsOf(ValueRange inputs) {
  constexpr unsigned depth = 4;
  SmallVector<Operation *> found;
  for (Value input : inputs)
    collectContractions(input, depth, found);
  return found;
}

/// Whether one of the contractions is behind all those of `before`.
static bool hasLater(ArrayRef<Operation *> contractions, ArrayRef<Operation *> before) {
  return llvm::any_of(contractions, [&](Operation *other) {
    return llvm::all_of(before, [&](Operation *each) {
      return each->getBlock() == other->getBlock() && each->isBeforeInBlock(other);
    });
  });
}

/// Whether the producer narrows the result of a contraction for a chain of ops, from `consumer` on,
/// that meets the result of a later one: the chain joins the later one, which reads what the
/// producer writes. It had better read integers of 8 bits than the sums of 32 bits that they were
/// made of. Where an op of the chain narrows as well, that one's result is read.
static bool narrowsForLater(linalg::GenericOp producer, linalg::GenericOp consumer) {
  unsigned bits = bitsOf(producer->getResult(0));
  SmallVector<Value> wide = llvm::filter_to_vector(
      producer.getDpsInputs(), [&](Value input) { return bitsOf(input) > bits; });
  SmallVector<Operation *> own = contractionsOf(wide);
  if (own.empty())
    return false;
  for (linalg::GenericOp op = consumer; op; op = soleReader(op)) {
    if (hasLater(contractionsOf(op.getDpsInputs()), own))
      return true;
    if (bitsOf(op->getResult(0)) <= bits)
      return false;
  }
  return false;
}

/// Chains of elementwise ops become one: but never with a contraction, and never across a shift
/// between u8 and i8 or into an extension, through which the analysis of a contraction wants to
/// look. Lookups stay apart, so that what follows them can go in front.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  return producer && consumer && producer->hasOneUse() && mayBecomeOne(producer, consumer) &&
         producer.getNumReductionLoops() == 0 && consumer.getNumReductionLoops() == 0 &&
         !matchShift(consumer) && !matchShift(producer) && !widensForContraction(consumer) &&
         !findLookup(operand->get()) && !wouldRepeat(producer, *operand) &&
         !narrowsForLater(producer, consumer);
}

namespace {

/// Named elementwise ops (linalg.add, linalg.broadcast...) as generics, so that they fuse. Fills
/// and transposes have better treatment under their names.
struct GeneralizeElementwise : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (op.getNumReductionLoops() || !op.hasPureTensorSemantics() ||
        isa<linalg::GenericOp, linalg::FillOp, linalg::TransposeOp, linalg::CopyOp>(op))
      return failure();
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// A generic that yields a constant is a fill, which other passes know better.
struct SpecializeFill : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    Value value = op.getBody()->getTerminator()->getOperand(0);
    if (op.getNumDpsInputs() || op.getNumDpsInits() != 1 || op.getNumReductionLoops() ||
        !op.hasPureTensorSemantics() || value.getParentBlock() == op.getBody() ||
        !matchPattern(value, m_Constant()) ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
      return failure();
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, value, op.getDpsInits()[0]);
    return success();
  }
};

/// pad(x + 128, c) = pad(x, c - 128) + 128, all on 8 bits: brings the shift next to the
/// convolution, whose analysis looks through it.
struct SinkShiftBelowPad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::PadOp pad, PatternRewriter &rewriter) const override {
    auto shift = pad.getSource().getDefiningOp<linalg::GenericOp>();
    Value padding = pad.getConstantPaddingValue();
    APInt value;
    if (!shift || !matchShift(shift) || !padding || !pad.getResultType().hasStaticShape() ||
        !matchPattern(padding, m_ConstantInt(&value)) ||
        !shift.getMatchingIndexingMap(shift.getDpsInputOperand(0)).isIdentity())
      return failure();
    Location loc = pad.getLoc();
    Value shifted = arith::ConstantOp::create(
        rewriter, loc, rewriter.getIntegerAttr(padding.getType(), value ^ APInt(8, 0x80)));
    auto newPad = tensor::PadOp::create(rewriter, loc, pad.getResultType(), shift.getDpsInputs()[0],
                                        pad.getMixedLowPad(), pad.getMixedHighPad(), shifted,
                                        pad.getNofold());
    Value empty = tensor::EmptyOp::create(rewriter, loc, pad.getResultType().getShape(),
                                          pad.getResultType().getElementType());
    unsigned rank = pad.getResultType().getRank();
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    auto newShift = linalg::GenericOp::create(rewriter, loc, empty.getType(), newPad.getResult(),
                                              empty, maps, iterators);
    rewriter.cloneRegionBefore(shift.getRegion(), newShift.getRegion(), newShift.getRegion().end());
    rewriter.replaceOp(pad, newShift);
    return success();
  }
};

/// Upstream's patterns make ops anew without what was noted on them. The number of a contraction
/// and a pinned choice stay with what replaces it.
struct KeepMarks : RewriterBase::Listener {
  void notifyOperationReplaced(Operation *op, ValueRange replacement) override {
    auto made = replacement.empty() ? linalg::GenericOp()
                                    : replacement.front().getDefiningOp<linalg::GenericOp>();
    if (made && made.getNumReductionLoops()) // not elementwise ops that its operands became
      copyMarks(op, made);
  }
};

/// Rounds of patterns. Moves go one op further in each, and chains of networks have some twenty. A
/// program that has not settled by then is right as well.
constexpr int64_t most = 64;

/// Rewrites of a round: patterns that undo each other, as on shapes that contradict each other,
/// end.
int64_t mostRewrites(Operation *root) {
  constexpr int64_t least = 1024, perOp = 64;
  int64_t ops = 0;
  root->walk([&](Operation *) { ++ops; });
  return std::max(least, ops * perOp);
}

struct PreparePass : ucmoh::impl::PrepareBase<PreparePass> {
  using Base::Base;
  void runOnOperation() override {
    arrangeOpenBatches(getOperation());
    multiplyAheadOfSteps(getOperation());
    dequantizeForEachReader(getOperation());
    RewritePatternSet before(&getContext()); // chains of elementwise ops merge below
    populateMaxPoolingPatterns(before);
    populateLookupPatterns(before);
    walkAndApplyPatterns(getOperation(), std::move(before));
    RewritePatternSet patterns(&getContext());
    patterns.add<GeneralizeElementwise, SpecializeFill, SinkShiftBelowPad>(&getContext());
    populateSplitBodyPatterns(patterns);
    populateWideningPatterns(patterns);
    populateNarrowAccumulatorPatterns(patterns);
    populateMovePatterns(patterns);
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::FillOp::getCanonicalizationPatterns(patterns, &getContext());
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::EmptyOp::getCanonicalizationPatterns(patterns, &getContext());
    populateUnitDimPatterns(patterns);
    populateOpenRowsPatterns(patterns);
    KeepMarks listener;
    GreedyRewriteConfig config = patternsOnly();
    config.setListener(&listener);
    config.setMaxIterations(most);
    config.setMaxNumRewrites(mostRewrites(getOperation()));
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
    RewritePatternSet tables(&getContext()); // chains are complete now
    populateTablePatterns(tables);
    populateInterpolationPatterns(tables);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(tables);
    (void)applyPatternsGreedily(getOperation(), std::move(tables), patternsOnly());
    readPositionsOfResults(getOperation());
    if (failed(narrowElementwise(getOperation())) || failed(simplifyQuantization(getOperation())))
      return signalPassFailure();
    roundOnce(getOperation());
  }
};

} // namespace
