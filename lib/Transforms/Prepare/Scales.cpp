//===- Scales.cpp - Divisions by constants become products
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A division of vectors takes as long as ten products and more. A constant divisor's reciprocal as
/// two floats gives the same quotient by two instructions. Where a small integer is dequantized and
/// quantized with another scale, one product gives the same integer.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "ucmoh/Analysis/ElementRange.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

static Value makeConstant(OpBuilder &b, Location loc, float value) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
}

//===----------------------------------------------------------------------===//
// Integers with another scale
//===----------------------------------------------------------------------===//

namespace {
/// The integers that quantization leaves: more of them are not tried one by one.
struct Integers {
  double least, greatest;
  static constexpr double most = 1 << 16;
  bool isSmall() const { return least < greatest && -most <= least && greatest <= most; }
};

/// A dequantization and a quantization with another scale.
struct Rescaling {
  Integers range;
  float dequantized, quantized;

  /// Whether the product with `factor` rounds to the same integer for each of the range.
  bool isBy(float factor) const;
  /// The factor that does so; none if no float near the quotient of the scales does.
  std::optional<float> findFactor() const;
};
} // namespace

bool Rescaling::isBy(float factor) const {
  for (float integer = range.least; integer <= range.greatest; ++integer)
    if (std::nearbyintf(integer * factor) != std::nearbyintf(integer * dequantized / quantized))
      return false;
  return true;
}

std::optional<float> Rescaling::findFactor() const {
  if (!range.isSmall())
    return std::nullopt;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  float quotient = dequantized / quantized;
  for (float factor :
       {1.0f, quotient, std::nextafterf(quotient, -infinity), std::nextafterf(quotient, infinity)})
    if (isBy(factor))
      return factor;
  return std::nullopt;
}

namespace {
/// round(x * scale / scale'), x being a small integer: round(x * factor), or x. Exporters quantize
/// anew behind each op, also such that only move or limit elements.
struct RescaleOnce : OpRewritePattern<math::RoundEvenOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RoundEvenOp op, PatternRewriter &rewriter) const override {
    auto division = op.getOperand().getDefiningOp<arith::DivFOp>();
    auto product = division ? division.getLhs().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
    if (!product || !op.getType().isF32() || !isWhole(product.getLhs()))
      return failure();
    std::optional<double> dequantized = findConstantFloat(product.getRhs()),
                          quantized = findConstantFloat(division.getRhs());
    if (!dequantized || !quantized)
      return failure();
    FloatRange bounds = boundFloat(product.getLhs());
    Rescaling rescaling{
        {std::ceil(bounds.low), bounds.high}, float(*dequantized), float(*quantized)};
    std::optional<float> factor = rescaling.findFactor();
    if (!factor)
      return failure();
    if (*factor == 1) {
      rewriter.replaceOp(op, product.getLhs());
      return success();
    }
    rewriter.setInsertionPoint(op);
    Value scaled = arith::MulFOp::create(rewriter, op.getLoc(), product.getLhs(),
                                         makeConstant(rewriter, op.getLoc(), *factor));
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, scaled); });
    return success();
  }
};
} // namespace

