//===- Chain.cpp - Two contractions with rows between them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"
#include "../Extents/Loops.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// What is in a chain
//===----------------------------------------------------------------------===//

/// One iteration of a loop of the second contraction, as what all dims are cut by that it runs
/// along. The loop's number stands for the iteration, which no one knows yet.
static Cut iterationOf(Builder &builder, unsigned loop) {
  return {/*from=*/builder.getIndexAttr(loop), /*valid=*/builder.getIndexAttr(1), /*size=*/1};
}

namespace {
class ChainFinder {
public:
  explicit ChainFinder(LinalgOp second) : builder(second.getContext()) { chain.second = second; }
  std::optional<Chain> find(const ContractionBody::Input &side,
                            const ContractionBody::Input &other);

private:
  bool findLoops(const ContractionBody::Input &side, const ContractionBody::Input &other);
  bool comesFromFirst(Value value, const Cuts &cuts);
  bool isMember(Operation *op, OpResult result, const Cuts &cuts);
  bool addFirst(LinalgOp op, const Cuts &loops);
  bool isClosed();
  void findRoot();
  void findScores();

  Builder builder;
  Chain chain;
  llvm::DenseMap<Value, std::pair<Cuts, bool>> known;
  bool failed = false;
};
} // namespace

bool Chain::isOpen() const {
  return ShapedType::isDynamic(LinalgOp(second).getStaticLoopRanges()[rows]);
}

/// Exactly one loop has rows, and those of several batches share none of both operands.
bool ChainFinder::findLoops(const ContractionBody::Input &side,
                            const ContractionBody::Input &other) {
  SmallVector<int64_t> extents = chain.second.getStaticLoopRanges();
  unsigned count = 0;
  for (unsigned loop = 0; loop < extents.size(); ++loop) {
    if (extents[loop] == 1 || !side.map.isFunctionOfDim(loop) ||
        !linalg::isParallelIterator(chain.second.getIteratorTypesArray()[loop]))
      continue;
    if (other.map.isFunctionOfDim(loop)) {
      chain.batches.push_back(loop);
    } else {
      chain.rows = loop;
      ++count;
    }
  }
  return count == 1 && chain.second.hasDynamicShape() == chain.isOpen();
}

/// Returns the cuts of the dims that a reshape keeps; none where it joins or splits dims.
static std::optional<Cuts> cutsBefore(Operation *reshape, const Cuts &cuts) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape);
  return expand     ? cutsOfSource(expand, cuts)
         : collapse ? cutsOfSource(collapse, cuts)
                    : std::nullopt;
}

bool ChainFinder::addFirst(LinalgOp op, const Cuts &loops) {
  if (chain.first && chain.first != op)
    return false;
  chain.first = op;
  auto loopOf = [&](unsigned second) -> std::optional<unsigned> {
    for (auto [loop, cut] : llvm::enumerate(loops))
      if (cut && isConstantIntValue(cut->from, second))
        return loop;
    return std::nullopt;
  };
  chain.batchesOfFirst.clear();
  for (unsigned batch : chain.batches) {
    if (!loopOf(batch))
      return false;
    chain.batchesOfFirst.push_back(*loopOf(batch));
  }
  if (!loopOf(chain.rows))
    return false;
  chain.rowsOfFirst = *loopOf(chain.rows);
  return true;
}

bool ChainFinder::isMember(Operation *op, OpResult result, const Cuts &cuts) {
  if (std::optional<Cuts> before = cutsBefore(op, cuts))
    return comesFromFirst(op->getOperand(0), *before);
  auto linalgOp = dyn_cast<LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      (linalgOp.hasDynamicShape() && !chain.isOpen()))
    return false;
  std::optional<Cuts> loops = cutsOfLoops(linalgOp, result, cuts);
  if (!loops)
    return false;
  if (isContractionLike(op)) {
    failed |= !addFirst(linalgOp, *loops);
    return true;
  }
  bool any = false;
  for (OpOperand *input : linalgOp.getDpsInputOperands())
    if (isa<RankedTensorType>(input->get().getType()))
      any |= comesFromFirst(input->get(), cutsOfOperand(linalgOp, *input, *loops));
  return any;
}

