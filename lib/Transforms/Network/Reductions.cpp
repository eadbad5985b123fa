//===- Reductions.cpp - Reductions in the loop that writes what they read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Prepare/Patterns.h"
#include "Rest.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace ucmoh;

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
