//===- CutContraction.cpp - A contraction of dynamic extent as pieces
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where only rows (or batches) are dynamic, the right operand is whole in each piece, so that
/// all pieces read the same packed weights, and the elementwise consumer joins. Where columns or
/// the reduction are dynamic, as in attention, a piece is a block of all of them.
///
//===----------------------------------------------------------------------===//

#include "CutContraction.h"
#include "Loops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/OpenRows.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

namespace {

class ContractionCutter {
public:
  ContractionCutter(RewriterBase &rewriter, LinalgOp op, const ContractionBody &body,
                    ArrayRef<ExtentRange> ranges)
      : rewriter(rewriter), op(op), body(body), ranges(ranges), loops(op.getNumLoops()) {}
  LogicalResult run();

private:
  /// One loop of the op that is cut.
  struct CutLoop {
    unsigned loop;
    Sizes sizes;
  };
  enum class Side { Both, Lhs, Rhs, Neither };
  Side sideOf(unsigned loop);
  bool isDynamic(unsigned loop) { return ShapedType::isDynamic(op.getStaticLoopRanges()[loop]); }
  bool isReduction(unsigned loop) { return !accMap().isFunctionOfDim(loop); }
  AffineMap accMap() { return op.getMatchingIndexingMap(op.getDpsInitOperand(0)); }
  int64_t staticExtent(Side side);
  Sizes sizesOf(unsigned loop, int64_t rows);
  void planItems();
  void planRows();
  void planBlocks();

  linalg::GenericOp findConsumer();
  Cuts cutsOfRoot();
  OpFoldResult extentOfLoop(unsigned loop);
  SmallVector<Value> emptyResults();
  SmallVector<Value> loopOver(ArrayRef<CutLoop> rest, ValueRange values,
                              llvm::function_ref<SmallVector<Value>(ValueRange)> body);
  const ContractionBody::Input &weightsOf(unsigned rows);
  bool readsStoredWeights(unsigned rows);
  bool areWeightsNear(unsigned rows);
  void markOpenRows(Operation *piece);
  SmallVector<Value> rowsPiece(ValueRange into);
  SmallVector<Value> blockPiece(ValueRange into);
  bool joins(Operation *producer);

  RewriterBase &rewriter;
  LinalgOp op;
  ContractionBody body;
  ArrayRef<ExtentRange> ranges; ///< the loops' extents lie in them
  LinalgOp root;                ///< the op, or its consumer
  SmallVector<CutLoop> parallel, reductions;
  Cuts loops; ///< where the current piece lies
};

} // namespace

//===----------------------------------------------------------------------===//
// How loops are cut
//===----------------------------------------------------------------------===//

ContractionCutter::Side ContractionCutter::sideOf(unsigned loop) {
  bool lhs = body.lhs.map.isFunctionOfDim(loop), rhs = body.rhs.map.isFunctionOfDim(loop);
  return lhs && rhs ? Side::Both : lhs ? Side::Lhs : rhs ? Side::Rhs : Side::Neither;
}

/// The product of what is known of one side.
int64_t ContractionCutter::staticExtent(Side side) {
  int64_t product = 1;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!isReduction(loop) && !isDynamic(loop) && sideOf(loop) == side)
      product *= op.getStaticLoopRanges()[loop];
  return product;
}

/// Batches one by one: they share no operand, and a slice of one is contiguous. Channels that each
/// have a window of their own are lanes, and stay together.
void ContractionCutter::planItems() {
  auto loopsOf = [&](Side side) {
    return llvm::make_filter_range(llvm::seq(op.getNumLoops()), [this, side](unsigned loop) {
      return !isReduction(loop) && sideOf(loop) == side;
    });
  };
  bool hasColumns = !loopsOf(Side::Rhs).empty();
  for (unsigned loop : loopsOf(Side::Both))
    if (isDynamic(loop) || (hasColumns && op.getStaticLoopRanges()[loop] != 1))
      parallel.push_back({loop, {{1}, Rest::Exact, /*areItems=*/true}});
}

/// What all rows are multiplied by.
const ContractionBody::Input &ContractionCutter::weightsOf(unsigned rows) {
  return sideOf(rows) == Side::Lhs ? body.rhs : body.lhs;
}

/// Whether weights stay in a cache that each core has of its own. Such are the products that
/// squeeze and excite channels: their kernels are most of what an image network of open batch is.
bool ContractionCutter::areWeightsNear(unsigned rows) {
  constexpr int64_t mostElements = 1 << 16;
  auto type = cast<ShapedType>(weightsOf(rows).value.getType());
  return type.hasStaticShape() && type.getNumElements() <= mostElements;
}

