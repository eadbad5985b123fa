//===- Tune.cpp - Which configurations the contractions of a module get
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/Tune.h"
#include "CompilationInfo.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;

static bool isSame(linalg::LinalgOp one, linalg::LinalgOp other) {
  return one.getIndexingMaps() == other.getIndexingMaps() &&
         one->getOperandTypes() == other->getOperandTypes();
}

/// What ranks configurations for the op, or why there are none for such ops.
static llvm::Expected<decltype(&tuneForCpu)> tunerOf(linalg::LinalgOp op, const Target &target) {
  auto dims = dimsOf(op);
  if (dims)
    return target.device ? tuneForDevice : tuneForCpu;
  if (target.device)
    return dims.takeError();
  llvm::consumeError(dims.takeError());
  if (auto convolution = convolutionDimsOf(op); !convolution)
    return convolution.takeError();
  return tuneConvolution;
}

/// An op with its configurations, or why there are none.
static llvm::Expected<TunedOp> tuneOp(linalg::LinalgOp op, const TuneOptions &options) {
  WorkloadOrReason analyzed = analyzeWorkload(op);
  if (!analyzed)
    return llvm::createStringError(analyzed.reason);
  auto tuner = tunerOf(op, options.target);
  if (!tuner)
    return tuner.takeError();
  std::string reason;
  Tuning tuning = (*tuner)(op, *analyzed.workload, options, reason);
  if (tuning.ranked.empty())
    return llvm::createStringError(reason);
  return TunedOp{{op}, analyzed.workload->name(), std::move(tuning)};
}

TunedOps ucmoh::tune(ModuleOp module, const TuneOptions &options) {
  TunedOps result;
  module.walk([&](Operation *op) {
    if (!isContractionLike(op))
      return;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp) {
      result.left.push_back({op, "it is no structured op"});
      return;
    }
    auto known = llvm::find_if(
        result.tuned, [&](TunedOp &tuned) { return isSame(tuned.places.front(), linalgOp); });
    if (known != result.tuned.end())
      known->places.push_back(linalgOp);
    else if (auto tuned = tuneOp(linalgOp, options))
      result.tuned.push_back(std::move(*tuned));
    else
      result.left.push_back({op, llvm::toString(tuned.takeError())});
  });
  return result;
}
