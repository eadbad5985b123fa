//===- InlineKernels.cpp - Kernels replaced by their bodies
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineKernels.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_INLINEKERNELS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

static LogicalResult inlineKernel(KernelOp kernel) {
  if (kernel.getNumResults() != 0)
    return kernel.emitOpError("works on tensors; bufferize first");
  Block &body = kernel.getBody().front();
  body.getTerminator()->erase();
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), kernel.getOperands()))
    argument.replaceAllUsesWith(operand);
  kernel->getBlock()->getOperations().splice(kernel->getIterator(), body.getOperations());
  kernel.erase();
  return success();
}

LogicalResult ucmoh::inlineKernels(Operation *root) {
  SmallVector<KernelOp> kernels;
  root->walk([&](KernelOp op) { kernels.push_back(op); });
  for (KernelOp kernel : kernels)
    if (failed(inlineKernel(kernel)))
      return failure();
  return success();
}

namespace {
struct InlineKernelsPass : ucmoh::impl::InlineKernelsBase<InlineKernelsPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(inlineKernels(getOperation())))
      signalPassFailure();
  }
};
} // namespace
