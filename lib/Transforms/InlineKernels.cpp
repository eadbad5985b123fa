//===- InlineKernels.cpp - Kernels replaced by their bodies
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineKernels.h"
#include "FunctionGroup.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

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

/// A kernel that must be a function, because what it needs of registers holds for all of it, or
/// one that occurs more than once, or any one of a function in `networks`.
static bool becomesFunction(const FunctionGroup &group, const DenseSet<Operation *> &networks) {
  auto kernel = cast<KernelOp>(group.getMembers().front().op);
  auto caller = kernel->getParentOfType<func::FuncOp>();
  bool isOutermost = caller && isa_and_nonnull<ModuleOp>(caller->getParentOp());
  return kernel.getOutlined() ||
         ((group.getMembers().size() > 1 || networks.contains(caller)) && isOutermost);
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
  auto ops = llvm::map_to_vector(kernels, [](KernelOp kernel) {
    return OutlinedOp{kernel, &kernel.getBody(), llvm::to_vector(kernel.getOperands())};
  });
  for (FunctionGroup &group : FunctionGroup::groupsOf(ops)) {
    auto first = cast<KernelOp>(group.getMembers().front().op);
    if (becomesFunction(group, networks)) {
      std::string kind = first.getKind().str();
      if (failed(group.replaceByCalls(kind, symbols)))
        return failure();
      continue;
    }
    for (const OutlinedOp &member : group.getMembers())
      inlineKernel(cast<KernelOp>(member.op));
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
