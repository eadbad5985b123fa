//===- PreparedModule.cpp - A module in which choices can be pinned
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Transforms/PreparedModule.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Transforms/Pipeline.h"

using namespace mlir;
using namespace ucmoh;

llvm::Expected<OwningOpRef<ModuleOp>> ucmoh::prepareModule(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext());
  buildPreparePipeline(manager);
  if (failed(manager.run(*copy)))
    return llvm::createStringError("the passes before the selection failed");
  return copy;
}
