//===- Decompose.cpp - Ops that stand for several loops become those
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Borders.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ucmoh {
#define GEN_PASS_DEF_DECOMPOSE
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

/// Pads static borders. Bufferization fills as a whole what is not static yet.
static void decomposePad(IRRewriter &rewriter, tensor::PadOp pad) {
  if (!ucmoh::hasStaticBorder(pad))
    return;
  Value bordered = ucmoh::createBorder(rewriter, pad);
  SmallVector<OpFoldResult> ones(pad.getSourceType().getRank(), rewriter.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(rewriter, pad.getLoc(), pad.getSource());
  rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(pad, pad.getSource(), bordered,
                                                     pad.getMixedLowPad(), sizes, ones);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Upstream's verifier accepts a softmax of integers, and its decomposition ends the process.
static LogicalResult checkElements(Operation *op) {
  auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
  if (!softmax || isa<FloatType>(getElementTypeOrSelf(softmax.getOutput())))
    return success();
  return op->emitOpError("needs elements of a float type; convert its operand first");
}

/// Upstream's decompositions, but for padding; an op that has none as it is stays, and
/// bufferization says so.
static void decompose(IRRewriter &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tensor::PadOp pad) { decomposePad(rewriter, pad); })
      .Case([&](linalg::PackOp pack) { (void)linalg::lowerPack(rewriter, pack); })
      .Case([&](linalg::UnPackOp unpack) { (void)linalg::lowerUnPack(rewriter, unpack); })
      .Case([&](linalg::AggregatedOpInterface aggregate) {
        FailureOr<SmallVector<Value>> parts = aggregate.decomposeOperation(rewriter);
        if (succeeded(parts))
          rewriter.replaceOp(op, *parts);
      });
}

namespace {
struct DecomposePass : ucmoh::impl::DecomposeBase<DecomposePass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<tensor::PadOp, linalg::PackOp, linalg::UnPackOp, linalg::AggregatedOpInterface>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      if (failed(checkElements(op)))
        return signalPassFailure();
      decompose(rewriter, op);
    }
  }
};
} // namespace
