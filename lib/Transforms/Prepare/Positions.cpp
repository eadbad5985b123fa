//===- Positions.cpp - Positions of elements are data
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A causal mask compares the position of a row with that of a column. A kernel computes a tile of
/// the scores and does not know where it lies, but it can read the positions like any other vector
/// beside the result: 0, 1, 2 and so on along one dim.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace ucmoh;

/// 0, 1, 2, ... as a tensor of i32.
static Value createPositions(OpBuilder &builder, Location loc, int64_t extent) {
  SmallVector<int32_t> numbers(extent);
  std::iota(numbers.begin(), numbers.end(), 0);
  auto type = RankedTensorType::get({extent}, builder.getI32Type());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
}

/// Whether each loop is known, and short enough for a constant of its positions.
static bool hasFewPositions(linalg::GenericOp op) {
  constexpr int64_t mostPositions = 1 << 16;
  return !op.hasDynamicShape() && llvm::all_of(op.getStaticLoopRanges(), [](int64_t extent) {
    return extent <= mostPositions;
  });
}

/// The same op, which reads its positions along loops from tensors of their own.
static void readPositions(RewriterBase &rewriter, linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  llvm::MapVector<uint64_t, SmallVector<linalg::IndexOp>> positions;
  for (auto index : op.getBody()->getOps<linalg::IndexOp>())
    positions[index.getDim()].push_back(index);
  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto &[loop, indices] : positions) {
    maps.insert(maps.begin() + inputs.size(),
                AffineMap::get(op.getNumLoops(), 0, rewriter.getAffineDimExpr(loop)));
    Value argument =
        op.getBody()->insertArgument(inputs.size(), rewriter.getI32Type(), op.getLoc());
    inputs.push_back(createPositions(rewriter, op.getLoc(), extents[loop]));
    for (linalg::IndexOp index : indices) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(index);
      rewriter.replaceOpWithNewOp<arith::IndexCastOp>(index, rewriter.getIndexType(), argument);
    }
  }
  auto made = linalg::GenericOp::create(rewriter, op.getLoc(), op->getResultTypes(), inputs,
                                        op.getDpsInits(), maps, op.getIteratorTypesArray());
  rewriter.inlineRegionBefore(op.getRegion(), made.getRegion(), made.getRegion().end());
  rewriter.replaceOp(op, made);
}

void ucmoh::readPositionsOfResults(Operation *root) {
  SetVector<linalg::GenericOp> consumers; // one may follow two contractions
  root->walk([&](linalg::LinalgOp op) {
    if (!op.hasPureTensorSemantics() || !isContractionLike(op))
      return;
    linalg::GenericOp consumer = findElementwiseConsumer(op);
    if (consumer && consumer.hasIndexSemantics() && hasFewPositions(consumer))
      consumers.insert(consumer);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::GenericOp consumer : consumers)
    readPositions(rewriter, consumer);
}
