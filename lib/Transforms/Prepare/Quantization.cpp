//===- Quantization.cpp - What is quantized and dequantized stays a float
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Between two layers of a quantized network a value is rounded to an integer of 8 bits and
/// becomes a float again: a conversion, two changes of width, a subtraction and a conversion back.
/// All integers of that size are floats as well, so the float that was rounded serves as it is.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "ucmoh/Analysis/ElementRange.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Limits in front of conversions
//===----------------------------------------------------------------------===//

/// Whether a value ends as an integer: that of a NaN is undefined, so that its way there may be.
static bool endsAsInteger(Operation *op) {
  while (op->hasOneUse() && isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    op = *op->user_begin();
  return isa<arith::FPToSIOp, arith::FPToUIOp>(op);
}

/// Limits in front of a conversion to integers are one instruction each if NaN is none of their
/// business, and four or five otherwise.
static void forgetNaN(Operation *op) {
  if (!isa<arith::MaximumFOp, arith::MinimumFOp>(op) || !endsAsInteger(op))
    return;
  auto flags = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
  op->setAttr("fastmath", arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

//===----------------------------------------------------------------------===//
// Floats that are integers
//===----------------------------------------------------------------------===//

namespace {
/// A float that has the value of an integer.
struct WholeFloat {
  Value value;
  double offset;     ///< to be added
  FloatRange bounds; ///< with the offset
};

enum class Sign { Signed, Unsigned };

/// The integers that quantization leaves: more of them are not tried one by one.
struct Integers {
  double least, greatest;
  static constexpr double most = 1 << 16;
  bool isSmall() const { return least < greatest && -most <= least && greatest <= most; }
};
} // namespace

static bool isInteger(double value) { return std::trunc(value) == value; }

/// Whether a float's value is an integer. Sums and limits of integers stay integers, however large:
/// so are all floats above 2^23.
static bool isWhole(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp, math::TruncOp>(
          op))
    return true;
  if (!isa_and_nonnull<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp>(op))
    return false;
  std::optional<double> constant = findConstantFloat(op->getOperand(1));
  return constant && isInteger(*constant) && isWhole(op->getOperand(0));
}

/// Whether an integer of the value's type can be what the bounds say.
static bool holds(Value integer, Sign sign, const FloatRange &bounds) {
  unsigned bits = integer.getType().getIntOrFloatBitWidth();
  double half = std::ldexp(1.0, bits - 1);
  return sign == Sign::Signed ? bounds.within(-half, half - 1) : bounds.within(0, 2 * half - 1);
}

static std::optional<WholeFloat> asFloat(Value integer, Sign sign);

/// A constant added modulo 2^bits: the sum that fits the type is the one that is meant.
static std::optional<WholeFloat> asFloatOfSum(Operation *sum, Sign sign) {
  APInt constant;
  if (!matchPattern(sum->getOperand(1), m_ConstantInt(&constant)))
    return std::nullopt;
  double by = constant.getSExtValue() * (isa<arith::SubIOp>(sum) ? -1 : 1);
  for (Sign of : {Sign::Signed, Sign::Unsigned})
    if (std::optional<WholeFloat> whole = asFloat(sum->getOperand(0), of)) {
      WholeFloat moved{
          whole->value, whole->offset + by, {whole->bounds.low + by, whole->bounds.high + by}};
      if (holds(sum->getResult(0), sign, moved.bounds))
        return moved;
    }
  return std::nullopt;
}

/// The float, if there is one, that has the value of an integer with or without a sign.
static std::optional<WholeFloat> asFloat(Value integer, Sign sign) {
  Operation *op = integer.getDefiningOp();
  std::optional<WholeFloat> whole;
  if (isa_and_nonnull<arith::FPToSIOp, arith::FPToUIOp>(op) &&
      op->getOperand(0).getType().isF32()) {
    if (Value source = op->getOperand(0); isWhole(source))
      whole = WholeFloat{source, 0, boundFloat(source)};
  } else if (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op)) {
    whole = asFloat(op->getOperand(0), isa<arith::ExtSIOp>(op) ? Sign::Signed : Sign::Unsigned);
  } else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    return asFloatOfSum(op, sign);
  }
  return whole && holds(integer, sign, whole->bounds) ? whole : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
/// float(integer(x)), x being one: x.
template <typename ToFloat> struct StayFloat : OpRewritePattern<ToFloat> {
  using OpRewritePattern<ToFloat>::OpRewritePattern;
  LogicalResult matchAndRewrite(ToFloat op, PatternRewriter &rewriter) const override {
    constexpr Sign sign = std::is_same_v<ToFloat, arith::SIToFPOp> ? Sign::Signed : Sign::Unsigned;
    constexpr double exact = 1 << 24; // all integers up to it are floats
    if (!op.getType().isF32())
      return failure();
    std::optional<WholeFloat> whole = asFloat(op.getIn(), sign);
    if (!whole || !whole->bounds.within(-exact, exact) || std::abs(whole->offset) > exact)
      return failure();
    Value offset =
        arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getF32FloatAttr(whole->offset));
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, whole->value, offset);
    return success();
  }
};

