//===- Extents.cpp - Contractions of dynamic extent as pieces of static size
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks/Chain.h"
#include "Extents/CutContraction.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_EXTENTS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Whether both extents of an attention's scores are open, so that these grow with the square of a
/// length.
static bool areOpenScores(const Chain &chain) {
  return chain.isOpen() && cast<RankedTensorType>(chain.operand.getType()).getNumDynamicDims() > 1;
}

namespace {
struct ExtentsPass : ucmoh::impl::ExtentsBase<ExtentsPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : openContractions())
      if (std::optional<Chain> chain = findChain(op); chain && areOpenScores(*chain))
        computeInBlocks(rewriter, *chain, mostRows);
    SmallVector<linalg::LinalgOp> ops = openContractions();
    if (ops.empty())
      return;
    OpenExtents extents(getOperation()); // as the function is now
    SmallVector<SmallVector<ExtentRange>> ranges;
    for (linalg::LinalgOp op : ops)
      ranges.push_back(rangesOfLoops(op, extents));
    bool changed = false;
    for (auto [op, promised] : llvm::zip_equal(ops, ranges))
      changed |= succeeded(cutContraction(rewriter, op, promised));
    if (changed && failed(simplify()))
      signalPassFailure();
  }

  SmallVector<linalg::LinalgOp> openContractions() {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isContractionLike(op) && op.hasDynamicShape() && op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    return ops;
  }

  /// Removes slices that are whole tensors, and extents that are computed several times.
  LogicalResult simplify() {
    OpPassManager passes(func::FuncOp::getOperationName());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    return runPipeline(passes, getOperation());
  }
};
} // namespace
