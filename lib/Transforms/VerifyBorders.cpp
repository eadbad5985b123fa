//===- VerifyBorders.cpp - Each open width of a border has an operand
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_VERIFYBORDERS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

static bool areGiven(ArrayRef<int64_t> widths, OperandRange operands) {
  return llvm::count_if(widths, ShapedType::isDynamic) == int64_t(operands.size());
}

namespace {
/// MLIR 22 writes an open width as the least 64-bit integer and does not verify that an operand
/// gives it; `PadOp::getMixedLowPad` reads past the operands of a border without one.
struct VerifyBordersPass : ucmoh::impl::VerifyBordersBase<VerifyBordersPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([&](tensor::PadOp op) {
      if (areGiven(op.getStaticLow(), op.getLow()) && areGiven(op.getStaticHigh(), op.getHigh()))
        return;
      op.emitOpError("has a width that is open, but no operand that gives it: write a number, "
                     "or the operand");
      signalPassFailure();
    });
  }
};
} // namespace