/// Whether the value is computed from the first contraction; finds it. Each op is computed once:
/// all who read it must cut it alike.
bool ChainFinder::comesFromFirst(Value value, const Cuts &cuts) {
  constexpr unsigned mostValues = 64;
  auto [entry, isNew] = known.try_emplace(value, cuts, false);
  if (!isNew) {
    failed |= entry->second.second && entry->second.first != cuts;
    return entry->second.second;
  }
  Operation *op = value.getDefiningOp();
  failed |= known.size() > mostValues;
  if (!op || failed || op->getBlock() != chain.second->getBlock())
    return false;
  bool result = isMember(op, cast<OpResult>(value), cuts);
  known[value].second = result;
  if (result)
    chain.members.insert(op);
  return result;
}

/// Whether nothing outside needs what is inside.
bool ChainFinder::isClosed() {
  return llvm::all_of(chain.members, [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return user == chain.second || chain.members.contains(user);
    });
  });
}

/// The elementwise op behind `op`, if all that it reads can be cut along its loops.
static linalg::GenericOp findConsumer(LinalgOp op) {
  linalg::GenericOp consumer = findElementwiseConsumer(op);
  bool joins = consumer && consumer.getNumResults() == 1 &&
               consumer.getMatchingIndexingMap(consumer.getDpsInitOperand(0)).isIdentity() &&
               llvm::all_of(consumer.getIndexingMapsArray(), [](AffineMap map) {
                 return map.isProjectedPermutation(/*allowZeroInResults=*/true);
               });
  return joins ? consumer : linalg::GenericOp();
}

std::optional<Chain> ChainFinder::find(const ContractionBody::Input &side,
                                       const ContractionBody::Input &other) {
  LinalgOp second = chain.second;
  if (!findLoops(side, other))
    return std::nullopt;
  Cuts loops(second.getNumLoops());
  for (unsigned loop : chain.batches)
    loops[loop] = iterationOf(builder, loop);
  loops[chain.rows] = iterationOf(builder, chain.rows);
  SmallVector<OpOperand *> inputs = second.getDpsInputOperands();
  OpOperand *operand =
      *llvm::find_if(inputs, [&](OpOperand *input) { return input->get() == side.value; });
  chain.operand = operand->get();
  if (!canCut(second, loops) ||
      !comesFromFirst(chain.operand, cutsOfOperand(second, *operand, loops)) || failed ||
      !isClosed() || chain.first->hasAttr("ucmoh.choice") || second->hasAttr("ucmoh.choice"))
    return std::nullopt;
  linalg::GenericOp consumer = findConsumer(second);
  chain.root = consumer ? cast<LinalgOp>(consumer.getOperation()) : second;
  linalg::GenericOp scores = findConsumer(chain.first);
  chain.scores =
      scores && chain.members.contains(scores) ? scores.getResult(0) : chain.first->getResult(0);
  return chain;
}

std::optional<Chain> ucmoh::findChain(LinalgOp second) {
  if (!isContractionLike(second) || !second.hasPureTensorSemantics() ||
      !second.getMatchingIndexingMap(second.getDpsInitOperand(0)).isProjectedPermutation())
    return std::nullopt;
  std::optional<ContractionBody> body = matchContractionBody(second);
  if (!body)
    return std::nullopt;
  if (auto chain = ChainFinder(second).find(body->lhs, body->rhs))
    return chain;
  return ChainFinder(second).find(body->rhs, body->lhs);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// Writes the loops around one chain.
class ChainBuilder {
public:
  ChainBuilder(RewriterBase &rewriter, const Chain &chain, int64_t rows)
      : rewriter(rewriter), chain(chain), rows(rows), pieces(rewriter, joinsPiece),
        second(LinalgOp(chain.second).getNumLoops()), first(LinalgOp(chain.first).getNumLoops()) {}
  void run();

private:
  SmallVector<Value> overBatches(unsigned level, ValueRange values);
  SmallVector<Value> overRows(ValueRange values);
  SmallVector<Value> piece(ValueRange into);
  void makeShared(LinalgOp op, const Cuts &loops);
  bool joins(Operation *op);
  OpFoldResult extentOfLoop(unsigned loop);

  RewriterBase &rewriter;
  const Chain &chain;
  int64_t rows;
  std::function<bool(Operation *)> joinsPiece = [this](Operation *op) { return joins(op); };
  PieceBuilder pieces;
  Cuts second, first; ///< cuts of the loops of both contractions
};
} // namespace

