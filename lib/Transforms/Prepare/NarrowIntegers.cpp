//===- NarrowIntegers.cpp - Integers of 64 bits that fit 32
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
struct Interval {
  int64_t low, high;
};
} // namespace

static Interval rangeOf(ElementType byte) {
  return byte.kind == ElementType::UnsignedInt ? Interval{0, 255} : Interval{-128, 127};
}

/// The range of a zero point: null has been subtracted as a constant, others must come from 8 bits.
static std::optional<Interval> rangeOfZeroPoint(Value zero) {
  if (!zero)
    return Interval{0, 0};
  Operation *cast = zero.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(cast) ||
      !cast->getOperand(0).getType().isInteger(8))
    return std::nullopt;
  bool isUnsigned = isa<arith::ExtUIOp>(cast);
  return rangeOf({isUnsigned ? ElementType::UnsignedInt : ElementType::SignedInt, 8});
}

/// The largest magnitude of x - zero.
static std::optional<int64_t> magnitudeOf(const ContractionBody::Input &input) {
  std::optional<Interval> zero = rangeOfZeroPoint(input.zeroPoint);
  constexpr int64_t limit = 1 << 16; // keeps the arithmetic below far from overflow
  if (!zero || input.zeroOffset < -limit || input.zeroOffset > limit)
    return std::nullopt;
  Interval value = rangeOf(input.type);
  return std::max(std::abs(value.low - zero->high - input.zeroOffset),
                  std::abs(value.high - zero->low - input.zeroOffset));
}

static bool fitsInt32(linalg::LinalgOp op, const ContractionBody &body) {
  std::optional<int64_t> lhs = magnitudeOf(body.lhs), rhs = magnitudeOf(body.rhs);
  if (!lhs || !rhs)
    return false;
  int64_t bound = *lhs * *rhs;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned dim : reductions)
    if (ShapedType::isDynamic(extents[dim]) || llvm::MulOverflow(bound, extents[dim], bound))
      return false;
  return bound <= std::numeric_limits<int32_t>::max();
}

/// Whether only the low 32 bits of the result are used: those of sums and products follow from the
/// low bits of what is summed and multiplied, whatever the range.
static bool isTruncated(Value result) {
  return !result.use_empty() && llvm::all_of(result.getUses(), [](OpOperand &use) {
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    return user && user.isDpsInput(&use) &&
           llvm::all_of(user.getMatchingBlockArgument(&use).getUsers(), [](Operation *inside) {
             auto truncation = dyn_cast<arith::TruncIOp>(inside);
             return truncation && truncation.getType().getIntOrFloatBitWidth() <= 32;
           });
  });
}

static Value toInt32(OpBuilder &b, Location loc, Value value, bool isUnsigned) {
  if (value.getType().isInteger(32))
    return value;
  if (isUnsigned)
    return arith::ExtUIOp::create(b, loc, b.getI32Type(), value);
  return arith::ExtSIOp::create(b, loc, b.getI32Type(), value);
}

/// The same contraction with a result of 32 bits.
static Value contract(OpBuilder &builder, linalg::LinalgOp op, const ContractionBody &body) {
  Location loc = op.getLoc();
  auto shape = tensor::getMixedSizes(builder, loc, op.getDpsInits()[0]);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value empty = tensor::EmptyOp::create(builder, loc, shape, builder.getI32Type());
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  SmallVector<AffineMap> maps = {body.lhs.map, body.rhs.map,
                                 op.getMatchingIndexingMap(op.getDpsInitOperand(0))};
  auto narrow = linalg::GenericOp::create(
      builder, loc, init.getType(), ValueRange{body.lhs.value, body.rhs.value}, init, maps,
      op.getIteratorTypesArray(), [&](OpBuilder &b, Location l, ValueRange arguments) {
        bool isLhsUnsigned = body.lhs.type.kind == ElementType::UnsignedInt;
        bool isRhsUnsigned = body.rhs.type.kind == ElementType::UnsignedInt;
        Value product = arith::MulIOp::create(b, l, toInt32(b, l, arguments[0], isLhsUnsigned),
                                              toInt32(b, l, arguments[1], isRhsUnsigned));
        linalg::YieldOp::create(b, l,
                                ValueRange{arith::AddIOp::create(b, l, arguments[2], product)});
      });
  copyMarks(op, narrow);
  return narrow.getResult(0);
}

static Value extend(OpBuilder &builder, Location loc, Value tensor, RankedTensorType type) {
  auto shape = tensor::getMixedSizes(builder, loc, tensor);
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, tensor, empty, maps, iterators,
             [&](OpBuilder &b, Location l, ValueRange arguments) {
               linalg::YieldOp::create(
                   b, l,
                   ValueRange{arith::ExtSIOp::create(b, l, type.getElementType(), arguments[0])});
             })
      .getResult(0);
}

namespace {
struct NarrowAccumulator : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics())
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    std::optional<ContractionBody> body = matchContractionBody(op);
    if (!body || !type.getElementType().isInteger(64) || !isZeroTensor(op.getDpsInits()[0]))
      return failure();
    ContractionBody original = *body;
    lookThroughProducers(body->lhs);
    lookThroughProducers(body->rhs);
    for (const ContractionBody::Input *input : {&body->lhs, &body->rhs})
      if (!input->type.isInteger() || input->type.bits != 8)
        return failure();
    for (const ContractionBody::Input *input : {&original.lhs, &original.rhs})
      if (input->type.bits > 32)
        return failure();
    if (!isTruncated(op->getResult(0)) && !fitsInt32(op, *body))
      return failure();
    Value narrow = contract(rewriter, op, original);
    rewriter.replaceOp(op, extend(rewriter, op.getLoc(), narrow, type));
    return success();
  }
};
} // namespace

void ucmoh::populateNarrowAccumulatorPatterns(RewritePatternSet &patterns) {
  patterns.add<NarrowAccumulator>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

namespace {
/// Another op may take the address of an erased one, and must not inherit its ranges.
struct ForgetErased : RewriterBase::Listener {
  explicit ForgetErased(DataFlowSolver &solver) : solver(solver) {}
  void notifyOperationErased(Operation *op) override {
    solver.eraseState(solver.getProgramPointAfter(op));
    for (Value result : op->getResults())
      solver.eraseState(result);
  }
  DataFlowSolver &solver;
};
} // namespace

/// Leaves out contractions and positions: what contractions compute is for their analysis to read,
/// and positions are no data.
static bool isElementwise(linalg::GenericOp op) {
  return op.getNumReductionLoops() == 0 && !op.hasIndexSemantics();
}

LogicalResult ucmoh::narrowElementwise(Operation *root) {
  SmallVector<Operation *> bodies;
  root->walk([&](linalg::GenericOp op) {
    if (isElementwise(op))
      for (Operation &inner : op.getBody()->without_terminator())
        bodies.push_back(&inner);
  });
  if (bodies.empty())
    return success();
  DataFlowSolver solver;
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(root)))
    return failure();
  RewritePatternSet patterns(root->getContext());
  arith::populateIntRangeNarrowingPatterns(patterns, solver, {32});
  // They remove extensions.
  arith::TruncIOp::getCanonicalizationPatterns(patterns, root->getContext());
  ForgetErased listener(solver);
  return applyOpPatternsGreedily(bodies, std::move(patterns),
                                 GreedyRewriteConfig().setListener(&listener).setStrictness(
                                     GreedyRewriteStrictness::ExistingAndNewOps));
}
