//===- ParsedTask.cpp - A task as IR and as a workload
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParsedTask.h"
#include "../PreparedModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace ucmoh;

llvm::Expected<ParsedTask> ParsedTask::parse(MLIRContext &context, const CollectTask &task) {
  ParsedTask parsed;
  parsed.plain = parseSourceString<ModuleOp>(task.ir, &context, task.name);
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
  parsed.prepared->walk([&](linalg::LinalgOp op) {
    if (!isContractionLike(op))
      return;
    WorkloadOrReason analyzed = analyzeWorkload(op);
    parsed.workload = analyzed.workload;
    parsed.reason = analyzed.reason;
  });
  return parsed;
}
