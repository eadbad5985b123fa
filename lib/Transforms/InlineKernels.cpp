//===- InlineKernels.cpp - Kernels replaced by their bodies
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineKernels.h"
#include "KernelGroups.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_INLINEKERNELS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

static void inlineKernel(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  body.getTerminator()->erase();
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), kernel.getOperands()))
    argument.replaceAllUsesWith(operand);
  kernel->getBlock()->getOperations().splice(kernel->getIterator(), body.getOperations());
  kernel->erase();
}

/// The constants of a kernel that become arguments.
static SmallVector<Operation *> varyingOf(const KernelGroup &group, KernelOp kernel) {
  SmallVector<Operation *> ops = opsOf(kernel);
  return llvm::map_to_vector(group.varying, [&](unsigned position) { return ops[position]; });
}

/// A function of the first kernel's body.
static func::FuncOp outline(const KernelGroup &group, SymbolTable &symbols) {
  KernelOp kernel = group.kernels.front();
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  auto caller = kernel->getParentOfType<func::FuncOp>();
  SmallVector<Type> inputs(kernel->getOperandTypes());
  Block &body = kernel.getBody().front();
  for (Operation *constant : varyingOf(group, kernel)) {
    inputs.push_back(constant->getResult(0).getType());
    constant->getResult(0).replaceAllUsesWith(body.addArgument(inputs.back(), loc));
    constant->erase();
  }
  auto function = func::FuncOp::create(loc, (caller.getName() + "." + kernel.getKind()).str(),
                                       builder.getFunctionType(inputs, {}));
  function.setPrivate();
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"})); // LLVM's attributes
  builder.setInsertionPoint(body.getTerminator());
  func::ReturnOp::create(builder, loc);
  body.getTerminator()->erase();
  function.getBody().takeBody(kernel.getBody());
  symbols.insert(function, caller->getIterator());
  return function;
}

/// One function for all kernels of the group: it is compiled once. What varies is passed.
static LogicalResult replaceByCalls(const KernelGroup &group, SymbolTable &symbols) {
  SmallVector<SmallVector<Value>> arguments;
  for (KernelOp kernel : group.kernels) {
    auto caller = kernel->getParentOfType<func::FuncOp>();
    if (!caller || caller->getParentOp() != symbols.getOp())
      return kernel.emitOpError("is outlined, and must be in a function of the module for that");
    OpBuilder builder(kernel);
    arguments.emplace_back(kernel->getOperands());
    for (Operation *constant : varyingOf(group, kernel))
      arguments.back().push_back(builder.clone(*constant)->getResult(0));
  }
  func::FuncOp function = outline(group, symbols);
  for (auto [kernel, values] : llvm::zip_equal(group.kernels, arguments)) {
    OpBuilder builder(kernel);
    func::CallOp::create(builder, kernel->getLoc(), function, values);
    kernel->erase();
  }
  return success();
}

/// A kernel that must be a function, because what it needs of registers holds for all of it, or
/// one that occurs more than once, or any one of a function in `networks`.
static bool becomesFunction(const KernelGroup &group, const DenseSet<Operation *> &networks) {
  KernelOp kernel = group.kernels.front();
  auto caller = kernel->getParentOfType<func::FuncOp>();
  bool isOutermost = caller && isa_and_nonnull<ModuleOp>(caller->getParentOp());
  return kernel.getOutlined() ||
         ((group.kernels.size() > 1 || networks.contains(caller)) && isOutermost);
}

/// Functions with several kernels.
static DenseSet<Operation *> findNetworks(ArrayRef<KernelOp> kernels) {
  DenseMap<Operation *, unsigned> counts;
  DenseSet<Operation *> networks;
  for (KernelOp kernel : kernels)
    if (auto caller = kernel->getParentOfType<func::FuncOp>(); ++counts[caller] > 1)
      networks.insert(caller);
  return networks;
}

LogicalResult ucmoh::inlineKernels(ModuleOp module, bool outlineNetworks) {
  SymbolTable symbols(module);
  SmallVector<KernelOp> kernels;
  module.walk([&](KernelOp op) { kernels.push_back(op); });
  for (KernelOp kernel : kernels)
    if (kernel.getNumResults() != 0)
      return kernel.emitOpError("works on tensors; bufferize first");
  DenseSet<Operation *> networks;
  if (outlineNetworks)
    networks = findNetworks(kernels);
  for (const KernelGroup &group : groupKernels(kernels)) {
    if (becomesFunction(group, networks)) {
      if (failed(replaceByCalls(group, symbols)))
        return failure();
      continue;
    }
    for (KernelOp kernel : group.kernels)
      inlineKernel(kernel);
  }
  return success();
}

namespace {
struct InlineKernelsPass : ucmoh::impl::InlineKernelsBase<InlineKernelsPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(inlineKernels(getOperation(), outlineNetworks)))
      signalPassFailure();
  }
};
} // namespace
