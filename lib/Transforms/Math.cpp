//===- Math.cpp - Functions that no instruction computes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "PatternConfig.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace ucmoh {
#define GEN_PASS_DEF_APPROXIMATEMATH
#define GEN_PASS_DEF_EXPANDPOWERS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

/// A number of the type, f32 or i32, or a vector of it.
static Value constant(ImplicitLocOpBuilder &b, Type type, double value) {
  TypedAttr attribute = getElementTypeOrSelf(type).isF32() ? TypedAttr(b.getF32FloatAttr(value))
                                                           : b.getI32IntegerAttr(value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attribute = DenseElementsAttr::get(shaped, attribute);
  return arith::ConstantOp::create(b, type, attribute);
}

/// Between two limits. NaN stays, as in the instructions of CPUs that compare like this.
static Value clamp(ImplicitLocOpBuilder &b, Value x, double least, double most) {
  for (auto [predicate, bound] :
       {std::pair(arith::CmpFPredicate::OGT, most), {arith::CmpFPredicate::OLT, least}}) {
    Value end = constant(b, x.getType(), bound);
    x = arith::SelectOp::create(b, arith::CmpFOp::create(b, predicate, x, end), end, x);
  }
  return x;
}

static Value clamp(ImplicitLocOpBuilder &b, Value x, double limit) {
  return clamp(b, x, -limit, limit);
}

/// i32, or vectors of it in place of those of f32.
static Type integersLike(ImplicitLocOpBuilder &b, Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(b.getI32Type())) : b.getI32Type();
}

/// A number rounded to an integer. Floats of the size of `shift` have no bits behind the point, so
/// that the integer is in the last bits of `shifted`.
namespace {
struct Rounded {
  Value shifted, whole;
};
} // namespace

/// Rounds x * by to `whole`. The last bits of `shifted` are this integer and `more`.
static Rounded roundProduct(ImplicitLocOpBuilder &b, Value x, double by, double more = 0) {
  Value shift = constant(b, x.getType(), 0x1.8p23 + more);
  Value shifted = math::FmaOp::create(b, x, constant(b, x.getType(), by), shift);
  return {shifted, arith::SubFOp::create(b, shifted, shift)};
}

/// Takes `whole` times the sum of the parts off, whose products are not rounded.
static Value takeOff(ImplicitLocOpBuilder &b, Value x, Value whole, ArrayRef<double> parts) {
  for (double part : parts)
    x = math::FmaOp::create(b, whole, constant(b, x.getType(), -part), x);
  return x;
}

/// By Horner's rule; the coefficients begin with that of x^0.
static Value polynomial(ImplicitLocOpBuilder &b, Value x, ArrayRef<float> coefficients) {
  Value sum = constant(b, x.getType(), coefficients.back());
  for (float coefficient : llvm::reverse(coefficients.drop_back()))
    sum = math::FmaOp::create(b, sum, x, constant(b, x.getType(), coefficient));
  return sum;
}

namespace {
/// erf(x) = x P(x^2) / Q(x^2) up to where it rounds to 1, a third of the instructions of upstream's
/// polynomials, which choose among intervals. The relative error is below 4e-7. The coefficients
/// are what research/fit_erf.py finds.
struct ApproximateErf : OpRewritePattern<math::ErfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ErfOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = limitedOperand(b, op.getOperand()), square = arith::MulFOp::create(b, x, x);
    Value numerator = polynomial(b, square,
                                 {1.12837911f, 1.89656943e-1f, 5.26668467e-2f, 3.73794674e-3f,
                                  2.85056944e-4f, 2.06659138e-6f});
    Value denominator = polynomial(
        b, square,
        {1.f, 5.01411855e-1f, 1.13814935e-1f, 1.49134686e-2f, 1.15728681e-3f, 3.82709877e-5f});
    Value result = arith::DivFOp::create(b, arith::MulFOp::create(b, x, numerator), denominator);
    rewriter.replaceOp(op, clamp(b, result, 1)); // rounding may lead behind 1
    return success();
  }

private:
  /// GELU divides by a root of 2: behind limits no product with its reciprocal is infinite.
  static Value limitedOperand(ImplicitLocOpBuilder &b, Value x) {
    constexpr double limit = 3.9;
    auto division = x.getDefiningOp<arith::DivFOp>();
    APFloat divisor(0.0f);
    if (!division || !matchPattern(division.getRhs(), m_ConstantFloat(&divisor)) ||
        !(divisor.convertToFloat() > 0x1p-60f && divisor.convertToFloat() < 0x1p60f))
      return clamp(b, x, limit);
    double by = divisor.convertToFloat();
    Value limited = clamp(b, division.getLhs(), limit * by);
    return arith::MulFOp::create(b, limited, constant(b, x.getType(), 1 / by));
  }
};

