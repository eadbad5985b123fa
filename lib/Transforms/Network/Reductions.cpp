//===- Reductions.cpp - Reductions in the loop that writes what they read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Prepare/Patterns.h"
#include "Rest.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ucmoh;

/// A reduction of nothing but what `producer` computes: the sum of exponentials, which are divided
/// by it afterwards.
static OpOperand *findReduction(linalg::GenericOp producer) {
  for (OpOperand &use : producer->getUses()) {
    auto consumer = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (consumer && isRest(consumer) && consumer->getBlock() == producer->getBlock() &&
        consumer.getNumReductionLoops() > 0 && consumer.getNumDpsInputs() == 1 &&
        consumer.isDpsInput(&use) && consumer.getMatchingIndexingMap(&use).isPermutation() &&
        mayBecomeOne(producer, consumer))
      return &use;
  }
  return nullptr;
}

/// Computes both in one loop, which writes what others read too.
static void reduceWhileWriting(RewriterBase &rewriter, linalg::GenericOp producer,
                               DominanceInfo &dominance) {
  OpOperand *use = findReduction(producer);
  if (!use || !linalg::areElementwiseOpsFusable(use))
    return;
  auto consumer = cast<linalg::GenericOp>(use->getOwner());
  if (failed(moveValueDefinitions(rewriter, consumer.getDpsInits(), producer, dominance)))
    return;
  rewriter.setInsertionPoint(producer);
  FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, use);
  if (failed(fused))
    return;
  for (auto [value, replacement] : fused->replacements)
    rewriter.replaceAllUsesWith(value, replacement);
  rewriter.eraseOp(consumer);
  rewriter.eraseOp(producer);
}

void ucmoh::reduceInRows(RewriterBase &rewriter, Operation *root) {
  SmallVector<linalg::GenericOp> producers;
  root->walk([&](linalg::GenericOp op) {
    if (isRest(op) && isInRows(op) && op.hasPureTensorSemantics() && !op->use_empty() &&
        op.getNumReductionLoops() == 0)
      producers.push_back(op);
  });
  DominanceInfo dominance;
  for (linalg::GenericOp producer : producers)
    reduceWhileWriting(rewriter, producer, dominance);
}