/// Says whether the op is between the contractions, or the analysis of a contraction looks through
/// it.
bool ChainBuilder::joins(Operation *op) {
  auto linalgOp = cast<LinalgOp>(op);
  return chain.members.contains(op) || op == chain.second ||
         (linalgOp.hasPureTensorSemantics() && linalgOp.getNumDpsInits() == 1 &&
          !isContractionLike(op) && (matchMoveOrWidening(linalgOp) || matchShift(linalgOp)));
}

/// By the init: it is not made by the chain.
OpFoldResult ChainBuilder::extentOfLoop(unsigned loop) {
  LinalgOp op = chain.second;
  OpOperand *init = op.getDpsInitOperand(0);
  unsigned dim =
      *op.getMatchingIndexingMap(init).getResultPosition(rewriter.getAffineDimExpr(loop));
  return extentOf(rewriter, op.getLoc(), init->get(), dim);
}

/// Operands without rows, in front of the loop over rows: all its steps read the same.
void ChainBuilder::makeShared(LinalgOp op, const Cuts &loops) {
  unsigned rowLoop = op == chain.first ? chain.rowsOfFirst : chain.rows;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(input->get().getType()) || input->get() == chain.operand ||
        op.getMatchingIndexingMap(input).isFunctionOfDim(rowLoop))
      continue;
    pieces.part(input->get(), cutsOfOperand(op, *input, loops));
  }
}

SmallVector<Value> ChainBuilder::piece(ValueRange into) {
  LinalgOp root = chain.root, last = chain.second;
  Cuts cuts = second;
  if (root != last)
    cuts = cutsOfOperand(last, *last.getDpsInitOperand(0), second);
  Operation *made = pieces.compute(root, cuts);
  OpOperand &init = *root.getDpsInitOperand(0);
  return {insertPart(rewriter, root.getLoc(), made->getResult(0), into.front(),
                     cutsOfOperand(root, init, cuts))};
}

SmallVector<Value> ChainBuilder::overRows(ValueRange values) {
  OpFoldResult extent = extentOfLoop(chain.rows);
  if (std::optional<int64_t> known = getConstantIntValue(extent); known && rows >= *known)
    return piece(values);
  makeShared(chain.first, first);
  makeShared(chain.second, second);
  Sizes blocks{{rows}, chain.isOpen() ? Rest::Shorter : Rest::Overlapped};
  return loopOverPieces(rewriter, chain.root->getLoc(), extent, blocks, values,
                        [&](const Cut &cut, ValueRange before) {
                          second[chain.rows] = first[chain.rowsOfFirst] = cut;
                          return piece(before);
                        });
}

SmallVector<Value> ChainBuilder::overBatches(unsigned level, ValueRange values) {
  if (level == chain.batches.size())
    return overRows(values);
  Sizes items{{1}, Rest::Exact, /*areItems=*/true};
  return loopOverPieces(rewriter, chain.root->getLoc(), extentOfLoop(chain.batches[level]), items,
                        values, [&](const Cut &cut, ValueRange before) {
                          second[chain.batches[level]] = first[chain.batchesOfFirst[level]] = cut;
                          return overBatches(level + 1, before);
                        });
}

void ChainBuilder::run() {
  LinalgOp root = chain.root;
  rewriter.setInsertionPoint(root);
  Value empty = emptyLike(rewriter, root.getLoc(), root.getDpsInits().front());
  rewriter.replaceOp(root, overBatches(0, empty));
  if (root != chain.second)
    rewriter.eraseOp(chain.second);
  SmallVector<Operation *> rest(chain.members.getArrayRef());
  llvm::sort(rest, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : rest)
    rewriter.eraseOp(op);
}

void ucmoh::computeInBlocks(RewriterBase &rewriter, const Chain &chain, int64_t rows) {
  ChainBuilder(rewriter, chain, rows).run();
}
