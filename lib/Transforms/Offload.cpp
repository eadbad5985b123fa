//===- Offload.cpp - What runs on a device, and how the host starts it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace ucmoh {
#define GEN_PASS_DEF_ATTACHDEVICE
#define GEN_PASS_DEF_LOWERLAUNCHES
#define GEN_PASS_DEF_SHAREDMEMORYSYMBOLS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Constants lie in memory that a device does not see: launches get copies of them.
static void copyGlobals(gpu::LaunchFuncOp launch) {
  OpBuilder builder(launch);
  for (OpOperand &operand : launch.getKernelOperandsMutable()) {
    auto global = operand.get().getDefiningOp<memref::GetGlobalOp>();
    if (!global)
      continue;
    auto type = cast<MemRefType>(global.getType());
    Value copy = memref::AllocOp::create(builder, launch.getLoc(),
                                         MemRefType::get(type.getShape(), type.getElementType()),
                                         ValueRange(), builder.getI64IntegerAttr(64));
    memref::CopyOp::create(builder, launch.getLoc(), global, copy);
    operand.set(copy);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(launch);
    memref::DeallocOp::create(builder, launch.getLoc(), copy);
  }
}

/// Functions of MLIR have names that a device's assembler does not take, such as "main.contract".
static LogicalResult nameForAssembler(gpu::GPUFuncOp kernel, ModuleOp module) {
  std::string name = kernel.getName().str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  auto owner = kernel->getParentOfType<gpu::GPUModuleOp>();
  while (name != kernel.getName() && SymbolTable::lookupSymbolIn(owner, name))
    name += '_';
  auto named = StringAttr::get(module.getContext(), name);
  if (failed(SymbolTable::replaceAllSymbolUses(kernel, named, module)))
    return kernel.emitOpError("has a name that cannot be replaced");
  kernel.setName(named);
  return success();
}

namespace {
struct AttachDevicePass : TargetPass<ucmoh::impl::AttachDeviceBase<AttachDevicePass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &resolved) override {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>()) {
      if (!isa_and_nonnull<gpu::TargetAttrInterface>(resolved.device))
        return module.emitOpError("holds kernels of a device, but target ")
               << describeTarget(resolved, target) << " has none that this tool can compile for";
      module.setTargetsAttr(ArrayAttr::get(&getContext(), resolved.device));
      for (auto kernel : module.getOps<gpu::GPUFuncOp>())
        if (failed(nameForAssembler(kernel, getOperation())))
          return failure();
    }
    getOperation()->walk(copyGlobals);
    getOperation()->removeAttr("ucmoh.target"); // later passes know no ucmoh
    return success();
  }
};

struct SharedMemorySymbolsPass : ucmoh::impl::SharedMemorySymbolsBase<SharedMemorySymbolsPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([](LLVM::GlobalOp global) {
      auto type = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
      if (type && type.getNumElements() == 0)
        global.setLinkage(LLVM::Linkage::External);
    });
  }
};

struct LowerLaunchesPass : ucmoh::impl::LowerLaunchesBase<LowerLaunchesPass> {
  using Base::Base;
  void runOnOperation() override {
    if (getOperation().getOps<gpu::BinaryOp>().empty())
      return;
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createGpuToLLVMConversionPass());
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }
};
} // namespace
