//===- Scales.cpp - Quantization multiplies instead of dividing
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// limits(round(x / scale)) of constant limits: a division of vectors takes as long as ten
/// multiplications. The quotient is x * head + x * tail, of which `head + tail` is 1 / scale in
/// twice the precision (Brisebarre, Muller and Raina, "Accelerating correctly rounded
/// floating-point division when the divisor is known in advance", 2004). It is rarely rounded to
/// another float, and matters only where it is rounded to another integer. Around each of the few
/// places where that could be, all floats are tried.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

namespace {
/// The integers that quantization leaves: more of them are not tried one by one.
struct Integers {
  double least, greatest;
  static constexpr double most = 1 << 16;
  bool isSmall() const { return least < greatest && -most <= least && greatest <= most; }
};

/// 1 / scale as two floats.
struct Reciprocal {
  float scale, head, tail;
  explicit Reciprocal(float scale)
      : scale(scale), head(1 / scale),
        tail(std::fma(-double(head), double(scale), 1.0) / double(scale)) {}

  /// Neither is it, nor are its products with what is in range, too small or too large.
  bool isNormal() const {
    constexpr float edge = 0x1p-60f;
    return scale > edge && scale < 1 / edge;
  }
  float quotient(float x) const { return std::fma(x, head, x * tail); }
  bool roundsAlike(float x) const {
    return std::nearbyintf(x / scale) == std::nearbyintf(quotient(x));
  }
  bool isExact(const Integers &range) const;
};

/// Rounding to the nearest integer, and the limits behind it.
struct Quantization {
  math::RoundEvenOp round;
  arith::DivFOp division;
  SmallVector<Operation *> limits; ///< a maximum and a minimum
  Integers range;
};
} // namespace

/// Two results differ by at most two units in the last place, so that what is farther from a half
/// is rounded alike.
bool Reciprocal::isExact(const Integers &range) const {
  constexpr int around = 4;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (float integer = range.least - 1; integer <= range.greatest; ++integer) {
    float x = (integer + 0.5f) * scale;
    for (int i = 0; i < around; ++i)
      x = std::nextafterf(x, -infinity);
    for (int i = 0; i < 2 * around + 1; ++i, x = std::nextafterf(x, infinity))
      if (!roundsAlike(x))
        return false;
  }
  return roundsAlike(range.least * scale) && roundsAlike(range.greatest * scale) &&
         std::nearbyintf(quotient(range.least * scale)) == range.least &&
         std::nearbyintf(quotient(range.greatest * scale)) == range.greatest;
}

/// Whether the op leaves NaN to chance, so that the limit may be elsewhere.
static bool ignoresNaN(Operation *op) {
  auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath");
  return flags && bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::nnan);
}

/// A limit of one side, then one of the other, perhaps behind a zero point.
static std::optional<Quantization> findQuantization(math::RoundEvenOp round) {
  auto division = round.getOperand().getDefiningOp<arith::DivFOp>();
  if (!division || !division->hasOneUse() || !round.getType().isF32())
    return std::nullopt;
  Quantization found{round, division, {}, {-HUGE_VAL, HUGE_VAL}};
  double zeroPoint = 0;
  for (Operation *op = round; found.limits.size() < 2;) {
    if (!op->hasOneUse())
      return std::nullopt;
    op = *op->user_begin();
    std::optional<double> constant =
        op->getNumOperands() == 2 ? findConstantFloat(op->getOperand(1)) : std::nullopt;
    if (!constant || std::trunc(*constant) != *constant)
      return std::nullopt;
    if (isa<arith::AddFOp>(op) && found.limits.empty() && std::abs(*constant) <= Integers::most)
      zeroPoint += *constant;
    else if (isa<arith::MaximumFOp>(op) && ignoresNaN(op))
      found.range.least = std::max(found.range.least, *constant - zeroPoint);
    else if (isa<arith::MinimumFOp>(op) && ignoresNaN(op))
      found.range.greatest = std::min(found.range.greatest, *constant - zeroPoint);
    else
      return std::nullopt;
    if (!isa<arith::AddFOp>(op))
      found.limits.push_back(op);
  }
  return found.range.isSmall() ? std::optional(found) : std::nullopt;
}

namespace {
/// limits(round(x / scale)): round(limits'(x) * (1 / scale)). Behind the limits no product is
/// infinite.
struct MultiplyByReciprocal : OpRewritePattern<math::RoundEvenOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RoundEvenOp op, PatternRewriter &rewriter) const override {
    std::optional<Quantization> found = findQuantization(op);
    std::optional<double> scale =
        found ? findConstantFloat(found->division.getRhs()) : std::nullopt;
    if (!scale)
      return failure();
    Reciprocal reciprocal(*scale);
    if (!reciprocal.isNormal() || !reciprocal.isExact(found->range))
      return failure();
    rewriter.setInsertionPoint(found->division);
    Value limited = limit(*found, *scale, rewriter);
    auto constant = [&](float value) {
      return makeConstant(rewriter, found->division.getLoc(), value);
    };
    Location loc = found->division.getLoc();
    Value small = arith::MulFOp::create(rewriter, loc, limited, constant(reciprocal.tail));
    rewriter.replaceOpWithNewOp<math::FmaOp>(found->division, limited, constant(reciprocal.head),
                                             small);
    for (Operation *limit : found->limits)
      rewriter.replaceOp(limit, limit->getOperand(0));
    return success();
  }

private:
  static Value makeConstant(OpBuilder &b, Location loc, float value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }

  static Value limit(Quantization &found, float scale, OpBuilder &b) {
    Location loc = found.round.getLoc();
    auto flags = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
    Value least = makeConstant(b, loc, found.range.least * scale);
    Value greatest = makeConstant(b, loc, found.range.greatest * scale);
    Value x = arith::MaximumFOp::create(b, loc, found.division.getLhs(), least, flags);
    return arith::MinimumFOp::create(b, loc, x, greatest, flags);
  }
};
} // namespace

void ucmoh::populateScalePatterns(RewritePatternSet &patterns) {
  patterns.add<MultiplyByReciprocal>(patterns.getContext());
}