/// exp(x) = 2^(n-1) 2 P(x - n log 2), half of the instructions of upstream's. P is what
/// research/fit_exp.py finds, and n the nearest integer to x / log 2. The integer n + 126 is the
/// exponent's bits of 2^(n-1), which is 0 for the least n and infinite for the largest one. The
/// error is below 2 ulp. What is less than 2^-125.5 becomes 0.
struct ApproximateExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    constexpr double leastPower = -126, mostPower = 129, log2 = 0.693147181;
    constexpr int64_t mantissaBits = 23;
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType(), integers = integersLike(b, type);
    Value x = clamp(b, op.getOperand(), leastPower * log2, mostPower * log2);
    auto [shifted, whole] = roundProduct(b, x, 1 / log2, -leastPower);
    Value rest = takeOff(b, x, whole, {0.693147182, -1.90465421e-9});
    Value twice = polynomial(
        b, rest, {2.f, 1.99999905f, 0.999982834f, 0.333361626f, 0.0837977603f, 0.0165317617f});
    Value power = arith::ShLIOp::create(b, arith::BitcastOp::create(b, integers, shifted),
                                        constant(b, integers, mantissaBits));
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, twice, arith::BitcastOp::create(b, type, power));
    return success();
  }
};

/// sin and cos. Whole quarter turns are taken off in three steps, whose products are not rounded.
/// The rest is little more than half of a quarter at most, and the quarter says which polynomial is
/// meant. The error is below 1e-7 up to 2^17 quarter turns, and below 4e-6 up to 2^21; behind that
/// results stay within -1 and 1.
template <typename Op> struct ApproximateTurn : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = op.getOperand();
    auto [quarters, angle] = takeQuartersOff(b, x);
    Type integers = quarters.getType();
    if (std::is_same_v<Op, math::CosOp>)
      quarters = arith::AddIOp::create(b, quarters, constant(b, integers, 1));
    Value isOdd = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne, arith::AndIOp::create(b, quarters, constant(b, integers, 1)),
        constant(b, integers, 0));
    Value size = arith::SelectOp::create(b, isOdd, cosine(b, angle), sine(b, angle));
    Value sign = arith::ShLIOp::create(
        b, arith::AndIOp::create(b, quarters, constant(b, integers, 2)), constant(b, integers, 30));
    Value bits = arith::XOrIOp::create(b, arith::BitcastOp::create(b, integers, size), sign);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, x.getType(), bits);
    return success();
  }

private:
  /// The nearest number of quarter turns, whose last two bits count, and the angle that is left.
  static std::pair<Value, Value> takeQuartersOff(ImplicitLocOpBuilder &b, Value x) {
    auto [shifted, whole] = roundProduct(b, x, 0.636619747);
    Value angle = takeOff(b, x, whole, {1.57079637, -4.37113883e-8, -1.71512451e-15});
    return {arith::BitcastOp::create(b, integersLike(b, x.getType()), shifted), clamp(b, angle, 1)};
  }

  static Value sine(ImplicitLocOpBuilder &b, Value x) {
    Value power = arith::MulFOp::create(b, x, x);
    Value rest = polynomial(b, power, {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f});
    return math::FmaOp::create(b, arith::MulFOp::create(b, power, rest), x, x);
  }

  static Value cosine(ImplicitLocOpBuilder &b, Value x) {
    return polynomial(b, arith::MulFOp::create(b, x, x),
                      {1.f, -0.5f, 4.166664568e-2f, -1.388731625e-3f, 2.443315712e-5f});
  }
};

struct ApproximateMathPass : ucmoh::impl::ApproximateMathBase<ApproximateMathPass> {
  using Base::Base;
  void runOnOperation() override {
    // Activation functions, softmax and normalization have these functions, for which there is no
    // instruction. Next to 0 log1p and expm1 would be zeros: LLVM gets them as log(1 + x), exp(x)
    // - 1.
    static const llvm::StringSet<> functions = {"math.erf", "math.exp", "math.tanh",  "math.log",
                                                "math.sin", "math.cos", "math.log1p", "math.expm1"};
    // The polynomial inherits the location, which then tells people what it computes.
    getOperation()->walk([](Operation *op) {
      if (functions.contains(op->getName().getStringRef()))
        op->setLoc(NameLoc::get(op->getName().getIdentifier(), op->getLoc()));
    });
    RewritePatternSet patterns(&getContext());
    auto isKnown = [](StringRef name) { return functions.contains(name); };
    populateMathF32ExpansionPatterns(patterns, isKnown); // narrower floats are computed as f32
    populateMathPolynomialApproximationPatterns(patterns, isKnown);
    patterns.add<ApproximateErf, ApproximateExp, ApproximateTurn<math::SinOp>,
                 ApproximateTurn<math::CosOp>>(&getContext(), /*benefit=*/2); // before upstream's
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), ucmoh::patternsOnly())))
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
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), ucmoh::patternsOnly())))
      signalPassFailure();
  }
};
} // namespace
