//===- TaskReference.cpp - What is right, and what a task is called with
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Collect/TaskReference.h"

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

llvm::Expected<std::shared_ptr<TaskReference>>
TaskReference::begin(ModuleOp plain, const std::string &entry, const TrialOptions &options) {
  auto reference = std::make_shared<TaskReference>();
  TrialOptions trial = options;
  trial.program.tensorize = false;
  auto child = startTrial(plain, entry, trial, reference->expected);
  if (!child)
    return child.takeError();
  reference->child = std::move(*child);
  auto signature = readSignature(plain.lookupSymbol<func::FuncOp>(entry));
  if (!signature)
    return signature.takeError();
  auto made = makeInputs(*signature, options.inputs);
  if (!made)
    return made.takeError();
  reference->inputs = std::move(*made);
  if (auto error = reference->child->send(json::Object{{"do", "prepare"}}))
    return std::move(error);
  return reference;
}

llvm::Error TaskReference::publish(double seconds) {
  auto prepared = child->receive(seconds);
  if (!prepared)
    return prepared.takeError();
  return child->ask(json::Object{{"do", "publish"}}, seconds).takeError();
}

llvm::Error TaskReference::await(double seconds) {
  if (child) {
    if (auto error = publish(seconds))
      failure = llvm::toString(std::move(error));
    child.reset();
  }
  return failure.empty() ? llvm::Error::success() : llvm::createStringError(failure);
}
