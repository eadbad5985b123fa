//===- Extents.cpp - Contractions of dynamic extent as pieces of static size
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

namespace {
struct ExtentsPass : ucmoh::impl::ExtentsBase<ExtentsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isContractionLike(op) && op.hasDynamicShape() && op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    OpenExtents extents(getOperation()); // as the function is now
    SmallVector<SmallVector<ExtentRange>> ranges;
    for (linalg::LinalgOp op : ops)
      ranges.push_back(rangesOfLoops(op, extents));
    bool changed = false;
    IRRewriter rewriter(&getContext());
    for (auto [op, promised] : llvm::zip_equal(ops, ranges))
      changed |= succeeded(cutContraction(rewriter, op, promised));
    if (changed && failed(simplify()))
      signalPassFailure();
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
