//===- ExpandFloats.cpp - Floats of 8 bits from and to wider ones, and integers of few bits
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM has no type for them, they are passed as i8. MLIR 22 can expand conversions of scales
/// (f8E8M0FNU) and of f4, or call APFloat for all floats of a program; not these.
///
//===----------------------------------------------------------------------===//

#include "PatternConfig.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "ucmoh/Analysis/ElementRange.h"
#include "ucmoh/Analysis/ElementType.h"
#include "ucmoh/Transforms/Passes.h"
#include <cmath>

namespace ucmoh {
#define GEN_PASS_DEF_EXPANDFLOATS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

namespace {
/// The bits of a float type: sign, exponent, mantissa.
struct Format {
  explicit Format(Type type)
      : semantics(cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics()),
        bits(llvm::APFloat::semanticsSizeInBits(semantics)),
        mantissa(llvm::APFloat::semanticsPrecision(semantics) - 1),
        bias(1 - llvm::APFloat::semanticsMinExponent(semantics)),
        largest(llvm::APFloat::getLargest(semantics).bitcastToAPInt().getZExtValue()) {}

  const llvm::fltSemantics &semantics;
  int64_t bits, mantissa, bias;
  int64_t largest; ///< bits of the largest finite number; beyond it: infinity, if any, and NaN
};

/// Scalars or vectors, of the shape of one value.
struct Shaped {
  ImplicitLocOpBuilder &b;
  Type shape;

  Type with(Type element) const {
    auto shaped = dyn_cast<ShapedType>(shape);
    return shaped ? Type(shaped.clone(element)) : element;
  }
  Type integer(int64_t bits) const { return with(b.getIntegerType(bits)); }
  Value constant(Type type, TypedAttr element) const {
    TypedAttr value = element;
    if (auto shaped = dyn_cast<ShapedType>(type))
      value = DenseElementsAttr::get(shaped, Attribute(element));
    return arith::ConstantOp::create(b, value);
  }
  Value bits(int64_t value, int64_t width) const {
    return constant(integer(width), b.getIntegerAttr(b.getIntegerType(width), value));
  }
  /// 2^exponent.
  Value power(int64_t exponent, Type element) const {
    return constant(with(element), b.getFloatAttr(element, std::ldexp(1.0, exponent)));
  }
};
} // namespace

/// A float of 8 bits is the bits of a wider one with less exponent: moved there they are too small
/// by the difference of the biases, subnormal numbers too.
static Value extend(const Shaped &s, Value value, Format narrow, Type wideType) {
  ImplicitLocOpBuilder &b = s.b;
  Format wide(wideType);
  Value all = arith::ExtUIOp::create(b, s.integer(wide.bits),
                                     arith::BitcastOp::create(b, s.integer(narrow.bits), value));
  auto constant = [&](int64_t bits) { return s.bits(bits, wide.bits); };
  Value magnitude = arith::AndIOp::create(b, all, constant((1 << (narrow.bits - 1)) - 1));
  Value moved = arith::ShLIOp::create(b, magnitude, constant(wide.mantissa - narrow.mantissa));
  Value number = arith::MulFOp::create(b, arith::BitcastOp::create(b, s.with(wideType), moved),
                                       s.power(wide.bias - narrow.bias, wideType));
  int64_t exponent = ((int64_t(1) << (wide.bits - 1 - wide.mantissa)) - 1) << wide.mantissa;
  Value other = arith::BitcastOp::create(b, s.with(wideType),
                                         arith::OrIOp::create(b, moved, constant(exponent)));
  Value isOther =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, magnitude, constant(narrow.largest));
  Value result = arith::BitcastOp::create(b, s.integer(wide.bits),
                                          arith::SelectOp::create(b, isOther, other, number));
  Value sign = arith::ShLIOp::create(b, arith::ShRUIOp::create(b, all, constant(narrow.bits - 1)),
                                     constant(wide.bits - 1));
  return arith::BitcastOp::create(b, s.with(wideType), arith::OrIOp::create(b, result, sign));
}

/// The bits of a magnitude that is a normal number of the narrow format: half of the last place
/// that stays is added, a bit less if that place is even.
static Value roundNormal(const Shaped &s, Value magnitude, Format narrow, Format wide) {
  ImplicitLocOpBuilder &b = s.b;
  auto constant = [&](int64_t bits) { return s.bits(bits, wide.bits); };
  int64_t shift = wide.mantissa - narrow.mantissa;
  Value isOdd =
      arith::AndIOp::create(b, arith::ShRUIOp::create(b, magnitude, constant(shift)), constant(1));
  Value raised = arith::AddIOp::create(
      b, arith::AddIOp::create(b, magnitude, constant((int64_t(1) << (shift - 1)) - 1)), isOdd);
  return arith::SubIOp::create(b, arith::ShRUIOp::create(b, raised, constant(shift)),
                               constant((wide.bias - narrow.bias) << narrow.mantissa));
}

/// The same of a subnormal number: next to a number whose last place is the smallest one, addition
/// rounds.
static Value roundSubnormal(const Shaped &s, Value magnitude, Format narrow, Type wideType) {
  ImplicitLocOpBuilder &b = s.b;
  Format wide(wideType);
  Value anchor = s.power(1 - narrow.bias + wide.mantissa - narrow.mantissa, wideType);
  Value sum =
      arith::AddFOp::create(b, arith::BitcastOp::create(b, s.with(wideType), magnitude), anchor);
  return arith::SubIOp::create(b, arith::BitcastOp::create(b, s.integer(wide.bits), sum),
                               arith::BitcastOp::create(b, s.integer(wide.bits), anchor));
}

