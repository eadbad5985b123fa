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
/// What an integer may be.
struct Bounds {
  double least, greatest;
  bool within(double from, double to) const { return from <= least && greatest <= to; }
};

/// A float that has the value of an integer.
struct WholeFloat {
  Value value;
  double offset; ///< to be added
  Bounds bounds; ///< with the offset
};

enum class Sign { Signed, Unsigned };
} // namespace

std::optional<double> ucmoh::findConstantFloat(Value value) {
  APFloat constant(0.0f);
  if (!matchPattern(value, m_ConstantFloat(&constant)))
    return std::nullopt;
  return constant.convertToDouble();
}

static bool isInteger(double value) { return std::trunc(value) == value; }

/// The bounds of a float whose value is an integer; nothing if it may be another one. Sums and
/// limits of integers stay integers, however large: so are all floats above 2^23.
static std::optional<Bounds> boundsOfWhole(Value value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp, math::TruncOp>(
          op))
    return Bounds{-infinity, infinity};
  if (!isa_and_nonnull<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp>(op))
    return std::nullopt;
  std::optional<double> constant = findConstantFloat(op->getOperand(1));
  std::optional<Bounds> bounds = boundsOfWhole(op->getOperand(0));
  if (!constant || !bounds || !isInteger(*constant))
    return std::nullopt;
  if (isa<arith::AddFOp>(op))
    return Bounds{bounds->least + *constant, bounds->greatest + *constant};
  auto limit = [&](double x) {
    return isa<arith::MaximumFOp>(op) ? std::max(x, *constant) : std::min(x, *constant);
  };
  return Bounds{limit(bounds->least), limit(bounds->greatest)};
}

/// Whether an integer of the value's type can be what the bounds say.
static bool holds(Value integer, Sign sign, const Bounds &bounds) {
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
      WholeFloat moved{whole->value,
                       whole->offset + by,
                       {whole->bounds.least + by, whole->bounds.greatest + by}};
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
    if (std::optional<Bounds> bounds = boundsOfWhole(op->getOperand(0)))
      whole = WholeFloat{op->getOperand(0), 0, *bounds};
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
    std::optional<Bounds> bounds = boundsOfWhole(op.getLhs());
    if (limits.empty() || !constant || !op.getType().isF32() || !isInteger(sum) ||
        std::abs(sum) > exact || !bounds || !bounds->within(-exact, exact))
      return failure();
    auto shifted = [&](double by) {
      return arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getF32FloatAttr(by));
    };
    for (Operation *limit : llvm::reverse(limits)) {
      Value by = shifted(*findConstantFloat(limit->getOperand(1)) - *constant);
      Operation *made = rewriter.clone(*limit);
      made->setOperands({value, by});
      value = made->getResult(0);
    }
    if (sum + *constant != 0)
      value = arith::AddFOp::create(rewriter, op.getLoc(), value, shifted(sum + *constant));
    rewriter.replaceOp(op, value);
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

/// What elementwise ops compute: contractions are for their analysis to read.
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
  RewritePatternSet scales(root->getContext()); // once the limits are behind the rounding
  populateScalePatterns(scales);
  return success(succeeded(applyInBodies(root, std::move(conversions))) &&
                 succeeded(applyInBodies(root, std::move(sums))) &&
                 succeeded(applyInBodies(root, std::move(scales))));
}