void ucmoh::populateRescalePatterns(RewritePatternSet &patterns) {
  patterns.add<RescaleOnce>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Reciprocals
//===----------------------------------------------------------------------===//

namespace {
/// 1 / divisor as two floats.
struct Reciprocal {
  float divisor, head, tail;
  explicit Reciprocal(float divisor)
      : divisor(divisor), head(1 / divisor),
        tail(std::fma(-double(head), double(divisor), 1.0) / double(divisor)) {}

  /// Neither is it, nor are its products with what is in range, too small or too large.
  bool isNormal() const {
    constexpr float edge = 0x1p-60f;
    return std::abs(divisor) > edge && std::abs(divisor) < 1 / edge;
  }
  float quotient(float x) const { return std::fma(x, head, x * tail); }
  bool roundsAlike(float x) const {
    return std::nearbyintf(x / divisor) == std::nearbyintf(quotient(x));
  }
  bool isExactFor(const Integers &range) const;
  bool isExact() const;
  Value emitQuotient(OpBuilder &b, Location loc, Value x) const;

private:
  bool isExactNear(int64_t remainder, unsigned shift) const;
};
} // namespace

/// Two results differ by at most two units in the last place, so that what is farther from a half
/// is rounded alike.
bool Reciprocal::isExactFor(const Integers &range) const {
  constexpr int around = 4;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (float integer = range.least - 1; integer <= range.greatest; ++integer) {
    float x = (integer + 0.5f) * divisor;
    for (int i = 0; i < around; ++i)
      x = std::nextafterf(x, -infinity);
    for (int i = 0; i < 2 * around + 1; ++i, x = std::nextafterf(x, infinity))
      if (!roundsAlike(x))
        return false;
  }
  return roundsAlike(range.least * divisor) && roundsAlike(range.greatest * divisor) &&
         std::nearbyintf(quotient(range.least * divisor)) == range.least &&
         std::nearbyintf(quotient(range.greatest * divisor)) == range.greatest;
}

/// The inverse of an odd number's product modulo `modulus`: x with value * x = 1.
static int64_t invert(int64_t value, int64_t modulus) {
  int64_t t = 0, next = 1, r = modulus, rest = value % modulus;
  while (rest) {
    int64_t quotient = r / rest;
    std::tie(t, next) = std::pair(next, t - quotient * next);
    std::tie(r, rest) = std::pair(rest, r - quotient * rest);
  }
  return (t % modulus + modulus) % modulus;
}

static constexpr int64_t leastMantissa = 1 << 23;

/// Whether quotients are exact of all mantissas X with X * 2^shift = remainder modulo that of the
/// divisor.
bool Reciprocal::isExactNear(int64_t remainder, unsigned shift) const {
  int exponent;
  auto mantissa = int64_t(std::ldexp(std::frexp(std::abs(divisor), &exponent), 24));
  unsigned twos = llvm::countr_zero(uint64_t(mantissa));
  if (remainder % (int64_t(1) << twos))
    return true; // there is none
  int64_t modulus = mantissa >> twos;
  if (modulus == 1)
    return true; // a power of two
  int64_t power = (int64_t(1) << (shift - twos)) % modulus;
  int64_t first = (remainder >> twos) % modulus * invert(power, modulus) % modulus;
  for (int64_t x = (first + modulus) % modulus; x < 2 * leastMantissa; x += modulus)
    if (x >= leastMantissa && quotient(x) != float(x) / divisor)
      return false;
  return true;
}

/// Whether all quotients are those of a division, but for such below 2^-100. What is rounded last
/// is within 2^-46.9 of the true quotient, relatively. That matters only next to the middle of two
/// floats: M / 2^shift of an odd M, where the dividend's mantissa times 2^shift is M times the
/// divisor's, and no more than 4 beside it.
bool Reciprocal::isExact() const {
  for (unsigned shift : {24, 25})
    for (int64_t remainder : {-4, -3, -2, -1, 1, 2, 3, 4})
      if (!isExactNear(remainder, shift))
        return false;
  return true;
}

Value Reciprocal::emitQuotient(OpBuilder &b, Location loc, Value x) const {
  if (tail == 0)
    return arith::MulFOp::create(b, loc, x, makeConstant(b, loc, head));
  Value small = arith::MulFOp::create(b, loc, x, makeConstant(b, loc, tail));
  return math::FmaOp::create(b, loc, x, makeConstant(b, loc, head), small);
}

namespace {
/// x / constant, x being finite: x * (1 / constant). The sum of infinities would be no number.
struct DivideByConstant : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter &rewriter) const override {
    std::optional<double> divisor = findConstantFloat(op.getRhs());
    if (!divisor || !op.getType().isF32() || !boundFloat(op.getLhs()).isFinite())
      return failure();
    Reciprocal reciprocal(*divisor);
    if (!reciprocal.isNormal() || !reciprocal.isExact())
      return failure();
    rewriter.replaceOp(op, reciprocal.emitQuotient(rewriter, op.getLoc(), op.getLhs()));
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Quantization
//===----------------------------------------------------------------------===//

namespace {
/// Rounding to the nearest integer, and the limits behind it.
struct Quantization {
  math::RoundEvenOp round;
  arith::DivFOp division;
  SmallVector<Operation *> limits; ///< maxima and minima
  Integers range;

  bool add(Operation *op, double &zeroPoint);
};
} // namespace

/// Whether the op is the next limit, or a zero point in front of all.
bool Quantization::add(Operation *op, double &zeroPoint) {
  std::optional<double> constant =
      op->getNumOperands() == 2 ? findConstantFloat(op->getOperand(1)) : std::nullopt;
  if (!constant || std::trunc(*constant) != *constant)
    return false;
  if (isa<arith::AddFOp>(op) && limits.empty() && std::abs(*constant) <= Integers::most) {
    zeroPoint += *constant;
    return true;
  }
  if (!isa<arith::MaximumFOp, arith::MinimumFOp>(op) || !ignoresNaN(op))
    return false;
  if (isa<arith::MaximumFOp>(op))
    range.least = std::max(range.least, *constant - zeroPoint);
  else
    range.greatest = std::min(range.greatest, *constant - zeroPoint);
  limits.push_back(op);
  return true;
}

/// Limits of both sides, perhaps behind a zero point.
static std::optional<Quantization> findQuantization(math::RoundEvenOp round) {
  auto division = round.getOperand().getDefiningOp<arith::DivFOp>();
  if (!division || !division->hasOneUse() || !round.getType().isF32())
    return std::nullopt;
  Quantization found{round, division, {}, {-HUGE_VAL, HUGE_VAL}};
  double zeroPoint = 0;
  for (Operation *op = round; op->hasOneUse();) {
    op = *op->user_begin();
    if (!found.add(op, zeroPoint))
      break;
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
    if (!scale || *scale < 0)
      return failure();
    Reciprocal reciprocal(*scale);
    if (!reciprocal.isNormal() || !reciprocal.isExactFor(found->range))
      return failure();
    rewriter.setInsertionPoint(found->division);
    Value limited = limit(*found, *scale, rewriter);
    rewriter.replaceOp(found->division,
                       reciprocal.emitQuotient(rewriter, found->division.getLoc(), limited));
    for (Operation *limit : found->limits)
      rewriter.replaceOp(limit, limit->getOperand(0));
    return success();
  }

private:
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

void ucmoh::populateDivisionPatterns(RewritePatternSet &patterns) {
  patterns.add<DivideByConstant>(patterns.getContext());
}