/// To the nearest, ties to even; what is too large becomes infinity, or NaN where there is none.
static Value roundTo(const Shaped &s, Value value, Format narrow, Type narrowType) {
  ImplicitLocOpBuilder &b = s.b;
  Type wideType = getElementTypeOrSelf(value);
  Format wide(wideType);
  auto constant = [&](int64_t bits) { return s.bits(bits, wide.bits); };
  auto select = [&](arith::CmpIPredicate predicate, Value left, Value right, Value then,
                    Value otherwise) {
    return arith::SelectOp::create(b, arith::CmpIOp::create(b, predicate, left, right), then,
                                   otherwise);
  };
  int64_t signBit = wide.bits - 1;
  Value all = arith::BitcastOp::create(b, s.integer(wide.bits), value);
  Value magnitude = arith::AndIOp::create(b, all, constant(llvm::maxIntN(wide.bits)));
  Value normal = roundNormal(s, magnitude, narrow, wide);
  Value small = roundSubnormal(s, magnitude, narrow, wideType);
  Value least = constant((wide.bias - narrow.bias + 1) << wide.mantissa); // the least normal
  Value code = select(arith::CmpIPredicate::ult, magnitude, least, small, normal);
  Value beyond = constant(narrow.largest + 1);
  code = select(arith::CmpIPredicate::sgt, code, constant(narrow.largest), beyond, code);
  int64_t infinity = llvm::APFloat::getInf(wide.semantics).bitcastToAPInt().getZExtValue();
  Value nan = constant((narrow.largest + 1) | (1 << (narrow.mantissa - 1)));
  code = select(arith::CmpIPredicate::ugt, magnitude, constant(infinity), nan, code);
  Value sign = arith::ShLIOp::create(b, arith::ShRUIOp::create(b, all, constant(signBit)),
                                     constant(narrow.bits - 1));
  Value narrowed =
      arith::TruncIOp::create(b, s.integer(narrow.bits), arith::OrIOp::create(b, code, sign));
  return arith::BitcastOp::create(b, s.with(narrowType), narrowed);
}

/// A conversion goes through f32, where all floats of up to 16 bits are exact, or f64.
static Type through(Type wide) { return wide.isF64() ? wide : Float32Type::get(wide.getContext()); }

static LogicalResult expandExtension(arith::ExtFOp op, PatternRewriter &rewriter) {
  Type from = getElementTypeOrSelf(op.getIn()), to = getElementTypeOrSelf(op.getType());
  if (!ucmoh::isFloat8(from) || ucmoh::isFloat8(to))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Shaped s{b, op.getType()};
  Value wide = extend(s, op.getIn(), Format(from), through(to));
  if (wide.getType() == op.getType())
    rewriter.replaceOp(op, wide);
  else
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), wide);
  return success();
}

static LogicalResult expandTruncation(arith::TruncFOp op, PatternRewriter &rewriter) {
  Type from = getElementTypeOrSelf(op.getIn()), to = getElementTypeOrSelf(op.getType());
  if (!ucmoh::isFloat8(to) || ucmoh::isFloat8(from))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Shaped s{b, op.getType()};
  Value wide = op.getIn();
  if (from != through(from))
    wide = arith::ExtFOp::create(b, s.with(through(from)), wide);
  rewriter.replaceOp(op, roundTo(s, wide, Format(to), to));
  return success();
}

/// Numbers that no integer of the type has are undefined for arith.fptosi, and each CPU makes
/// something else of them. Importers write it for unsigned bytes, too, so that the last bits of a
/// wider integer are what is meant.
static LogicalResult wrapConversion(arith::FPToSIOp op, PatternRewriter &rewriter) {
  Type narrow = getElementTypeOrSelf(op.getType());
  unsigned bits = narrow.getIntOrFloatBitWidth();
  double limit = std::ldexp(1.0, bits - 1);
  if (bits >= 32 || ucmoh::boundFloat(op.getIn()).within(-limit, limit - 1))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Value wide = arith::FPToSIOp::create(b, Shaped{b, op.getType()}.integer(32), op.getIn());
  rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), wide);
  return success();
}

/// LLVM has no tf32, and its conversion of functions does not survive a type that it lacks.
static LogicalResult refuseTF32(FunctionOpInterface function) {
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(), function.getResultTypes()))
    if (isa<FloatTF32Type>(getElementTypeOrSelf(type)))
      return function.emitOpError("passes elements of type tf32, which are no type of memory: "
                                  "pass them as f32");
  return success();
}

namespace {
struct ExpandFloatsPass : ucmoh::impl::ExpandFloatsBase<ExpandFloatsPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(expandExtension);
    patterns.add(expandTruncation);
    patterns.add(wrapConversion);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), ucmoh::patternsOnly())))
      return signalPassFailure();
    getOperation()->walk([&](FunctionOpInterface function) {
      if (failed(refuseTF32(function)))
        signalPassFailure();
    });
  }
};
} // namespace
