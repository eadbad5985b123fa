//===- InlineKernels.cpp - Kernels replaced by their bodies
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineKernels.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace ucmoh {
#define GEN_PASS_DEF_INLINEKERNELS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

void ucmoh::inlineKernel(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  body.getTerminator()->erase();
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), kernel.getOperands()))
    argument.replaceAllUsesWith(operand);
  kernel->getBlock()->getOperations().splice(kernel->getIterator(), body.getOperations());
  kernel->erase();
}

LogicalResult ucmoh::inlineKernels(ModuleOp module) {
  SmallVector<KernelOp> kernels;
  module.walk([&](KernelOp op) { kernels.push_back(op); });
  for (KernelOp kernel : kernels)
    if (kernel.getNumResults() != 0)
      return kernel.emitOpError("works on tensors; bufferize first");
  llvm::for_each(kernels, inlineKernel);
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
