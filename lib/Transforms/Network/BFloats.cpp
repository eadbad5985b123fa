//===- BFloats.cpp - Arithmetic on bf16 that processors have no instructions for
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PatternConfig.h"
#include "Rest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Maxima of vectors of bf16, or minima. Processors have none; LLVM takes ten instructions for each
/// half of a vector in f32. As integers of 16 bits, bf16 are ordered, but for negative ones, whose
/// other bits are to be flipped, and for NaN, whose 127 numbers on both ends are to become one end:
/// the one that wins.
class Extremes {
public:
  explicit Extremes(bool isMaximum) : isMaximum(isMaximum) {}
  void rewrite(Operation *op);

private:
  /// All bits but the sign, of negative integers.
  static Value flip(ImplicitLocOpBuilder &b, Value bits);
  static Value constant(ImplicitLocOpBuilder &b, Type type, int64_t value);
  Value keyOf(ImplicitLocOpBuilder &b, Value number);

  bool isMaximum;
  llvm::DenseMap<std::pair<Block *, Value>, Value> keys; ///< where they were made, in blocks
};
} // namespace

Value Extremes::constant(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<ShapedType>(type), b.getI16IntegerAttr(value)));
}

Value Extremes::flip(ImplicitLocOpBuilder &b, Value bits) {
  Value sign = arith::ShRSIOp::create(b, bits, constant(b, bits.getType(), 15));
  Value others = arith::AndIOp::create(b, sign, constant(b, bits.getType(), 0x7fff));
  return arith::XOrIOp::create(b, bits, others);
}

/// NaN of one sign wraps around.
static constexpr int64_t nans = 0x7fff - 0x7f80;

Value Extremes::keyOf(ImplicitLocOpBuilder &b, Value number) {
  Value &key = keys[{b.getInsertionBlock(), number}];
  if (key)
    return key;
  Type type = cast<ShapedType>(number.getType()).clone(b.getI16Type());
  Value bits = flip(b, arith::BitcastOp::create(b, type, number));
  return key = arith::AddIOp::create(b, bits, constant(b, type, isMaximum ? -nans : nans));
}

void Extremes::rewrite(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value left = keyOf(b, op->getOperand(0)), right = keyOf(b, op->getOperand(1));
  Value key = isMaximum ? arith::MaxSIOp::create(b, left, right).getResult()
                        : arith::MinSIOp::create(b, left, right).getResult();
  Value bits =
      flip(b, arith::AddIOp::create(b, key, constant(b, key.getType(), isMaximum ? nans : -nans)));
  Value number = arith::BitcastOp::create(b, op->getResult(0).getType(), bits);
  keys[{op->getBlock(), number}] = key;
  op->getResult(0).replaceAllUsesWith(number);
  op->erase();
}

void ucmoh::compareBFloatsAsBits(Operation *root) {
  Extremes maxima(/*isMaximum=*/true), minima(/*isMaximum=*/false);
  root->walk([&](Operation *op) {
    bool isMaximum = isa<arith::MaximumFOp>(op);
    if (!isMaximum && !isa<arith::MinimumFOp>(op))
      return;
    auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
    if (vector && vector.getElementType().isBF16())
      (isMaximum ? maxima : minima).rewrite(op);
  });
}

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
