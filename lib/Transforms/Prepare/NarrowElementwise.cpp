//===- NarrowElementwise.cpp - Integers of elementwise ops in 32 bits
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Another op may take the address of an erased one, and must not inherit its ranges.
struct ForgetErased : RewriterBase::Listener {
  explicit ForgetErased(DataFlowSolver &solver) : solver(solver) {}
  void notifyOperationErased(Operation *op) override {
    solver.eraseState(solver.getProgramPointAfter(op));
    for (Value result : op->getResults())
      solver.eraseState(result);
  }
  DataFlowSolver &solver;
};
} // namespace

/// What contractions compute is for their analysis to read, and positions are no data.
static bool isElementwise(linalg::GenericOp op) {
  return op.getNumReductionLoops() == 0 && !op.hasIndexSemantics();
}

LogicalResult ucmoh::narrowElementwise(Operation *root) {
  SmallVector<Operation *> bodies;
  root->walk([&](linalg::GenericOp op) {
    if (isElementwise(op))
      for (Operation &inner : op.getBody()->without_terminator())
        bodies.push_back(&inner);
  });
  if (bodies.empty())
    return success();
  DataFlowSolver solver;
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(root)))
    return failure();
  RewritePatternSet patterns(root->getContext());
  arith::populateIntRangeNarrowingPatterns(patterns, solver, {32});
  arith::TruncIOp::getCanonicalizationPatterns(patterns, root->getContext()); // of extensions
  ForgetErased listener(solver);
  return applyOpPatternsGreedily(bodies, std::move(patterns),
                                 GreedyRewriteConfig().setListener(&listener).setStrictness(
                                     GreedyRewriteStrictness::ExistingAndNewOps));
}
