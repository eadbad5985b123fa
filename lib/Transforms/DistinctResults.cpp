//===- DistinctResults.cpp - A buffer for each result
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_DISTINCTRESULTS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

namespace {
struct DistinctResultsPass : ucmoh::impl::DistinctResultsBase<DistinctResultsPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation().walk([](func::ReturnOp op) {
      OpBuilder builder(op);
      llvm::SmallPtrSet<Value, 4> seen;
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        if (seen.insert(operand.get()).second || !type)
          continue;
        operand.set(bufferization::AllocTensorOp::create(builder, op.getLoc(), type, ValueRange(),
                                                         /*copy=*/operand.get()));
      }
    });
  }
};
} // namespace
