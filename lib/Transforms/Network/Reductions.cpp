//===- Reductions.cpp - Reductions in one loop with each other or with what they read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Prepare/Patterns.h"
#include "Rest.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The reduction that is the first to read what `producer` computes, if all others come behind it:
/// the sum of exponentials, which are divided by it afterwards.
static OpOperand *findReduction(linalg::GenericOp producer) {
  auto isBehind = [](Operation *user, Operation *op) {
    Operation *above = op->getBlock()->findAncestorOpInBlock(*user);
    return above && op->isBeforeInBlock(above);
  };
  for (OpOperand &use : producer->getUses()) {
    auto consumer = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (consumer && isRest(consumer) && consumer->getBlock() == producer->getBlock() &&
        consumer.getNumReductionLoops() > 0 && consumer.isDpsInput(&use) &&
        consumer.getMatchingIndexingMap(&use).isPermutation() && mayBecomeOne(producer, consumer) &&
        llvm::all_of(producer->getUsers(),
                     [&](Operation *user) { return user == consumer || isBehind(user, consumer); }))
      return &use;
  }
  return nullptr;
}

/// Computes both in one loop, which writes what others read too.
static linalg::GenericOp reduceWhileWriting(RewriterBase &rewriter, linalg::GenericOp producer) {
  OpOperand *use = findReduction(producer);
  if (!use || !linalg::areElementwiseOpsFusable(use))
    return {};
  Operation *consumer = use->getOwner();
  rewriter.setInsertionPoint(consumer);
  FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, use);
  if (failed(fused))
    return {};
  for (auto [value, replacement] : fused->replacements)
    rewriter.replaceAllUsesWith(value, replacement);
  rewriter.eraseOp(consumer);
  rewriter.eraseOp(producer);
  return cast<linalg::GenericOp>(fused->fusedOp);
}

void ucmoh::reduceInRows(RewriterBase &rewriter, Operation *root) {
  SmallVector<linalg::GenericOp> producers;
  root->walk([&](linalg::GenericOp op) {
    if (isRest(op) && isInRows(op) && op.hasPureTensorSemantics() && !op->use_empty() &&
        op.getNumReductionLoops() == 0)
      producers.push_back(op);
  });
  for (linalg::GenericOp producer : producers)
    reduceWhileWriting(rewriter, producer);
}

//===----------------------------------------------------------------------===//
// Whole tensors
//===----------------------------------------------------------------------===//

/// Whether the results are the same in any order: extremes, and what integers become.
static bool isOrderFree(linalg::GenericOp op) {
  return llvm::all_of(op.getRegionOutputArgs(), [&](BlockArgument output) {
    unsigned number = output.getArgNumber() - op.getNumDpsInputs();
    SmallVector<Operation *> combiners;
    return matchReduction(op.getRegionOutputArgs(), number, combiners) && combiners.size() == 1 &&
           linalg::getCombinerOpKind(combiners[0]) &&
           !isa<arith::AddFOp, arith::MulFOp>(combiners[0]);
  });
}

/// Whether an op reduces one tensor as a whole. One that becomes a part of another may lie in that
/// one's memory, where its elements are no neighbours.
static bool isOfWhole(linalg::GenericOp op) {
  auto isPart = [](Operation *user) { return isa<tensor::InsertSliceOp, tensor::ConcatOp>(user); };
  return isRest(op) && !isInRows(op) && op.hasPureTensorSemantics() && op.getNumDpsInputs() == 1 &&
         op.getNumLoops() > 0 && op.getNumParallelLoops() == 0 && !op.hasIndexSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isPermutation() && isOrderFree(op) &&
         llvm::none_of(op.getDpsInputs()[0].getUsers(), isPart);
}

/// The tensor as one row of all elements.
static Value asRow(RewriterBase &rewriter, Value tensor) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  if (rank < 2)
    return tensor;
  ReassociationIndices all = llvm::to_vector<2>(llvm::seq<int64_t>(rank));
  rewriter.setInsertionPointAfterValue(tensor);
  return tensor::CollapseShapeOp::create(rewriter, tensor.getLoc(), tensor,
                                         ArrayRef<ReassociationIndices>(all));
}

/// Computes what all `ops` do with one element, which is the first argument. The others are what
/// they have found so far.
static void cloneBodies(OpBuilder &builder, Location loc, ArrayRef<linalg::GenericOp> ops,
                        ValueRange arguments) {
  SmallVector<Value> results;
  for (linalg::GenericOp op : ops) {
    IRMapping mapping;
    mapping.map(op.getRegionInputArgs()[0], arguments[0]);
    mapping.map(op.getRegionOutputArgs(), arguments.slice(1 + results.size(), op.getNumDpsInits()));
    for (Operation &inner : op.getBody()->without_terminator())
      builder.clone(inner, mapping);
    for (Value result : op.getBody()->getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(result));
  }
  linalg::YieldOp::create(builder, loc, results);
}

/// One op on a row in place of all `ops` on a tensor, at the first one of them.
static void reduceOnce(RewriterBase &rewriter, ArrayRef<linalg::GenericOp> ops) {
  linalg::GenericOp first = ops.front();
  Value row = asRow(rewriter, first.getDpsInputs()[0]);
  SmallVector<Value> outputs;
  for (linalg::GenericOp op : ops)
    llvm::append_range(outputs, op.getDpsInits());
  SmallVector<AffineMap> maps(1 + outputs.size(), AffineMap::get(1, 0, rewriter.getContext()));
  maps[0] = rewriter.getMultiDimIdentityMap(1);
  rewriter.setInsertionPoint(first);
  auto made = linalg::GenericOp::create(
      rewriter, first.getLoc(), TypeRange(ValueRange(outputs)), row, outputs, maps,
      ArrayRef(utils::IteratorType::reduction),
      [&](OpBuilder &b, Location loc, ValueRange args) { cloneBodies(b, loc, ops, args); });
  ValueRange left = made.getResults();
  for (linalg::GenericOp op : ops) {
    rewriter.replaceOp(op, left.take_front(op->getNumResults()));
    left = left.drop_front(op->getNumResults());
  }
}

void ucmoh::reduceWholes(RewriterBase &rewriter, Operation *root) {
  using Group = SmallVector<linalg::GenericOp>;
  SmallVector<Group> groups;
  root->walk([&](linalg::GenericOp op) {
    if (!isOfWhole(op))
      return;
    auto *group = llvm::find_if(groups, [&](const Group &group) {
      linalg::GenericOp first = group.front();
      return first.getDpsInputs()[0] == op.getDpsInputs()[0] &&
             first->getBlock() == op->getBlock() &&
             succeeded(moveOperationDependencies(rewriter, op, first));
    });
    if (group == groups.end())
      groups.push_back({op});
    else
      group->push_back(op);
  });
  for (const Group &group : groups)
    reduceOnce(rewriter, group);
}