/// Whether the rows are multiplied by weights that lie in memory as they are multiplied: a kernel
/// of these computes as many rows as are wanted.
bool ContractionCutter::readsStoredWeights(unsigned rows) {
  ContractionBody::Input weights = weightsOf(rows);
  lookThroughProducers(weights);
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      weights.value.getDefiningOp()))
    weights.value = weights.value.getDefiningOp()->getOperand(0);
  return isa<BlockArgument>(weights.value) && dependsOnWeightsAlone(weights.value);
}

/// How a dim is cut, of which each element has `rows` rows. Kernels of full pieces may add up parts
/// of a long reduction one after the other, those that leave out rows may not.
Sizes ContractionCutter::sizesOf(unsigned loop, int64_t rows) {
  auto cut = areWeightsNear(loop) ? sizesOfCheapRows : sizesOfRows;
  Sizes sizes = cut(mostRows / rows, ranges[loop]);
  if (rows == 1 && readsStoredWeights(loop)) {
    sizes.rest = Rest::Open;
    sizes.fullApart = ranges[loop].most > sizes.sizes.front();
  }
  return sizes;
}

/// Images one by one as well, if each has rows enough.
void ContractionCutter::planRows() {
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (isReduction(loop) || !isDynamic(loop) || sideOf(loop) == Side::Both)
      continue;
    int64_t rows = staticExtent(sideOf(loop));
    constexpr int64_t manyRows = 32;
    parallel.push_back({loop, rows >= manyRows ? Sizes{{1}, Rest::Exact} : sizesOf(loop, rows)});
  }
}

/// Blocks of rows and columns whose rest is padded. A padded reduction adds products of zeros,
/// which a zero point would make others.
void ContractionCutter::planBlocks() {
  const Sizes padded{{mostRows, mostRows / 2, mostRows / 8}, Rest::Padded};
  const Sizes exact{{mostRows, mostRows / 2, mostRows / 8, 1}, Rest::Exact};
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (!isDynamic(loop) || (!isReduction(loop) && sideOf(loop) == Side::Both))
      continue;
    if (isReduction(loop))
      reductions.push_back({loop, isFloat ? padded : exact});
    else
      parallel.push_back({loop, padded});
  }
}

//===----------------------------------------------------------------------===//
// What is in a piece
//===----------------------------------------------------------------------===//

/// The elementwise op behind the contraction, if its results lie as its loops run.
linalg::GenericOp ContractionCutter::findConsumer() {
  linalg::GenericOp consumer = findElementwiseConsumer(op);
  bool inOrder = consumer && llvm::all_of(consumer.getDpsInitsMutable(), [&](OpOperand &init) {
                   return consumer.getMatchingIndexingMap(&init).isIdentity();
                 });
  return inOrder ? consumer : linalg::GenericOp();
}

/// The consumer's loops are the dims of the contraction's result.
Cuts ContractionCutter::cutsOfRoot() {
  if (root == op)
    return loops;
  return llvm::map_to_vector(accMap().getResults(), [&](AffineExpr expr) -> std::optional<Cut> {
    return loops[cast<AffineDimExpr>(expr).getPosition()];
  });
}

/// The contraction itself, and what its analysis looks through.
bool ContractionCutter::joins(Operation *producer) {
  auto linalgOp = cast<LinalgOp>(producer);
  return producer == op ||
         (linalgOp.hasPureTensorSemantics() && linalgOp.getNumDpsInits() == 1 &&
          (matchMoveOrWidening(linalgOp) || matchShift(linalgOp) || matchRounding(linalgOp)));
}

/// Says of a product with padded rows how many are none.
void ContractionCutter::markOpenRows(Operation *piece) {
  for (auto [operand, made] : llvm::zip_equal(root->getOperands(), piece->getOperands()))
    if (operand.getDefiningOp() == op)
      piece = made.getDefiningOp();
  for (const std::optional<Cut> &cut : loops)
    if (cut && !cut->isWhole())
      piece->setAttr(leastRowsMark, rewriter.getI64IntegerAttr(cut->least));
}

SmallVector<Value> ContractionCutter::rowsPiece(ValueRange into) {
  auto joinsPiece = [&](Operation *producer) { return joins(producer); };
  PieceBuilder builder(rewriter, joinsPiece);
  Cuts cuts = cutsOfRoot();
  Operation *piece = builder.compute(root, cuts);
  markOpenRows(piece);
  SmallVector<Value> values;
  for (auto [result, value, init] :
       llvm::zip_equal(piece->getResults(), into, root.getDpsInitsMutable()))
    values.push_back(
        insertPart(rewriter, op.getLoc(), result, value, cutsOfOperand(root, init, cuts)));
  return values;
}

