//===- Share.cpp - Threads share what is no contraction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Checks.h"
#include "../PassTarget.h"
#include "../Pieces.h"
#include "Items.h"
#include "Rest.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "ucmoh/Analysis/Program.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ucmoh {
#define GEN_PASS_DEF_SHAREREST
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// How long something takes
//===----------------------------------------------------------------------===//

namespace {
/// Estimates cycles of one thread, to tell what is worth a fork. All data is taken to be in the L2
/// cache, and all arithmetic to be in vectors.
class Work {
public:
  explicit Work(const Target &target)
      : machine(target.machine), registers(vectorRegisters(target)) {}

  double cyclesOf(Operation *op) const;

private:
  double cyclesOfLinalg(linalg::LinalgOp op) const;
  double cyclesOfBody(Region &body) const;
  double cyclesToMove(double bytes) const { return bytes / machine.l2BytesPerCycle; }

  const Machine &machine;
  VectorRegisters registers;
};
} // namespace

static double bytesOf(MemRefType type) {
  double bytes =
      type.getElementType().isIntOrFloat() ? llvm::divideCeil(type.getElementTypeBitWidth(), 8) : 0;
  for (int64_t extent : type.getShape())
    bytes *= ShapedType::isDynamic(extent) ? typicalExtent : extent;
  return bytes;
}

/// Iterations of a loop.
static int64_t tripsOf(scf::ForOp loop) {
  auto from = getConstantIntValue(loop.getLowerBound());
  auto to = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  return from && to && step ? llvm::divideCeilSigned(*to - *from, *step) : typicalExtent;
}

double Work::cyclesOfBody(Region &body) const {
  double cycles = 0;
  for (Operation &op : body.getOps())
    cycles += cyclesOf(&op);
  return cycles;
}

double Work::cyclesOfLinalg(linalg::LinalgOp op) const {
  constexpr int64_t wordBits = 32;
  double elements = llvm::product_of(typicalExtents(op)), bytes = 0;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType()))
      bytes += bytesOf(type);
  int64_t lanes = std::max<int64_t>(registers.bits / wordBits, 1);
  return std::max(elements * llvm::range_size(*op.getBlock()) / lanes, cyclesToMove(bytes));
}

double Work::cyclesOf(Operation *op) const {
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case([&](linalg::LinalgOp op) { return cyclesOfLinalg(op); })
      .Case([&](memref::CopyOp op) {
        return cyclesToMove(2 * bytesOf(cast<MemRefType>(op.getSource().getType())));
      })
      .Case([&](scf::ForOp op) { return tripsOf(op) * cyclesOfBody(op.getRegion()); })
      .Default([&](Operation *op) {
        if (op->getNumRegions())
          return cyclesOfBody(op->getRegion(0));
        return llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>) ? 1. : 0.;
      });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// A loop over one part for each thread, around the same loop over a part of its values.
static void shareLoop(RewriterBase &rewriter, scf::ForOp loop, int64_t threads) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  AffineExpr a = rewriter.getAffineDimExpr(0), b = rewriter.getAffineDimExpr(1),
             c = rewriter.getAffineSymbolExpr(0);
  OpFoldResult from = getAsOpFoldResult(loop.getLowerBound()),
               to = getAsOpFoldResult(loop.getUpperBound()),
               step = getAsOpFoldResult(loop.getStep());
  MLIRContext *context = rewriter.getContext();
  OpFoldResult trips = affine::makeComposedFoldedAffineApply(
      rewriter, loc, AffineMap::get(2, 1, (b - a).ceilDiv(c)), {from, to, step});
  OpFoldResult each = affine::makeComposedFoldedAffineMax(
      rewriter, loc,
      AffineMap::get(1, 0, {a.ceilDiv(threads), getAffineConstantExpr(1, context)}, context),
      {trips});
  Value size = arith::MulIOp::create(
      rewriter, loc, getValueOrCreateConstantIndexOp(rewriter, loc, each), loop.getStep());
  auto parts = scf::ParallelOp::create(rewriter, loc, loop.getLowerBound(), loop.getUpperBound(),
                                       size, ValueRange());
  Value part = parts.getInductionVars().front();
  rewriter.setInsertionPointToStart(parts.getBody());
  Value end = arith::MinSIOp::create(
      rewriter, loc, arith::AddIOp::create(rewriter, loc, part, size), loop.getUpperBound());
  rewriter.moveOpBefore(loop, parts.getBody()->getTerminator());
  rewriter.modifyOpInPlace(loop, [&] {
    loop.getLowerBoundMutable().assign(part);
    loop.getUpperBoundMutable().assign(end);
  });
}

