//===- KernelPlan.cpp - All that a kernel is made of
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "ucmoh/Analysis/WindowReduction.h"

using namespace mlir;
using namespace ucmoh;

SmallVector<Operand> KernelPlan::extras() const {
  SmallVector<Operand> all;
  if (init)
    all.push_back(*init);
  llvm::append_range(all, addends);
  llvm::append_range(all, epilogue.extras);
  return all;
}

FailureOr<KernelPlan> ucmoh::planKernel(linalg::LinalgOp op, ChoiceAttr choice,
                                        const Target &target) {
  WorkloadOrReason analyzed = analyzeTask(op);
  if (!analyzed)
    return op.emitOpError("carries a ucmoh.choice but cannot be tensorized: ") << analyzed.reason;
  std::string error;
  FailureOr<Candidate> candidate = Candidate::fromAttr(choice, target, error);
  if (failed(candidate))
    return op.emitOpError("carries an unusable ucmoh.choice: ") << error;
  auto refuse = [&](const Twine &why) {
    op.emitOpError("carries an illegal ucmoh.choice: ") << why;
  };
  if (failed(verifyCandidate(*analyzed.workload, *candidate, refuse)))
    return failure();
  KernelPlan plan;
  plan.workload = *analyzed.workload;
  plan.candidate = *candidate;
  if (plan.workload.isDepthwise)
    return plan;
  plan.rowsMayRepeat = mayRepeatRows(plan.workload, *candidate->intrinsic);
  plan.findNest(op);
  return plan;
}

void KernelPlan::findNest(linalg::LinalgOp op) {
  nest = buildNest(workload, candidate.packLhs, candidate.packRhs);
  epilogue = findEpilogue(op, workload, nest);
}

Operation *ucmoh::lastOf(const KernelPlan &plan, linalg::LinalgOp op) {
  linalg::GenericOp consumer = plan.epilogue.consumer;
  return consumer ? consumer.getOperation() : op.getOperation();
}

SmallVector<RowReduction> ucmoh::findRowReductions(const KernelPlan &plan, linalg::LinalgOp op) {
  KernelShape shape(plan.workload, plan.candidate, plan.rowsMayRepeat);
  return findRowReductions(lastOf(plan, op), shape);
}
