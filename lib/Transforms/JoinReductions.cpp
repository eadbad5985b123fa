//===- JoinReductions.cpp - Which reductions kernels take in
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "Tile/KernelPlan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_JOINREDUCTIONS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Marks the reductions of what `op` computes that pay, unless the user has said so.
static LogicalResult join(linalg::LinalgOp op, const Target &target) {
  auto choice = op->getAttrOfType<ChoiceAttr>("ucmoh.choice");
  if (!choice)
    return success(); // ucmoh-tile says so
  FailureOr<KernelPlan> plan = planKernel(op, choice, target);
  if (failed(plan))
    return failure();
  if (plan->workload.isDepthwise)
    return success();
  for (RowReduction &reduction : findRowReductions(*plan, op))
    if (!reduction.op->hasAttr(inStoreMark) &&
        paysInStore(reduction, plan->candidate, target.machine))
      reduction.op->setAttr(inStoreMark, BoolAttr::get(op.getContext(), true));
  return success();
}

namespace {
struct JoinReductionsPass : TargetPass<ucmoh::impl::JoinReductionsBase<JoinReductionsPass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &resolved) override {
    for (linalg::LinalgOp op : opsWithChoice(getOperation()))
      if (failed(join(op, resolved)))
        return failure();
    return success();
  }
};
} // namespace