/// A loop that threads share as one that the thread at hand executes.
static scf::ForOp unshare(RewriterBase &rewriter, scf::ParallelOp parallel) {
  rewriter.setInsertionPoint(parallel);
  auto loop = scf::ForOp::create(rewriter, parallel.getLoc(), parallel.getLowerBound().front(),
                                 parallel.getUpperBound().front(), parallel.getStep().front());
  rewriter.eraseOp(parallel.getBody()->getTerminator());
  rewriter.inlineBlockBefore(parallel.getBody(), loop.getBody()->getTerminator(),
                             loop.getInductionVar());
  rewriter.eraseOp(parallel);
  return loop;
}

/// A loop without values over one variable, which `unshare` can do.
static bool isPlain(scf::ParallelOp parallel) {
  return parallel.getNumLoops() == 1 && parallel.getInitVals().empty();
}

/// Threads share batches instead of what is inside of each of them.
static void shareItems(RewriterBase &rewriter, scf::ForOp loop, int64_t threads) {
  SmallVector<scf::ParallelOp> inside;
  loop.walk([&](scf::ParallelOp parallel) { inside.push_back(parallel); });
  for (scf::ParallelOp parallel : inside)
    if (isPlain(parallel))
      unshare(rewriter, parallel);
  shareLoop(rewriter, loop, threads);
}

/// The loop of a linalg op to share: the outermost one of its result that has enough iterations.
static std::optional<unsigned> loopToShare(linalg::LinalgOp op, int64_t threads) {
  SmallVector<int64_t> extents = typicalExtents(op);
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (AffineExpr expr : result.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr);
        dim && extents[dim.getPosition()] >= threads &&
        linalg::isParallelIterator(op.getIteratorTypesArray()[dim.getPosition()]))
      return dim.getPosition();
  return std::nullopt;
}

/// The loop of the op in a part for each thread.
static void tileLinalg(RewriterBase &rewriter, linalg::LinalgOp op, unsigned loop,
                       int64_t threads) {
  linalg::LinalgTilingOptions options;
  options.setLoopType(linalg::LinalgTilingLoopType::ParallelLoops);
  options.setTileSizeComputationFunction([&](OpBuilder &builder, Operation *) {
    Location loc = op.getLoc();
    SmallVector<Value> sizes(op.getNumLoops(), arith::ConstantIndexOp::create(builder, loc, 0));
    OpFoldResult extent = op.createLoopRanges(builder, loc)[loop].size;
    AffineExpr part = builder.getAffineDimExpr(0).ceilDiv(threads);
    sizes[loop] = getValueOrCreateConstantIndexOp(
        builder, loc, affine::makeComposedFoldedAffineApply(builder, loc, part, {extent}));
    return sizes;
  });
  rewriter.setInsertionPoint(op);
  if (succeeded(linalg::tileLinalgOp(rewriter, op, options)))
    rewriter.eraseOp(op);
}

/// A branch for an op whose `amount` is at least `least`, in which it is, and one with the same op
/// for less.
static void branchByAmount(RewriterBase &rewriter, Operation *op, OpFoldResult amount,
                           int64_t least) {
  Location loc = op->getLoc();
  Value enough =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sge,
                            getValueOrCreateConstantIndexOp(rewriter, loc, amount),
                            arith::ConstantIndexOp::create(rewriter, loc, least).getResult());
  auto branches = scf::IfOp::create(rewriter, loc, enough, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(branches.elseBlock());
  rewriter.clone(*op);
  rewriter.moveOpBefore(op, branches.thenBlock()->getTerminator());
}

/// Threads share the op, where an open extent of the loop has `least` steps.
static void shareLinalg(RewriterBase &rewriter, linalg::LinalgOp op, unsigned loop, int64_t least,
                        int64_t threads) {
  rewriter.setInsertionPoint(op);
  if (ShapedType::isDynamic(op.getStaticLoopRanges()[loop]))
    branchByAmount(rewriter, op, op.createLoopRanges(rewriter, op.getLoc())[loop].size, least);
  tileLinalg(rewriter, op, loop, threads);
}

