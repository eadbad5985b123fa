//===- SumRows.cpp - Products that are sums over rows as they lie
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_SUMROWS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// The loops of the workload's dims.
static SmallVector<utils::IteratorType> iteratorsOf(const Workload &workload) {
  return llvm::map_to_vector(workload.dims, [](const Dim &dim) {
    return dim.role == DimRole::K ? utils::IteratorType::reduction : utils::IteratorType::parallel;
  });
}

/// The same sums, of the operands in memory: what moves their elements before the product is not
/// computed for it.
static void readInPlace(RewriterBase &rewriter, linalg::LinalgOp op, const Workload &workload) {
  rewriter.setInsertionPoint(op);
  Value init = op.getDpsInits().front();
  auto sum = linalg::GenericOp::create(
      rewriter, op.getLoc(), init.getType(), ValueRange{workload.lhs.value, workload.rhs.value},
      init, {workload.lhs.map, workload.rhs.map, workload.acc.map}, iteratorsOf(workload),
      [](OpBuilder &builder, Location loc, ValueRange values) {
        Value product = arith::MulFOp::create(builder, loc, values[0], values[1]);
        Value next = arith::AddFOp::create(builder, loc, values[2], product);
        linalg::YieldOp::create(builder, loc, next);
      });
  sum->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, sum->getResults());
}

namespace {
struct SumRowsPass : TargetPass<ucmoh::impl::SumRowsBase<SumRowsPass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &target) override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      if (op->hasAttr("ucmoh.choice"))
        continue;
      WorkloadOrReason analyzed = analyzeWorkload(op);
      if (analyzed && isSumOfRows(*analyzed.workload, target))
        readInPlace(rewriter, op, *analyzed.workload);
    }
    return success();
  }
};
} // namespace
