//===- Fuse.cpp - Ops that share rows are computed row by row
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PatternConfig.h"
#include "Rest.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_FUSEREST
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Elements of a row, so that what is done once a row does not weigh.
static constexpr int64_t leastRow = 64;

namespace {

/// Ops that are computed together for each step of the outer loops of the last one.
class RowGroup {
public:
  /// The group of all that `root` is computed from, with its first `count` loops outside.
  RowGroup(linalg::LinalgOp root, unsigned count);

  /// Ops without fills: those hold no data of their own.
  unsigned size() const;
  LogicalResult tile(RewriterBase &rewriter);
  bool contains(Operation *op) const { return loops.contains(op); }

private:
  using Loops = SmallVector<unsigned>;
  bool join(linalg::LinalgOp op);
  std::optional<Loops> loopsBehind(OpOperand &use, linalg::LinalgOp producer) const;
  void addProducers(linalg::LinalgOp op);
  int64_t rowsAtOnce();
  void eraseMembers(RewriterBase &rewriter);

  linalg::LinalgOp root;
  unsigned count;
  /// Which of the op's loops each outer loop is; the last op of the block first.
  llvm::MapVector<Operation *, Loops> loops;
  llvm::SetVector<Operation *> candidates;
  llvm::SmallPtrSet<Operation *, 8> usedOutside;
};

} // namespace

RowGroup::RowGroup(linalg::LinalgOp root, unsigned count) : root(root), count(count) {
  loops[root] = llvm::to_vector(llvm::seq<unsigned>(0, count));
  addProducers(root);
  // The last one of the block first, so that all users of an op have been decided.
  while (!candidates.empty()) {
    Operation *last = *llvm::max_element(
        candidates, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    candidates.remove(last);
    if (auto op = cast<linalg::LinalgOp>(last); join(op))
      addProducers(op);
  }
}

void RowGroup::addProducers(linalg::LinalgOp op) {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (isRest(producer) && producer->getBlock() == root->getBlock() && !loops.contains(producer) &&
        cast<linalg::LinalgOp>(producer).hasPureTensorSemantics())
      candidates.insert(producer);
  }
}

/// The loops of `producer` that compute what the use's owner reads in one step of the outer loops;
/// none if some of it would be computed in several steps.
std::optional<RowGroup::Loops> RowGroup::loopsBehind(OpOperand &use,
                                                     linalg::LinalgOp producer) const {
  AffineMap read = cast<linalg::LinalgOp>(use.getOwner()).getMatchingIndexingMap(&use);
  AffineMap written = producer.getIndexingMapMatchingResult(cast<OpResult>(use.get()));
  Loops result;
  for (unsigned loop : loops.lookup(use.getOwner())) {
    std::optional<unsigned> position =
        read.getResultPosition(getAffineDimExpr(loop, read.getContext()));
    auto reads = [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); };
    if (!position || llvm::count_if(read.getResults(), reads) != 1)
      return std::nullopt;
    auto dim = dyn_cast<AffineDimExpr>(written.getResult(*position));
    if (!dim)
      return std::nullopt;
    result.push_back(dim.getPosition());
  }
  return result;
}

/// Takes `op` into the group, if each of its elements is needed in one step only, and elsewhere
/// after the group.
bool RowGroup::join(linalg::LinalgOp op) {
  std::optional<Loops> common;
  bool outside = false;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    if (!loops.contains(user)) {
      Operation *above = root->getBlock()->findAncestorOpInBlock(*user);
      // An op of the group that looks something up in the result wants all of it.
      if (!above || loops.contains(above) || above->isBeforeInBlock(root))
        return false;
      outside = true;
      continue;
    }
    std::optional<Loops> behind = loopsBehind(use, op);
    if (!behind || (common && *common != *behind))
      return false;
    common = behind;
  }
  loops[op] = *common;
  if (outside)
    usedOutside.insert(op);
  return true;
}

unsigned RowGroup::size() const {
  return llvm::count_if(loops, [](auto &entry) { return !isa<linalg::FillOp>(entry.first); });
}

/// Erases what was computed outside of the loops, with the slices of it that fusion has left.
void RowGroup::eraseMembers(RewriterBase &rewriter) {
  for (auto &entry : loops) {
    for (Operation *user : llvm::make_early_inc_range(entry.first->getUsers()))
      if (isOpTriviallyDead(user))
        rewriter.eraseOp(user);
    if (entry.first->use_empty())
      rewriter.eraseOp(entry.first);
  }
}

/// A short row ends before the latencies of its sums and quotients have passed. Each op works on
/// several of them, which do not wait for each other, before the next op does.
int64_t RowGroup::rowsAtOnce() {
  constexpr int64_t mostRows = 8, mostElements = 1024; // for each buffer, so that all are in L1
  SmallVector<int64_t> extents = root.getStaticLoopRanges();
  auto reduces = [](auto &entry) {
    return cast<linalg::LinalgOp>(entry.first).getNumReductionLoops() > 0;
  };
  if (llvm::any_of(extents, ShapedType::isDynamic) || llvm::none_of(loops, reduces))
    return 1;
  int64_t row = llvm::product_of(ArrayRef(extents).drop_front(count)), rows = mostRows;
  while (rows > 1 && (extents[count - 1] % rows || rows * row > mostElements))
    rows /= 2;
  return rows;
}

