//===- PreparedModule.cpp - A module in which choices can be pinned
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PreparedModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "ucmoh/Transforms/Passes.h"

using namespace mlir;
using namespace ucmoh;

llvm::Expected<OwningOpRef<ModuleOp>> ucmoh::prepareModule(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addNestedPass<func::FuncOp>(createPrepare());
  if (failed(manager.run(*copy)))
    return llvm::createStringError("the passes before the selection failed");
  return copy;
}
