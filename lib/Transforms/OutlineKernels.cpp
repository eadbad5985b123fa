//===- OutlineKernels.cpp - Kernels that call functions
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineKernels.h"
#include "FunctionGroup.h"
#include "InlineKernels.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace ucmoh {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// The work of a kernel as a kernel on its buffers, which is all that its body is then.
static KernelOp moveIntoBody(KernelOp kernel) {
  Region work;
  work.takeBody(kernel.getBody());
  OpBuilder builder(kernel.getContext());
  Location loc = kernel.getLoc();
  TypeRange types = work.getArgumentTypes();
  Block *body =
      builder.createBlock(&kernel.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
  ValueRange buffers = body->getArguments();
  size_t inputs = kernel.getInputs().size();
  auto inner =
      KernelOp::create(builder, loc, TypeRange(), buffers.take_front(inputs),
                       buffers.drop_front(inputs), kernel.getKindAttr(), kernel.getChoiceAttr(),
                       kernel.getWorkloadAttr(), kernel.getOutlinedAttr());
  YieldOp::create(builder, loc, ValueRange());
  inner.getBody().takeBody(work);
  kernel.setOutlined(false);
  return inner;
}

/// Whether it was outlined before.
static bool callsFunction(KernelOp kernel) {
  return !kernel.getBody().getOps<func::CallOp>().empty();
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

/// @NAME.pack is what packs the weights of @NAME.
static StringRef nameOf(KernelOp kernel) {
  return kernel.getKind() == "pack" ? "pack_operand" : kernel.getKind();
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

LogicalResult ucmoh::outlineKernels(ModuleOp module, bool outlineNetworks) {
  SymbolTable symbols(module);
  SmallVector<KernelOp> kernels;
  module.walk([&](KernelOp op) { kernels.push_back(op); });
  DenseSet<Operation *> networks;
  if (outlineNetworks)
    networks = findNetworks(kernels);
  llvm::erase_if(kernels, callsFunction);
  auto ops = llvm::map_to_vector(kernels, [](KernelOp kernel) {
    KernelOp inner = moveIntoBody(kernel);
    return OutlinedOp{inner, &inner.getBody(), llvm::to_vector(inner.getOperands())};
  });
  for (FunctionGroup &group : FunctionGroup::groupsOf(ops)) {
    if (becomesFunction(group, networks)) {
      std::string name = nameOf(cast<KernelOp>(group.getMembers().front().op)).str();
      if (failed(group.replaceByCalls(name, symbols)))
        return failure();
      continue;
    }
    for (const OutlinedOp &member : group.getMembers())
      inlineKernel(cast<KernelOp>(member.op));
  }
  return success();
}

namespace {
struct OutlineKernelsPass : ucmoh::impl::OutlineKernelsBase<OutlineKernelsPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(outlineKernels(getOperation(), outlineNetworks)))
      signalPassFailure();
  }
};
} // namespace
