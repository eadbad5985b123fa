//===- PassKernels.cpp - What the model says of kernels, for passes that run before any is chosen
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassKernels.h"
#include "mlir/IR/Diagnostics.h"
#include "ucmoh/Analysis/Choice.h"

using namespace mlir;
using namespace ucmoh;

FailureOr<std::shared_ptr<PassKernels>> PassKernels::load(Operation *op,
                                                          const PassTarget &passTarget,
                                                          StringRef model, int64_t threads,
                                                          StringRef choices) {
  FailureOr<Target> target = passTarget.of(op);
  if (failed(target))
    return failure();
  if (target->device)
    return std::shared_ptr<PassKernels>();
  target->threads = threads;
  ChoiceFile pinned;
  if (!choices.empty() && failed(pinned.read(choices, op->getContext())))
    return failure();
  std::string error;
  std::unique_ptr<CostModel> costModel = createModelFor(*target, model, error);
  if (!costModel)
    return emitError(UnknownLoc::get(op->getContext()), error);
  return std::make_shared<PassKernels>(
      PassKernels{BestKernels(*target, std::move(costModel)), std::move(pinned)});
}

FailureOr<PassKernels *> KernelsOnDemand::get(Operation *op, const PassTarget &passTarget,
                                              StringRef model, int64_t threads, StringRef choices) {
  if (!isLoaded) {
    auto made = PassKernels::load(op, passTarget, model, threads, choices);
    if (failed(made))
      return failure();
    kernels = *made;
    isLoaded = true;
  }
  return kernels.get();
}
