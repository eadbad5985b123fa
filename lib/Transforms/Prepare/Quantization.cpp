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

bool ucmoh::ignoresNaN(Operation *op) {
  auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath");
  return flags && bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::nnan);
}

/// Limits in front of a conversion to integers are one instruction each if NaN is none of their
/// business, and four or five otherwise.
static void forgetNaN(Operation *op) {
  if (!isa<arith::MaximumFOp, arith::MinimumFOp>(op) || !endsAsInteger(op))
    return;
  auto flags = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
  op->setAttr("fastmath", arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

/// Whether a value that integers, limits of a quantization and constants lead to is a number,
/// whatever the integers are.
static bool isNumber(Value value) {
  if (findConstantFloat(value))
    return !std::isnan(*findConstantFloat(value));
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(op))
    return true;
  if (op && ignoresNaN(op))
    return boundFloat(value).isFinite();
  return isa_and_nonnull<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
                         math::FmaOp, math::RoundEvenOp>(op) &&
         boundFloat(value).isFinite() && llvm::all_of(op->getOperands(), isNumber);
}

namespace {
/// x > c ? x : c of a number x: max(x, c), and the same of minima. Importers select, which tells
/// what becomes of NaN. Only the sign of a zero may be another one.
struct SelectLimit : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
    if (!compare || !op.getType().isF32())
      return failure();
    Value x = compare.getLhs(), constant = compare.getRhs();
    bool takesX = op.getTrueValue() == x && op.getFalseValue() == constant;
    bool takesConstant = op.getTrueValue() == constant && op.getFalseValue() == x;
    std::optional<bool> isGreater = whetherGreater(compare.getPredicate());
    if (takesX == takesConstant || !isGreater || !findConstantFloat(constant) || !isNumber(x))
      return failure();
    auto flags = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
    if (*isGreater == takesX)
      rewriter.replaceOpWithNewOp<arith::MaximumFOp>(op, x, constant, flags);
    else
      rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, x, constant, flags);
    return success();
  }

private:
  /// Whether the predicate asks for the greater or the lesser side; none if for neither.
  static std::optional<bool> whetherGreater(arith::CmpFPredicate predicate) {
    using Predicate = arith::CmpFPredicate;
    if (llvm::is_contained({Predicate::OGT, Predicate::OGE, Predicate::UGT, Predicate::UGE},
                           predicate))
      return true;
    if (llvm::is_contained({Predicate::OLT, Predicate::OLE, Predicate::ULT, Predicate::ULE},
                           predicate))
      return false;
    return std::nullopt;
  }
};
} // namespace

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
} // namespace

static bool isInteger(double value) { return std::trunc(value) == value; }

/// Sums and limits of integers stay integers, however large: so are all floats above 2^23.
bool ucmoh::isWhole(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp, math::TruncOp,
                      arith::SIToFPOp, arith::UIToFPOp>(op))
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

/// limit(integer(x), c), x being one: integer(limit(x, c)), which may merge with the limits of x.
/// Networks limit what they have quantized, as a ReLU does.
template <typename IntegerLimit, typename FloatLimit, Sign sign>
struct LimitInFloat : OpRewritePattern<IntegerLimit> {
  using OpRewritePattern<IntegerLimit>::OpRewritePattern;
  LogicalResult matchAndRewrite(IntegerLimit op, PatternRewriter &rewriter) const override {
    constexpr double exact = 1 << 24; // all integers up to it are floats
    APInt constant;
    std::optional<WholeFloat> whole = asFloat(op.getLhs(), sign);
    if (!whole || !whole->bounds.within(-exact, exact) || std::abs(whole->offset) > exact ||
        !matchPattern(op.getRhs(), m_ConstantInt(&constant)) || constant.getBitWidth() > 16)
      return failure();
    bool isSigned = sign == Sign::Signed;
    double limit = isSigned ? double(constant.getSExtValue()) : double(constant.getZExtValue());
    Location loc = op.getLoc();
    auto makeConstant = [&](double value) {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(value));
    };
    auto flags = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
    Value limited =
        FloatLimit::create(rewriter, loc, whole->value, makeConstant(limit - whole->offset), flags);
    if (whole->offset != 0)
      limited = arith::AddFOp::create(rewriter, loc, limited, makeConstant(whole->offset));
    if (isSigned)
      rewriter.replaceOpWithNewOp<arith::FPToSIOp>(op, op.getType(), limited);
    else
      rewriter.replaceOpWithNewOp<arith::FPToUIOp>(op, op.getType(), limited);
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
      bool isCopied = !isa<arith::AddFOp>(limit) || !limits.empty();
      if (!constant || (isCopied && !limit->hasOneUse()) || !isInteger(*constant) ||
          std::abs(*constant) > exact)
        return failure();
      value = limit->getOperand(0);
      if (isa<arith::AddFOp>(limit))
        break;
      limits.push_back(limit);
    }
    // Without bounds on both sides, sums could be too large to be exact.
    if (!constant || !op.getType().isF32() || !isInteger(sum) || std::abs(sum) > exact ||
        !isWhole(op.getLhs()) || !boundFloat(op.getLhs()).within(-exact, exact))
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

/// x + 0, x being an integer: x. Only the sign of a zero may be another one.
struct DropZero : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op, PatternRewriter &rewriter) const override {
    std::optional<double> constant = findConstantFloat(op.getRhs());
    if (!constant || *constant != 0 || !isWhole(op.getLhs()))
      return failure();
    rewriter.replaceOp(op, op.getLhs());
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
  MLIRContext *context = root->getContext();
  RewritePatternSet conversions(context);
  conversions.add<StayFloat<arith::SIToFPOp>, StayFloat<arith::UIToFPOp>,
                  LimitInFloat<arith::MaxSIOp, arith::MaximumFOp, Sign::Signed>,
                  LimitInFloat<arith::MinSIOp, arith::MinimumFOp, Sign::Signed>,
                  LimitInFloat<arith::MaxUIOp, arith::MaximumFOp, Sign::Unsigned>,
                  LimitInFloat<arith::MinUIOp, arith::MinimumFOp, Sign::Unsigned>,
                  ConvertNarrow<arith::SIToFPOp, arith::ExtSIOp, arith::SIToFPOp>,
                  ConvertNarrow<arith::SIToFPOp, arith::ExtUIOp, arith::UIToFPOp>,
                  ConvertNarrow<arith::UIToFPOp, arith::ExtUIOp, arith::UIToFPOp>>(context);
  RewritePatternSet sums(context); // once the conversions are no users any more
  sums.add<AddOnce, SelectLimit>(context);
  RewritePatternSet again(context); // once no sums are between
  populateRescalePatterns(again);
  RewritePatternSet limits(context); // once they limit what was rounded before
  limits.add<DropLimit<arith::MaximumFOp>, DropLimit<arith::MinimumFOp>>(context);
  RewritePatternSet scales(context); // once the limits are behind the rounding
  populateScalePatterns(scales);
  RewritePatternSet divisions(context); // once quantizations are none any more
  populateDivisionPatterns(divisions);
  divisions.add<AddOnce, DropZero>(context);
  return success(succeeded(applyInBodies(root, std::move(conversions))) &&
                 succeeded(applyInBodies(root, std::move(sums))) &&
                 succeeded(applyInBodies(root, std::move(again))) &&
                 succeeded(applyInBodies(root, std::move(limits))) &&
                 succeeded(applyInBodies(root, std::move(scales))) &&
                 succeeded(applyInBodies(root, std::move(divisions))));
}