SmallVector<Value> ContractionCutter::blockPiece(ValueRange into) {
  auto joinsPiece = [&](Operation *producer) { return joins(producer); };
  OpOperand &init = *op.getDpsInitOperand(0);
  Cuts cuts = cutsOfOperand(op, init, loops);
  Value sum = PieceBuilder(rewriter, joinsPiece).part(init.get(), cuts);
  SmallVector<Value> sums = loopOver(reductions, sum, [&](ValueRange before) {
    Operation *piece = PieceBuilder(rewriter, joinsPiece).compute(op, loops, before);
    return llvm::to_vector_of<Value>(piece->getResults());
  });
  return {insertPart(rewriter, op.getLoc(), sums.front(), into.front(), cuts)};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// An operand's dim that the loop runs along.
static std::pair<Value, int64_t> dimOfLoop(LinalgOp op, unsigned loop) {
  AffineExpr expr = getAffineDimExpr(loop, op.getContext());
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<unsigned> dim = op.getMatchingIndexingMap(&operand).getResultPosition(expr))
      return {operand.get(), *dim};
  llvm_unreachable("each loop that is cut is the dim of an operand");
}

OpFoldResult ContractionCutter::extentOfLoop(unsigned loop) {
  auto [value, dim] = dimOfLoop(op, loop);
  return extentOf(rewriter, op.getLoc(), value, dim);
}

SmallVector<Value> ContractionCutter::emptyResults() {
  return llvm::map_to_vector(root.getDpsInits(),
                             [&](Value init) { return emptyLike(rewriter, op.getLoc(), init); });
}

SmallVector<Value>
ContractionCutter::loopOver(ArrayRef<CutLoop> rest, ValueRange values,
                            llvm::function_ref<SmallVector<Value>(ValueRange)> inside) {
  if (rest.empty())
    return inside(values);
  const CutLoop &outer = rest.front();
  return loopOverPieces(rewriter, op.getLoc(), extentOfLoop(outer.loop), outer.sizes, values,
                        [&](const Cut &cut, ValueRange before) {
                          loops[outer.loop] = cut;
                          return loopOver(rest.drop_front(), before, inside);
                        });
}

LogicalResult ContractionCutter::run() {
  bool lhs = false, rhs = false, reduction = false, isOpen = false;
  Cuts all(op.getNumLoops());
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (!isDynamic(loop))
      continue;
    isOpen = true;
    all[loop] = Cut();
    reduction |= isReduction(loop);
    lhs |= !isReduction(loop) && sideOf(loop) == Side::Lhs;
    rhs |= !isReduction(loop) && sideOf(loop) == Side::Rhs;
  }
  bool inBlocks = reduction || (lhs && rhs);
  // Only an image may be open, of which the windows of a result of static size read a part.
  if (!isOpen || !canCut(op, all) || !accMap().isProjectedPermutation())
    return failure();
  linalg::GenericOp consumer = inBlocks ? linalg::GenericOp() : findConsumer();
  root = consumer ? cast<LinalgOp>(consumer.getOperation()) : op;
  rewriter.setInsertionPoint(root);
  planItems();
  inBlocks ? planBlocks() : planRows();
  SmallVector<Value> results = loopOver(parallel, emptyResults(), [&](ValueRange into) {
    return inBlocks ? blockPiece(into) : rowsPiece(into);
  });
  rewriter.replaceOp(root, results);
  if (root != op)
    rewriter.eraseOp(op);
  return success();
}

SmallVector<ExtentRange> ucmoh::rangesOfLoops(LinalgOp op, const OpenExtents &extents) {
  SmallVector<ExtentRange> ranges(op.getNumLoops());
  auto bounds = op->getAttrOfType<DenseI64ArrayAttr>("ucmoh.assume");
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    if (!ShapedType::isDynamic(op.getStaticLoopRanges()[loop]))
      continue;
    auto [value, dim] = dimOfLoop(op, loop);
    range = bounds ? ExtentRange{bounds[0], bounds[1]} : extents.rangeOf(value, dim);
  }
  return ranges;
}

LogicalResult ucmoh::cutContraction(RewriterBase &rewriter, LinalgOp op,
                                    ArrayRef<ExtentRange> ranges) {
  std::optional<ContractionBody> body = matchContractionBody(op);
  return body ? ContractionCutter(rewriter, op, *body, ranges).run() : failure();
}