/// The dim of a copy to share: the outermost one that is known and no unit, so that parts are about
/// as contiguous as the whole. Where dims in front of it are open, a part has a row of them.
static std::optional<unsigned> dimToShare(memref::CopyOp copy, int64_t threads) {
  constexpr double rowBytes = 4096;
  auto type = cast<MemRefType>(copy.getTarget().getType());
  double bytes = bytesOf(type);
  bool isOutermost = true;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    bytes /= ShapedType::isDynamic(extent) ? typicalExtent : extent;
    if (!ShapedType::isDynamic(extent) && extent > 1) {
      bool isShared = extent >= threads && (isOutermost || bytes >= rowBytes);
      return isShared ? std::optional<unsigned>(dim) : std::nullopt;
    }
    isOutermost &= extent == 1;
  }
  return std::nullopt;
}

/// The part of a buffer that has `size` elements of the dim from `from` on.
static Value partOf(OpBuilder &builder, Location loc, Value buffer, unsigned dim, OpFoldResult from,
                    OpFoldResult size) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, buffer);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  offsets[dim] = from;
  sizes[dim] = size;
  return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes, strides);
}

/// The product of a buffer's open extents.
static OpFoldResult openElements(OpBuilder &builder, Location loc, Value buffer) {
  OpFoldResult product = builder.getIndexAttr(1);
  AffineExpr a = builder.getAffineDimExpr(0), b = builder.getAffineSymbolExpr(0);
  for (OpFoldResult size : memref::getMixedSizes(builder, loc, buffer))
    if (isa<Value>(size))
      product = affine::makeComposedFoldedAffineApply(builder, loc, AffineMap::get(1, 1, a * b),
                                                      {product, size});
  return product;
}

static double typicalOpenElements(memref::CopyOp copy) {
  return std::pow(typicalExtent, cast<MemRefType>(copy.getTarget().getType()).getNumDynamicDims());
}

/// A part of the dim for each thread.
static void tileCopy(RewriterBase &rewriter, memref::CopyOp copy, unsigned dim, int64_t threads) {
  Location loc = copy.getLoc();
  rewriter.setInsertionPoint(copy);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  int64_t extent = cast<MemRefType>(copy.getTarget().getType()).getDimSize(dim);
  int64_t each = llvm::divideCeil(extent, threads);
  auto parts =
      scf::ParallelOp::create(rewriter, loc, index(0), index(extent), index(each), ValueRange());
  rewriter.setInsertionPointToStart(parts.getBody());
  OpFoldResult from = parts.getInductionVars().front();
  AffineExpr left = extent - rewriter.getAffineDimExpr(0);
  OpFoldResult size = affine::makeComposedFoldedAffineMin(
      rewriter, loc,
      AffineMap::get(1, 0, {left, rewriter.getAffineConstantExpr(each)}, rewriter.getContext()),
      {from});
  if (extent % threads == 0)
    size = rewriter.getIndexAttr(each);
  memref::CopyOp::create(rewriter, loc, partOf(rewriter, loc, copy.getSource(), dim, from, size),
                         partOf(rewriter, loc, copy.getTarget(), dim, from, size));
  rewriter.eraseOp(copy);
}

/// Threads share the copy, where its open extents have `least` elements.
static void shareCopy(RewriterBase &rewriter, memref::CopyOp copy, unsigned dim, int64_t least,
                      int64_t threads) {
  rewriter.setInsertionPoint(copy);
  if (!cast<MemRefType>(copy.getTarget().getType()).hasStaticShape())
    branchByAmount(rewriter, copy, openElements(rewriter, copy.getLoc(), copy.getTarget()), least);
  tileCopy(rewriter, copy, dim, threads);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
/// What threads share: loops over rows, ops and kernels that are loops already.
class SharedWork {
public:
  SharedWork(const Target &target, int64_t threads)
      : work(target), fork(forkCycles(target.machine)), threads(threads) {}

  WalkResult note(Operation *op);
  void apply(RewriterBase &rewriter);

private:
  /// Whether threads save more than it costs to begin them.
  bool pays(Operation *op, int64_t pieces);
  bool areItems(scf::ForOp loop);
  int64_t leastAmount(Operation *op, double typical);
  // Whether what is inside is not noted as well.
  bool noteLoop(scf::ForOp loop);
  bool noteLinalg(linalg::LinalgOp op);
  void noteCopy(memref::CopyOp copy);

  Work work;
  double fork;
  int64_t threads;
  SmallVector<scf::ForOp> loops, items;
  SmallVector<scf::ParallelOp> kernels;
  SmallVector<std::pair<linalg::LinalgOp, unsigned>> ops;
  SmallVector<std::pair<memref::CopyOp, unsigned>> copies;
};
} // namespace

