//===- SplitSums.cpp - Sums over images are sums of the sums of their rows
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rest.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ucmoh;

/// Terms from which on a sum in one order loses digits, and one thread takes long for it.
static constexpr int64_t leastTerms = 1024;

/// Whether the op adds up floats in f32 or wider, and the loop over neighbours in memory is none of
/// its reduction: each lane of a vector has one sum then, of all terms one after the other. The
/// innermost loop of a reduction has several sums as it is.
static bool addsInLanes(linalg::GenericOp op) {
  auto sum = dyn_cast<FloatType>(getElementTypeOrSelf(op.getRegionOutputArgs().back()));
  if (!sum || sum.getWidth() < 32 || op.getNumDpsInits() != 1 || op.getNumDpsInputs() == 0 ||
      !op.hasPureTensorSemantics() || op.hasIndexSemantics())
    return false;
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) || combiners.size() != 1 ||
      !isa<arith::AddFOp>(combiners.front()))
    return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!map.isProjectedPermutation() || map.getNumResults() == 0)
      return map.isProjectedPermutation();
    unsigned innermost = map.getDimPosition(map.getNumResults() - 1);
    return linalg::isParallelIterator(op.getIteratorTypesArray()[innermost]);
  });
}

/// The outermost loop of a reduction over several, if they have many terms.
static std::optional<unsigned> loopOfRows(linalg::GenericOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  SmallVector<int64_t> extents = typicalExtents(op);
  int64_t terms = 1;
  for (unsigned loop : reductions)
    terms *= extents[loop];
  if (reductions.size() < 2 || terms < leastTerms || extents[reductions.front()] == 1)
    return std::nullopt;
  return reductions.front();
}

/// The extent of a loop, which some operand has as a dim.
static OpFoldResult extentOf(OpBuilder &builder, linalg::GenericOp op, unsigned loop) {
  Value operand;
  unsigned dim = 0;
  [[maybe_unused]] LogicalResult found = op.mapIterationSpaceDimToOperandDim(loop, operand, dim);
  assert(succeeded(found) && "maps are projected permutations that cover all loops");
  return tensor::getMixedSize(builder, op.getLoc(), operand, dim);
}

/// Where the rows' dim goes among the result's: behind those of loops further outside.
static unsigned placeOfRows(linalg::GenericOp op, unsigned rows) {
  return llvm::count_if(op.getIndexingMapsArray().back().getResults(), [&](AffineExpr expr) {
    return cast<AffineDimExpr>(expr).getPosition() < rows;
  });
}

/// The sums of rows, from zero on: the same op with a loop over rows.
static Value sumsOfRows(RewriterBase &rewriter, linalg::GenericOp op, unsigned rows) {
  Location loc = op.getLoc();
  Value init = op.getDpsInits()[0];
  unsigned place = placeOfRows(op, rows);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, init);
  sizes.insert(sizes.begin() + place, extentOf(rewriter, op, rows));
  Type element = getElementTypeOrSelf(init);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, element);
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
  Value zeros = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() = maps.back().insertResult(rewriter.getAffineDimExpr(rows), place);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators[rows] = utils::IteratorType::parallel;
  auto sums = linalg::GenericOp::create(rewriter, loc, zeros.getType(), op.getDpsInputs(), zeros,
                                        maps, iterators);
  rewriter.inlineRegionBefore(op.getRegion(), sums.getRegion(), sums.getRegion().begin());
  return sums->getResult(0);
}

/// Sums of rows, and their sum.
static void split(RewriterBase &rewriter, linalg::GenericOp op, unsigned rows) {
  rewriter.setInsertionPoint(op);
  unsigned place = placeOfRows(op, rows);
  Value sums = sumsOfRows(rewriter, op, rows), init = op.getDpsInits()[0];
  unsigned rank = cast<RankedTensorType>(sums.getType()).getRank();
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators[place] = utils::IteratorType::reduction;
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  auto sum = linalg::GenericOp::create(
      rewriter, op.getLoc(), init.getType(), sums, init, {all, all.dropResult(place)}, iterators,
      [](OpBuilder &builder, Location loc, ValueRange values) {
        Value next = arith::AddFOp::create(builder, loc, values[1], values[0]);
        linalg::YieldOp::create(builder, loc, next);
      });
  rewriter.replaceOp(op, sum->getResults());
}

void ucmoh::splitSums(RewriterBase &rewriter, Operation *root) {
  SmallVector<linalg::GenericOp> sums;
  root->walk([&](linalg::GenericOp op) {
    if (isRest(op) && addsInLanes(op))
      sums.push_back(op);
  });
  for (linalg::GenericOp op : sums)
    if (std::optional<unsigned> rows = loopOfRows(op))
      split(rewriter, op, *rows);
}
