//===- SplitRows.cpp - Rows of floats as sums of integers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ucmoh;

/// An f32 has so many bits of mantissa, and these exponents for infinity and for 1.
static constexpr int64_t mantissaBits = 23, exponentOfInfinity = 255, exponentOfOne = 127;

/// The largest magnitude of a group becomes less than 2^23, the least number that three signed
/// pieces do not hold: 127 * 65536 + 127 * 256 + 127 is 1/128 below it.
static constexpr int64_t pieceBits = 22;

/// Added to a magnitude, it lets one from 63/64 of the next exponent on count as one of that
/// exponent.
static constexpr int64_t roundUp = 1 << (mantissaBits - 6);

namespace {
/// Integer arithmetic on the bits of f32, in the body of a linalg op.
class Bits {
public:
  Bits(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  Value constant(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }
  Value magnitude(Value number) {
    if (!number.getType().isF32())
      number = arith::ExtFOp::create(b, loc, b.getF32Type(), number);
    Value bits = arith::BitcastOp::create(b, loc, b.getI32Type(), number);
    return arith::AndIOp::create(b, loc, bits, constant(0x7FFFFFFF));
  }
  /// Biased, and at least such that scales are normal numbers.
  Value exponent(Value magnitude) {
    Value rounded = arith::AddIOp::create(b, loc, magnitude, constant(roundUp));
    Value exponent = arith::ShRUIOp::create(b, loc, rounded, constant(mantissaBits));
    return arith::MaxSIOp::create(b, loc, exponent, constant(pieceBits + 1));
  }
  Value powerOfTwo(Value exponent) {
    Value bits = arith::ShLIOp::create(b, loc, exponent, constant(mantissaBits));
    return arith::BitcastOp::create(b, loc, b.getF32Type(), bits);
  }
  /// 1 where the predicate holds, else 0.
  Value test(arith::CmpIPredicate predicate, Value a, int64_t limit) {
    Value holds = arith::CmpIOp::create(b, loc, predicate, a, constant(limit));
    return arith::ExtUIOp::create(b, loc, b.getI32Type(), holds);
  }
  Value isNonFinite(Value magnitude) {
    return test(arith::CmpIPredicate::uge, magnitude, exponentOfInfinity << mantissaBits);
  }
  Value piece(Value number, Value magnitude, int64_t piece, Type type);
  Value isExtreme(Value magnitude);

private:
  OpBuilder &b;
  Location loc;
};
} // namespace

/// Bytes of a sum with 128 in each of them are the pieces plus 128.
Value Bits::piece(Value number, Value magnitude, int64_t piece, Type type) {
  Value inverse =
      arith::SubIOp::create(b, loc, constant(2 * exponentOfOne + pieceBits), exponent(magnitude));
  Value scaled = arith::MulFOp::create(b, loc, number, powerOfTwo(inverse));
  Value rounded = math::RoundEvenOp::create(b, loc, scaled);
  Value integer = arith::FPToSIOp::create(b, loc, b.getI32Type(), rounded);
  Value bytes = arith::AddIOp::create(b, loc, integer, constant(0x808080));
  Value byte = arith::ShRUIOp::create(b, loc, bytes, constant(8 * piece));
  byte = arith::AndIOp::create(b, loc, byte, constant(255));
  byte = arith::SubIOp::create(b, loc, byte, constant(128));
  return arith::TruncIOp::create(b, loc, type, byte);
}

Value Bits::isExtreme(Value magnitude) {
  Value least = test(arith::CmpIPredicate::ult, magnitude, (pieceBits + 1) << mantissaBits);
  Value some = test(arith::CmpIPredicate::ne, magnitude, 0);
  Value isTiny = arith::AndIOp::create(b, loc, least, some);
  return arith::OrIOp::create(b, loc, isTiny, isNonFinite(magnitude));
}

//===----------------------------------------------------------------------===//
// Ops on tensors
//===----------------------------------------------------------------------===//

using Body = llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;

/// An op over the dims of the first map. Dims that the last map lacks are reduced.
static Value compute(OpBuilder &builder, Location loc, ValueRange inputs, Value output,
                     ArrayRef<AffineMap> maps, Body body) {
  SmallVector<utils::IteratorType> iterators(maps.back().getNumDims(),
                                             utils::IteratorType::reduction);
  for (AffineExpr expr : maps.back().getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      iterators[dim.getPosition()] = utils::IteratorType::parallel;
  return linalg::GenericOp::create(builder, loc, output.getType(), inputs, output, maps, iterators,
                                   [&](OpBuilder &b, Location l, ValueRange arguments) {
                                     linalg::YieldOp::create(b, l, body(b, l, arguments));
                                   })
      .getResult(0);
}

static Value empty(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type type) {
  return tensor::EmptyOp::create(builder, loc, shape, type);
}

static Value zeros(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type type) {
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return linalg::FillOp::create(builder, loc, zero, empty(builder, loc, shape, type)).getResult(0);
}

/// The largest magnitude of each row's groups, as the bits of an f32.
static Value magnitudes(OpBuilder &builder, Location loc, Value rows) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(rows.getType()).getShape();
  AffineMap all = builder.getMultiDimIdentityMap(3);
  return compute(builder, loc, rows, zeros(builder, loc, shape.drop_back(), builder.getI32Type()),
                 {all, all.getMajorSubMap(2)}, [](OpBuilder &b, Location l, ValueRange arguments) {
                   Value magnitude = Bits(b, l).magnitude(arguments[0]);
                   return arith::MaxUIOp::create(b, l, arguments[1], magnitude).getResult();
                 });
}

/// Whether the test holds of any magnitude.
static Value any(OpBuilder &builder, Location loc, Value magnitudes,
                 llvm::function_ref<Value(Bits &, Value)> test) {
  AffineMap all = builder.getMultiDimIdentityMap(2);
  AffineMap one = AffineMap::get(2, 0, builder.getAffineConstantExpr(0));
  return compute(builder, loc, magnitudes, zeros(builder, loc, {1}, builder.getI32Type()),
                 {all, one}, [&](OpBuilder &b, Location l, ValueRange arguments) {
                   Bits bits(b, l);
                   Value holds = test(bits, arguments[0]);
                   return arith::OrIOp::create(b, l, arguments[1], holds).getResult();
                 });
}

Value ucmoh::hasNonFinite(OpBuilder &builder, Location loc, Value rows) {
  return any(builder, loc, magnitudes(builder, loc, rows),
             [](Bits &bits, Value magnitude) { return bits.isNonFinite(magnitude); });
}

SplitRows ucmoh::splitRows(OpBuilder &builder, Location loc, Value rows, Type type) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(rows.getType()).getShape();
  Value largest = magnitudes(builder, loc, rows);
  SplitRows split;
  AffineMap two = builder.getMultiDimIdentityMap(2);
  split.scales =
      compute(builder, loc, largest, empty(builder, loc, shape.drop_back(), builder.getF32Type()),
              {two, two}, [](OpBuilder &b, Location l, ValueRange arguments) {
                Bits bits(b, l);
                Value exponent = arith::SubIOp::create(b, l, bits.exponent(arguments[0]),
                                                       bits.constant(pieceBits));
                return bits.powerOfTwo(exponent);
              });
  split.isExtreme = any(builder, loc, largest,
                        [](Bits &bits, Value magnitude) { return bits.isExtreme(magnitude); });
  AffineMap all = builder.getMultiDimIdentityMap(3);
  AffineExpr group = builder.getAffineDimExpr(0), row = builder.getAffineDimExpr(1),
             step = builder.getAffineDimExpr(2);
  AffineMap element = AffineMap::get(3, 0, {row, group, step}, builder.getContext());
  AffineMap ofGroup = AffineMap::get(3, 0, {row, group}, builder.getContext());
  for (int64_t piece : {2, 1, 0})
    split.pieces.push_back(compute(
        builder, loc, {rows, largest}, empty(builder, loc, {shape[1], shape[0], shape[2]}, type),
        {element, ofGroup, all}, [&](OpBuilder &b, Location l, ValueRange arguments) {
          return Bits(b, l).piece(arguments[0], arguments[1], piece, type);
        }));
  return split;
}