bool SharedWork::pays(Operation *op, int64_t pieces) {
  if (pieces < threads)
    return false;
  double share = double(extentOfBusiest(pieces, /*step=*/1, threads)) / pieces;
  return work.cyclesOf(op) * (1 - share) > fork;
}

/// Where the number of batches is open, there may be one, whose rows and columns threads share.
bool SharedWork::areItems(scf::ForOp loop) {
  return loop->hasAttr(itemsMark) && loop.getInitArgs().empty() && loop.getStaticTripCount() &&
         pays(loop, tripsOf(loop)) && areIndependent(loop);
}

/// How much of an open amount, which is taken to be `typical`, is worth it.
int64_t SharedWork::leastAmount(Operation *op, double typical) {
  double ofOne = work.cyclesOf(op) / typical, share = 1. / threads;
  return std::max<int64_t>(threads, std::ceil(fork / (ofOne * (1 - share))));
}

bool SharedWork::noteLoop(scf::ForOp loop) {
  bool areRows = loop->hasAttr(rowsMark) && loop.getInitArgs().empty();
  if (areItems(loop))
    items.push_back(loop);
  else if (areRows && pays(loop, tripsOf(loop)) && !writeToOnePlace(loop))
    loops.push_back(loop);
  else
    return false;
  return true;
}

void SharedWork::noteCopy(memref::CopyOp copy) {
  bool stays = isInRows(copy) || copy.getSource() == copy.getTarget();
  std::optional<unsigned> dim = stays ? std::nullopt : dimToShare(copy, threads);
  if (dim && pays(copy, cast<MemRefType>(copy.getTarget().getType()).getDimSize(*dim)))
    copies.push_back({copy, *dim});
}

bool SharedWork::noteLinalg(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op->hasAttr(referenceMark) || isInRows(op))
    return false;
  std::optional<unsigned> shared = loopToShare(op, threads);
  if (shared && pays(op, typicalExtents(op)[*shared]))
    ops.push_back({op, *shared});
  return true;
}

WalkResult SharedWork::note(Operation *op) {
  bool isDone = llvm::TypeSwitch<Operation *, bool>(op)
                    .Case([&](scf::ParallelOp parallel) {
                      if (isPlain(parallel))
                        kernels.push_back(parallel);
                      return true;
                    })
                    .Case([&](scf::ForOp loop) { return noteLoop(loop); })
                    .Case([&](memref::CopyOp copy) {
                      noteCopy(copy);
                      return true;
                    })
                    .Case([&](linalg::LinalgOp op) { return noteLinalg(op); })
                    .Default(false);
  return isDone ? WalkResult::skip() : WalkResult::advance();
}

void SharedWork::apply(RewriterBase &rewriter) {
  for (scf::ForOp loop : items)
    shareItems(rewriter, loop, threads);
  for (scf::ForOp loop : loops)
    shareLoop(rewriter, loop, threads);
  for (auto [op, loop] : ops)
    shareLinalg(rewriter, op, loop, leastAmount(op, typicalExtents(op)[loop]), threads);
  for (auto [copy, dim] : copies)
    shareCopy(rewriter, copy, dim, leastAmount(copy, typicalOpenElements(copy)), threads);
  // One part for each thread, instead of many iterations: buffers inside are as many as parts.
  for (scf::ParallelOp parallel : kernels)
    shareLoop(rewriter, unshare(rewriter, parallel), threads);
}

namespace {
struct ShareRestPass : TargetPass<ucmoh::impl::ShareRestBase<ShareRestPass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &resolved) override {
    if (threads < 2 || resolved.device)
      return success();
    SharedWork work(resolved, threads);
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) { return work.note(op); });
    IRRewriter rewriter(&getContext());
    work.apply(rewriter);
    return success();
  }
};
} // namespace
