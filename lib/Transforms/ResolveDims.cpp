//===- ResolveDims.cpp - Dims of results by what the results are computed from
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_RESOLVEDIMS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

/// Static functions have no such op, and are not to be searched for patterns.
static bool asksForDims(func::FuncOp function) {
  return function.walk([](tensor::DimOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

namespace {
struct ResolveDimsPass : ucmoh::impl::ResolveDimsBase<ResolveDimsPass> {
  using Base::Base;
  void runOnOperation() override {
    if (!asksForDims(getOperation()))
      return;
    RewritePatternSet patterns(&getContext());
    scf::populateSCFForLoopCanonicalizationPatterns(patterns);
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