/// The tensor that has the extents of a result, and is there before it is computed.
static Value initOf(Value value) {
  while (auto op = value.getDefiningOp<linalg::LinalgOp>())
    value = op.getDpsInits()[cast<OpResult>(value).getResultNumber()];
  return value;
}

/// The bounds of the loops may have asked for extents of what is computed in them.
static void askBefore(Operation *loops, Value value) {
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
    if (isa<tensor::DimOp>(use.getOwner()) && use.getOwner()->getBlock() == loops->getBlock() &&
        use.getOwner()->isBeforeInBlock(loops))
      use.set(initOf(value));
}

LogicalResult RowGroup::tile(RewriterBase &rewriter) {
  Builder builder(root.getContext());
  SmallVector<OpFoldResult> sizes(root.getNumLoops(), builder.getIndexAttr(0));
  std::fill_n(sizes.begin(), count, builder.getIndexAttr(1));
  sizes[count - 1] = builder.getIndexAttr(rowsAtOnce());
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(sizes);
  options.fusionControlFn =
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
    if (!contains(producer.getOwner()))
      return std::nullopt;
    return scf::SCFTileAndFuseOptions::ControlFnResult{usedOutside.contains(producer.getOwner())};
  };
  rewriter.setInsertionPoint(root);
  auto tiled = scf::tileConsumerAndFuseProducersUsingSCF(
      rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(tiled))
    return failure();
  for (LoopLikeOpInterface loop : tiled->loops)
    loop->setAttr(rowsMark, builder.getUnitAttr());
  Operation *rows = tiled->loops.front();
  for (auto [value, replacement] : tiled->replacements) {
    askBefore(rows, value);
    rewriter.replaceUsesWithIf(value, replacement, [&](OpOperand &use) {
      return !contains(use.getOwner()) && !rows->isAncestor(use.getOwner());
    });
  }
  eraseMembers(rewriter);
  return success();
}

//===----------------------------------------------------------------------===//
// Which groups
//===----------------------------------------------------------------------===//

/// How many of the op's outer loops may be loops over rows: parallel ones, around rows that are
/// long enough.
static unsigned outerLoops(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = typicalExtents(op);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned count = 0;
  int64_t row = llvm::product_of(extents);
  while (count + 1 < extents.size() && linalg::isParallelIterator(iterators[count]) &&
         row / std::max<int64_t>(extents[count], 1) >= leastRow)
    row /= std::max<int64_t>(extents[count++], 1);
  return count;
}

/// The largest group that ends with `root`, and of those the one with the shortest rows.
static std::optional<RowGroup> findGroup(linalg::LinalgOp root) {
  std::optional<RowGroup> best;
  for (unsigned count = outerLoops(root); count > 0; --count) {
    RowGroup group(root, count);
    if (group.size() > (best ? best->size() : 1))
      best = std::move(group);
  }
  return best;
}

static void fuseRows(RewriterBase &rewriter, Block &block) {
  SmallVector<Operation *> roots;
  for (Operation &op : llvm::reverse(block))
    if (isRest(&op) && cast<linalg::LinalgOp>(op).hasPureTensorSemantics())
      roots.push_back(&op);
  llvm::SmallPtrSet<Operation *, 16> done;
  for (Operation *root : roots) {
    if (done.contains(root))
      continue;
    std::optional<RowGroup> group = findGroup(cast<linalg::LinalgOp>(root));
    if (!group)
      continue;
    for (Operation *op : roots)
      if (group->contains(op))
        done.insert(op);
    (void)group->tile(rewriter);
  }
}

//===----------------------------------------------------------------------===//
// What tiling leaves
//===----------------------------------------------------------------------===//

/// Equal initial values were found to be the same; as one value, it would hold groups together
/// that have nothing in common, and be copied for each op that changes it.
static void unshareFills(RewriterBase &rewriter, Operation *root) {
  SmallVector<linalg::FillOp> fills;
  root->walk([&](linalg::FillOp op) {
    if (isRest(op) && op.hasPureTensorSemantics() && !op->hasOneUse() &&
        op.getOutputs()[0].getDefiningOp<tensor::EmptyOp>())
      fills.push_back(op);
  });
  for (linalg::FillOp fill : fills)
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      rewriter.setInsertionPoint(fill);
      IRMapping mapping;
      rewriter.clone(*fill.getOutputs()[0].getDefiningOp(), mapping);
      use.set(rewriter.clone(*fill, mapping)->getResult(0));
    }
}

static LogicalResult simplify(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet slices = linalg::getLinalgTilingCanonicalizationPatterns(context);
  tensor::populateMergeConsecutiveInsertExtractSlicePatterns(slices);
  if (failed(applyPatternsGreedily(function, std::move(slices), patternsOnly())))
    return failure();
  IRRewriter rewriter(context);
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, function);
  foldUnitDims(function, UnitDims::Sliced);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  RewritePatternSet merge(context);
  populateMergePatterns(merge);
  if (failed(applyPatternsGreedily(function, std::move(merge), patternsOnly())))
    return failure();
  reduceInRows(rewriter, function);
  unshareFills(rewriter, function);
  return success();
}

namespace {
struct FuseRestPass : ucmoh::impl::FuseRestBase<FuseRestPass> {
  using Base::Base;
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    linalg::registerTilingInterfaceExternalModels(registry);
  }
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    unshareFills(rewriter, getOperation());
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      fuseRows(rewriter, *block);
    if (failed(simplify(getOperation())))
      signalPassFailure();
  }
};
} // namespace
