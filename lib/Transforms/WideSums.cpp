//===- WideSums.cpp - Sums of narrow floats, computed in f32 and rounded once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/Patterns.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/ElementType.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_WIDESUMS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Whether the op rounds a sum or a product to 16 bits after each step of a reduction. Contractions
/// are not looked at: an intrinsic has its own accumulators.
static bool isNarrowSum(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      !isFloat16(getElementTypeOrSelf(op.getDpsInits()[0])) || isContractionLike(op))
    return false;
  SmallVector<Operation *> combiners;
  return matchReduction(op.getRegionOutputArgs(), 0, combiners) && combiners.size() == 1 &&
         isa<arith::AddFOp, arith::MulFOp>(combiners.front());
}

/// What the reduction starts from, in f32.
static Value widenInit(OpBuilder &builder, Value init) {
  auto type = cast<RankedTensorType>(init.getType()).clone(builder.getF32Type());
  auto fill = init.getDefiningOp<linalg::FillOp>();
  FloatAttr number;
  if (!fill || !matchPattern(fill.value(), m_Constant(&number)))
    return arith::ExtFOp::create(builder, init.getLoc(), type, init);
  Value wide = arith::ConstantOp::create(
      builder, fill.getLoc(), builder.getF32FloatAttr(number.getValue().convertToFloat()));
  Value empty = tensor::EmptyOp::create(builder, fill.getLoc(),
                                        tensor::getMixedSizes(builder, init.getLoc(), init),
                                        builder.getF32Type());
  return linalg::FillOp::create(builder, fill.getLoc(), wide, empty).getResult(0);
}

/// Makes the last argument of the body, and the op that combines it with the others, f32.
static void widenBody(linalg::GenericOp op) {
  BlockArgument sum = op.getBody()->getArguments().back();
  Operation *combiner = *sum.getUsers().begin();
  OpBuilder builder(combiner);
  sum.setType(builder.getF32Type());
  for (OpOperand &operand : combiner->getOpOperands())
    if (operand.get() != sum)
      operand.set(arith::ExtFOp::create(builder, combiner->getLoc(), sum.getType(), operand.get()));
  combiner->getResult(0).setType(sum.getType());
}

static void widen(RewriterBase &rewriter, linalg::LinalgOp op) {
  rewriter.setInsertionPoint(op);
  auto narrow = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!narrow)
    narrow = *linalg::generalizeNamedOp(rewriter, op);
  rewriter.setInsertionPoint(narrow);
  Value init = widenInit(rewriter, narrow.getDpsInits()[0]);
  auto wide = linalg::GenericOp::create(rewriter, narrow.getLoc(), init.getType(),
                                        narrow.getDpsInputs(), init, narrow.getIndexingMapsArray(),
                                        narrow.getIteratorTypesArray());
  rewriter.inlineRegionBefore(narrow.getRegion(), wide.getRegion(), wide.getRegion().begin());
  widenBody(wide);
  copyMarks(narrow, wide);
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(narrow, narrow.getResult(0).getType(),
                                               wide.getResult(0));
}

namespace {
struct WideSumsPass : ucmoh::impl::WideSumsBase<WideSumsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> sums;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isNarrowSum(op))
        sums.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : sums)
      widen(rewriter, op);
  }
};
} // namespace
