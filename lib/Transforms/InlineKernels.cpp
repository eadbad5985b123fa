//===- InlineKernels.cpp - Kernels replaced by their bodies
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineKernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_INLINEKERNELS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

static LogicalResult inlineKernel(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  body.getTerminator()->erase();
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), kernel.getOperands()))
    argument.replaceAllUsesWith(operand);
  kernel->getBlock()->getOperations().splice(kernel->getIterator(), body.getOperations());
  return success();
}

/// A function of the kernel's body, which stays one: what it needs of registers holds for all of
/// it.
static LogicalResult outlineKernel(KernelOp kernel, SymbolTable &symbols) {
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  auto caller = kernel->getParentOfType<func::FuncOp>();
  if (!caller || caller->getParentOp() != symbols.getOp())
    return kernel.emitOpError("is outlined, and must be in a function of the module for that");
  auto type = builder.getFunctionType(llvm::to_vector(kernel->getOperandTypes()), {});
  auto function =
      func::FuncOp::create(loc, (caller.getName() + "." + kernel.getKind()).str(), type);
  function.setPrivate();
  function.setNoInline(true);
  function.getBody().takeBody(kernel.getBody());
  Operation *terminator = function.front().getTerminator();
  builder.setInsertionPoint(terminator);
  func::ReturnOp::create(builder, loc);
  terminator->erase();
  symbols.insert(function, caller->getIterator());
  builder.setInsertionPoint(kernel);
  func::CallOp::create(builder, loc, function, kernel->getOperands());
  return success();
}

LogicalResult ucmoh::inlineKernels(ModuleOp module) {
  SymbolTable symbols(module);
  SmallVector<KernelOp> kernels;
  module.walk([&](KernelOp op) { kernels.push_back(op); });
  for (KernelOp kernel : kernels) {
    if (kernel.getNumResults() != 0)
      return kernel.emitOpError("works on tensors; bufferize first");
    if (failed(kernel.getOutlined() ? outlineKernel(kernel, symbols) : inlineKernel(kernel)))
      return failure();
    kernel.erase();
  }
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
