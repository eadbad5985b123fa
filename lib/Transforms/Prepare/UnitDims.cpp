//===- UnitDims.cpp - Dims of extent 1 between a contraction and its consumer
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The scores of an attention are a product of heads x rows x columns. What follows has a batch of
/// 1 in front of them, and so has the mask: 1 x 1 x rows x columns. A kernel can take the mask in
/// where neither has.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Analysis/ContractionBody.h"

using namespace mlir;
using namespace ucmoh;

/// Whether an elementwise op reads what was only given dims of extent 1, beside others. Without
/// them it is one with the op that made it. What widens for a contraction stays beside it.
static bool addsUnitDims(OpOperand *operand) {
  auto reshape = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  return reshape && reshape.getSrcType().getRank() > 0 && consumer &&
         consumer.getNumReductionLoops() == 0 && !widensForContraction(consumer) &&
         haveOneDimEach(reshape.getResultType(), reshape.getReassociationIndices());
}

/// The dims of an input that tell nothing beside a reshaped operand whose dims are the op's loops:
/// of extent 1, and alone of their group.
static SmallVector<bool> findUnitDims(linalg::GenericOp op, OpOperand *input,
                                      tensor::ExpandShapeOp reshape) {
  auto type = cast<RankedTensorType>(input->get().getType());
  AffineMap map = op.getMatchingIndexingMap(input);
  SmallVector<ReassociationIndices> groups = reshape.getReassociationIndices();
  auto isAlone = [&](unsigned loop) {
    auto group = llvm::find_if(
        groups, [&](const ReassociationIndices &each) { return llvm::is_contained(each, loop); });
    return group->size() > 1 && llvm::none_of(*group, [&](int64_t other) {
             return reshape.getResultType().getDimSize(other) != 1 && map.isFunctionOfDim(other);
           });
  };
  return llvm::map_to_vector(llvm::enumerate(map.getResults()), [&](auto entry) {
    auto dim = dyn_cast<AffineDimExpr>(entry.value());
    return type.getDimSize(entry.index()) == 1 && (!dim || isAlone(dim.getPosition()));
  });
}

/// The tensor without these dims, each of which joins a neighbour.
static Value dropDims(OpBuilder &builder, Value tensor, ArrayRef<bool> isDropped) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices pending;
  for (auto [dim, drop] : llvm::enumerate(isDropped)) {
    if (drop && !groups.empty()) {
      groups.back().push_back(dim);
      continue;
    }
    pending.push_back(dim);
    if (!drop)
      groups.push_back(std::exchange(pending, {}));
  }
  return tensor::CollapseShapeOp::create(builder, tensor.getLoc(), tensor, groups);
}

namespace {
/// Drops dims of extent 1 from what an elementwise op reads beside a result that was given some.
struct DropUnitDims : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
    auto found = llvm::find_if(inputs, [&](OpOperand *input) {
      return addsUnitDims(input) && op.getMatchingIndexingMap(input).isIdentity();
    });
    if (found == inputs.end() || !op.hasPureTensorSemantics())
      return failure();
    auto reshape = (*found)->get().getDefiningOp<tensor::ExpandShapeOp>();
    bool changed = false;
    for (OpOperand *input : inputs)
      if (input != *found && isa<RankedTensorType>(input->get().getType()))
        changed |= drop(rewriter, op, input, findUnitDims(op, input, reshape));
    return success(changed);
  }

  static bool drop(PatternRewriter &rewriter, linalg::GenericOp op, OpOperand *input,
                   ArrayRef<bool> isDropped) {
    if (!llvm::is_contained(isDropped, true))
      return false;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<AffineExpr> kept;
    for (auto [expr, drop] :
         llvm::zip_equal(op.getMatchingIndexingMap(input).getResults(), isDropped))
      if (!drop)
        kept.push_back(expr);
    maps[input->getOperandNumber()] =
        AffineMap::get(op.getNumLoops(), 0, kept, rewriter.getContext());
    rewriter.setInsertionPoint(op);
    Value dropped = dropDims(rewriter, input->get(), isDropped);
    rewriter.modifyOpInPlace(op, [&] {
      input->set(dropped);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return true;
  }
};
} // namespace

void ucmoh::populateUnitDimPatterns(RewritePatternSet &patterns) {
  patterns.add<DropUnitDims>(patterns.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, addsUnitDims);
}