/// The same limits of `value`, each less by `constant`; the last one of the chain comes first.
static Value shiftLimits(PatternRewriter &rewriter, ArrayRef<Operation *> limits, Value value,
                         double constant) {
  for (Operation *limit : llvm::reverse(limits)) {
    double shifted = *findConstantFloat(limit->getOperand(1)) - constant;
    Value by =
        arith::ConstantOp::create(rewriter, limit->getLoc(), rewriter.getF32FloatAttr(shifted));
    Operation *made = rewriter.clone(*limit);
    made->setOperands({value, by});
    value = made->getResult(0);
  }
  return value;
}

/// limits(x + c) + o of integers, in front of which a zero point was added: limits'(x) + (c + o),
/// which is mostly the limits alone. Only the sign of a zero may be another one.
struct AddOnce : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op, PatternRewriter &rewriter) const override {
    constexpr double exact = 1 << 22; // sums of a few of these are exact
    SmallVector<Operation *> limits;
    Value value = op.getLhs();
    std::optional<double> constant = findConstantFloat(op.getRhs());
    double sum = constant.value_or(exact);
    while (Operation *limit = value.getDefiningOp()) {
      constant = isa<arith::MaximumFOp, arith::MinimumFOp, arith::AddFOp>(limit)
                     ? findConstantFloat(limit->getOperand(1))
                     : std::nullopt;
      if (!constant || !limit->hasOneUse() || !isInteger(*constant) || std::abs(*constant) > exact)
        return failure();
      value = limit->getOperand(0);
      if (isa<arith::AddFOp>(limit))
        break;
      limits.push_back(limit);
    }
    // Without limits on both sides, sums could be too large to be exact.
    if (limits.empty() || !constant || !op.getType().isF32() || !isInteger(sum) ||
        std::abs(sum) > exact || !isWhole(op.getLhs()) ||
        !boundFloat(op.getLhs()).within(-exact, exact))
      return failure();
    value = shiftLimits(rewriter, limits, value, *constant);
    if (double rest = sum + *constant; rest != 0)
      value = arith::AddFOp::create(
          rewriter, op.getLoc(), value,
          arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getF32FloatAttr(rest)));
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// Whether each of the integers is itself again, once it is dequantized and quantized.
static bool stayThemselves(const Integers &range, float dequantized, float quantized) {
  if (!range.isSmall())
    return false;
  for (float integer = range.least; integer <= range.greatest; ++integer)
    if (std::nearbyintf(integer * dequantized / quantized) != integer)
      return false;
  return true;
}

/// round(x * scale / scale), x being a small integer: x. Exporters quantize anew behind each op
/// that only moves elements.
struct QuantizeOnce : OpRewritePattern<math::RoundEvenOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RoundEvenOp op, PatternRewriter &rewriter) const override {
    auto division = op.getOperand().getDefiningOp<arith::DivFOp>();
    auto product = division ? division.getLhs().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
    if (!product || !op.getType().isF32() || !isWhole(product.getLhs()))
      return failure();
    std::optional<double> dequantized = findConstantFloat(product.getRhs()),
                          quantized = findConstantFloat(division.getRhs());
    FloatRange bounds = boundFloat(product.getLhs());
    if (!dequantized || !quantized ||
        !stayThemselves({std::ceil(bounds.low), bounds.high}, *dequantized, *quantized))
      return failure();
    rewriter.replaceOp(op, product.getLhs());
    return success();
  }
};

/// limit(x), x being an integer within it, and so small that the bounds of sums are exact: x.
template <typename Limit> struct DropLimit : OpRewritePattern<Limit> {
  using OpRewritePattern<Limit>::OpRewritePattern;
  LogicalResult matchAndRewrite(Limit op, PatternRewriter &rewriter) const override {
    constexpr double exact = 1 << 24; // all integers up to it are floats
    std::optional<double> constant = findConstantFloat(op.getRhs());
    FloatRange bounds = boundFloat(op.getLhs());
    bool isWithin =
        constant && (std::is_same_v<Limit, arith::MaximumFOp> ? bounds.low >= *constant
                                                              : bounds.high <= *constant);
    if (!isWithin || !isWhole(op.getLhs()) || !bounds.within(-exact, exact))
      return failure();
    rewriter.replaceOp(op, op.getLhs());
    return success();
  }
};

