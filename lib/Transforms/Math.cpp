//===- Math.cpp - Functions that no instruction computes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace ucmoh {
#define GEN_PASS_DEF_APPROXIMATEMATH
#define GEN_PASS_DEF_EXPANDPOWERS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

namespace {
struct ApproximateMathPass : ucmoh::impl::ApproximateMathBase<ApproximateMathPass> {
  using Base::Base;
  void runOnOperation() override {
    // What occurs in activation functions, softmax and normalization and has no instruction.
    static const llvm::StringSet<> functions = {"math.erf", "math.exp", "math.tanh", "math.log"};
    // The polynomial inherits the location, which then tells people what it computes.
    getOperation()->walk([](Operation *op) {
      if (functions.contains(op->getName().getStringRef()))
        op->setLoc(NameLoc::get(op->getName().getIdentifier(), op->getLoc()));
    });
    RewritePatternSet patterns(&getContext());
    auto isKnown = [](StringRef name) { return functions.contains(name); };
    populateMathF32ExpansionPatterns(patterns, isKnown); // of narrower floats
    populateMathPolynomialApproximationPatterns(patterns, isKnown);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

/// Each product would be rounded, and math libraries have no powers of narrow floats.
struct WidenPower : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() >= 32)
      return failure();
    Type wide = rewriter.getF32Type();
    if (auto shaped = dyn_cast<ShapedType>(type))
      wide = shaped.clone(wide);
    Value base = arith::ExtFOp::create(rewriter, op.getLoc(), wide, op.getLhs());
    Value power = math::FPowIOp::create(rewriter, op.getLoc(), base, op.getRhs());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, power);
    return success();
  }
};

struct ExpandPowersPass : ucmoh::impl::ExpandPowersBase<ExpandPowersPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<WidenPower>(&getContext());
    math::populateExpansionPatterns(patterns, {"fpowi"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
