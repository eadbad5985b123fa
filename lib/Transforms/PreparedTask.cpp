//===- PreparedTask.cpp - A task as IR and as a workload
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Transforms/PreparedTask.h"
#include "Pieces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "ucmoh/Transforms/Passes.h"
#include "ucmoh/Transforms/Pipeline.h"

using namespace mlir;
using namespace ucmoh;

static llvm::Expected<OwningOpRef<ModuleOp>> runOnCopy(PassManager &manager, ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(manager.run(*copy)))
    return llvm::createStringError("the passes before the selection failed");
  return copy;
}

llvm::Expected<OwningOpRef<ModuleOp>> ucmoh::prepareModule(ModuleOp module) {
  PassManager manager(module.getContext());
  buildPreparePipeline(manager);
  return runOnCopy(manager, module);
}

llvm::Expected<OwningOpRef<ModuleOp>> ucmoh::prepareModule(ModuleOp module,
                                                           const std::string &target,
                                                           const std::string &model,
                                                           int64_t threads) {
  PassManager manager(module.getContext());
  buildPreparePipeline(manager);
  manager.addPass(createWinograd({target, model, threads, /*choices=*/""}));
  return runOnCopy(manager, module);
}

llvm::Expected<PreparedTask> PreparedTask::parse(MLIRContext &context, StringRef ir,
                                                 StringRef name) {
  PreparedTask parsed;
  parsed.plain = parseSourceString<ModuleOp>(ir, &context, name);
  if (!parsed.plain)
    return llvm::createStringError("the task's ir is not valid");
  auto functions = llvm::to_vector(parsed.plain->getOps<func::FuncOp>());
  if (functions.size() != 1)
    return llvm::createStringError("a task needs exactly one function");
  parsed.entry = functions.front().getSymName().str();
  auto made = prepareModule(*parsed.plain);
  if (!made)
    return made.takeError();
  parsed.prepared = std::move(*made);
  parsed.reason = "it has no contraction";
  parsed.prepared->walk([&](linalg::LinalgOp op) {
    if (!isContractionLike(op))
      return;
    if (op->getParentOp()->hasAttr(piecesMark)) {
      parsed.reason = "a dimension is dynamic";
      return;
    }
    WorkloadOrReason analyzed = analyzeTask(op);
    parsed.workload = analyzed.workload;
    parsed.reason = analyzed.reason;
  });
  return parsed;
}