/// int(x - 128) - c of 8-bit x: int(unsigned x) - (c + 128). Exporters hide u8 as i8, which is
/// shifted back in front of each multiplication.
struct ReadUnsigned : OpRewritePattern<arith::SubIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SubIOp op, PatternRewriter &rewriter) const override {
    constexpr int64_t half = 128;
    auto extension = op.getLhs().getDefiningOp<arith::ExtSIOp>();
    auto shift = extension ? extension.getIn().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
    APInt by, subtracted;
    if (!shift || !getElementTypeOrSelf(shift.getType()).isInteger(8) ||
        !matchPattern(shift.getRhs(), m_ConstantInt(&by)) || by.getSExtValue() != -half ||
        !matchPattern(op.getRhs(), m_ConstantInt(&subtracted)))
      return failure();
    TypedAttr rest = rewriter.getIntegerAttr(getElementTypeOrSelf(op.getType()),
                                             subtracted.getSExtValue() + half);
    if (auto type = dyn_cast<ShapedType>(op.getType()))
      rest = DenseElementsAttr::get(type, rest);
    Value wide = arith::ExtUIOp::create(rewriter, op.getLoc(), op.getType(), shift.getLhs());
    Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), rest);
    rewriter.replaceOpWithNewOp<arith::SubIOp>(op, wide, constant);
    return success();
  }
};

/// float(extension(x)): float(x). Conversions from 64 bits are slow or missing.
template <typename ToFloat, typename Extension, typename FromNarrow>
struct ConvertNarrow : OpRewritePattern<ToFloat> {
  using OpRewritePattern<ToFloat>::OpRewritePattern;
  LogicalResult matchAndRewrite(ToFloat op, PatternRewriter &rewriter) const override {
    auto extension = op.getIn().template getDefiningOp<Extension>();
    if (!extension)
      return failure();
    rewriter.replaceOpWithNewOp<FromNarrow>(op, op.getType(), extension.getIn());
    return success();
  }
};
} // namespace

void ucmoh::populateReadUnsignedPatterns(RewritePatternSet &patterns) {
  patterns.add<ReadUnsigned>(patterns.getContext());
}

/// Collects elementwise ops: contractions are for their analysis to read.
static SmallVector<Operation *> collectBodies(Operation *root) {
  SmallVector<Operation *> bodies;
  root->walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() == 0)
      for (Operation &inner : op.getBody()->without_terminator())
        bodies.push_back(&inner);
  });
  return bodies;
}

static LogicalResult applyInBodies(Operation *root, RewritePatternSet patterns) {
  return applyOpPatternsGreedily(
      collectBodies(root), std::move(patterns),
      GreedyRewriteConfig().setStrictness(GreedyRewriteStrictness::ExistingAndNewOps));
}

LogicalResult ucmoh::simplifyQuantization(Operation *root) {
  llvm::for_each(collectBodies(root), forgetNaN);
  RewritePatternSet conversions(root->getContext());
  conversions.add<StayFloat<arith::SIToFPOp>, StayFloat<arith::UIToFPOp>,
                  ConvertNarrow<arith::SIToFPOp, arith::ExtSIOp, arith::SIToFPOp>,
                  ConvertNarrow<arith::SIToFPOp, arith::ExtUIOp, arith::UIToFPOp>,
                  ConvertNarrow<arith::UIToFPOp, arith::ExtUIOp, arith::UIToFPOp>>(
      root->getContext());
  RewritePatternSet sums(root->getContext()); // once the conversions are no users any more
  sums.add<AddOnce>(root->getContext());
  RewritePatternSet again(root->getContext()); // once no sums are between
  again.add<QuantizeOnce>(root->getContext());
  RewritePatternSet limits(root->getContext()); // once they limit what was rounded before
  limits.add<DropLimit<arith::MaximumFOp>, DropLimit<arith::MinimumFOp>>(root->getContext());
  RewritePatternSet scales(root->getContext()); // once the limits are behind the rounding
  populateScalePatterns(scales);
  return success(succeeded(applyInBodies(root, std::move(conversions))) &&
                 succeeded(applyInBodies(root, std::move(sums))) &&
                 succeeded(applyInBodies(root, std::move(again))) &&
                 succeeded(applyInBodies(root, std::move(limits))) &&
                 succeeded(applyInBodies(root, std::move(scales))));
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

namespace {
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
