//===- Score.cpp - What the cost model predicts for kernels in the IR
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ToolOutputFile.h"

namespace ucmoh {
#define GEN_PASS_DEF_SCORE
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Each ucmoh.kernel that computes, and each function that computes outside of one.
static SmallVector<Operation *> findKernels(Operation *module) {
  llvm::SetVector<Operation *> kernels;
  module->walk([&](ComputeOp op) {
    if (auto kernel = op->getParentOfType<KernelOp>())
      kernels.insert(kernel);
    else if (auto function = op->getParentOfType<func::FuncOp>())
      kernels.insert(function);
  });
  return kernels.takeVector();
}

namespace {
struct ScorePass : ucmoh::impl::ScoreBase<ScorePass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return passTarget.initialize(context, target);
  }

  /// The target and the model that suits it.
  LogicalResult prepare() {
    FailureOr<Target> found = passTarget.of(getOperation());
    if (failed(found))
      return failure();
    resolved = *found;
    std::string error;
    costModel = createModelFor(resolved, model, error);
    return costModel ? success() : emitError(UnknownLoc::get(&getContext()), error);
  }

  void runOnOperation() override {
    if (failed(prepare()))
      return signalPassFailure();
    std::error_code error;
    std::optional<llvm::ToolOutputFile> file;
    if (!features.empty())
      file.emplace(features, error, llvm::sys::fs::OF_Text);
    if (error) {
      getOperation()->emitError("cannot write ") << features << ": " << error.message();
      return signalPassFailure();
    }
    for (Operation *kernel : findKernels(getOperation()))
      if (failed(score(kernel, file ? &file->os() : nullptr)))
        return signalPassFailure();
    if (file)
      file->keep();
    markAllAnalysesPreserved();
  }

  /// The one intrinsic that the kernel executes.
  const Intrinsic *findIntrinsicOf(Operation *kernel) {
    const Intrinsic *found = nullptr;
    WalkResult walked = kernel->walk([&](ComputeOp op) {
      auto known = llvm::find_if(resolved.intrinsics, [&](const Intrinsic &intrinsic) {
        return intrinsic.getSymbol() == op.getIntrinsic();
      });
      if (known == resolved.intrinsics.end())
        return op.emitError("the target has no intrinsic ") << op.getIntrinsic(),
               WalkResult::interrupt();
      if (found && found != &*known)
        return op.emitError("a program has one intrinsic, but this kernel executes several"),
               WalkResult::interrupt();
      found = &*known;
      return WalkResult::advance();
    });
    return walked.wasInterrupted() ? nullptr : found;
  }

  LogicalResult score(Operation *kernel, raw_ostream *os) {
    const Intrinsic *intrinsic = findIntrinsicOf(kernel);
    if (!intrinsic)
      return failure();
    FailureOr<Program> program = readProgram(kernel, *resolved.library);
    if (failed(program))
      return failure();
    if (!knowsThreads(*costModel, program->threads))
      program = programOfBusiest(*program);
    ProgramFeatures rows = extractFeatures(*program, *intrinsic, resolved.machine);
    if (rows.empty())
      return kernel->emitError("nothing in this kernel loads, computes and stores");
    double seconds = predictSeconds(rows, resolved, *costModel);
    mlir::emitRemark(kernel->getLoc())
        << llvm::formatv("{0}: {1:f2} us predicted for {2} by {3}; {4} loops, {5} statements",
                         intrinsic->id(), seconds * 1e6, resolved.machineId(), costModel->getName(),
                         program->loops.size(), program->statements.size());
    if (os)
      *os << llvm::json::Value(llvm::json::Object{{"intrinsic", intrinsic->id()},
                                                  {"predicted_seconds", seconds},
                                                  {"model", costModel->getName()},
                                                  {"features", toJson(rows)}})
          << "\n";
    return success();
  }

  PassTarget passTarget;
  Target resolved;
  std::shared_ptr<CostModel> costModel; // shared with the copies of the pass in other threads
};
} // namespace
