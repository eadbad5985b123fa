//===- BFloats.cpp - bf16 on processors that have no instructions for it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PatternConfig.h"
#include "Rest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace ucmoh;

static bool computesBFloats(Operation *root) {
  return root
      ->walk([](Operation *op) {
        auto isBFloat = [](Type type) { return getElementTypeOrSelf(type).isBF16(); };
        bool found = isa<arith::ArithDialect>(op->getDialect()) &&
                     llvm::any_of(op->getResultTypes(), isBFloat);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Arithmetic in f32, and rounding as arithmetic on the bits.
LogicalResult ucmoh::expandBFloats(Operation *root) {
  if (!computesBFloats(root))
    return success();
  MLIRContext *context = root->getContext();
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(converter, {BFloat16Type::get(context)},
                                                     Float32Type::get(context));
  RewritePatternSet emulation(context), rounding(context);
  arith::populateEmulateUnsupportedFloatsPatterns(emulation, converter);
  ConversionTarget legal(*context);
  arith::populateEmulateUnsupportedFloatsLegality(legal, converter);
  if (failed(applyPartialConversion(root, legal, std::move(emulation))))
    return failure();
  arith::populateExpandBFloat16Patterns(rounding);
  return applyPatternsGreedily(root, std::move(rounding), patternsOnly());
}
