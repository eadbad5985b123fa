//===- ArithmeticInstructions.cpp - Arithmetic of integers and floats -----===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "FloatFamily.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh::ptx;

namespace {

template <typename T> T wrap(uint64_t value) { return T(value); }

struct Add {
  template <typename T> T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return wrap<T>(uint64_t(a) + uint64_t(b));
    else
      return a + b;
  }
};
struct Subtract {
  template <typename T> T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return wrap<T>(uint64_t(a) - uint64_t(b));
    else
      return a - b;
  }
};
/// If one operand is a NaN, the result is the other one; -0 is less than +0.
struct Minimum {
  template <typename T> T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) ? b : a;
      if (a == b)
        return std::signbit(a) ? a : b;
    }
    return a < b ? a : b;
  }
};
struct Maximum {
  template <typename T> T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) ? b : a;
      if (a == b)
        return std::signbit(a) ? b : a;
    }
    return a < b ? b : a;
  }
};
/// With .NaN, a NaN wins.
template <typename Function> struct Propagating {
  template <typename T> T operator()(T a, T b) const {
    return std::isnan(a) || std::isnan(b) ? T(NAN) : Function()(a, b);
  }
};
struct Negate {
  template <typename T> T operator()(T a) const {
    if constexpr (std::is_integral_v<T>)
      return wrap<T>(-uint64_t(a));
    else
      return -a;
  }
};
struct Absolute {
  template <typename T> T operator()(T a) const {
    if constexpr (std::is_integral_v<T>)
      return a < 0 ? wrap<T>(-uint64_t(a)) : a;
    else
      return std::fabs(a);
  }
};
struct FloatMultiply {
  template <typename T> T operator()(T a, T b) const { return a * b; }
};
struct FloatDivide {
  template <typename T> T operator()(T a, T b) const { return a / b; }
};

/// add.sat.s32 and sub.sat.s32.
template <bool negate>
void addSaturating(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2);
  forEachLane(lanes, [&](unsigned i) {
    int64_t other = int32_t(b[i]), sum = int32_t(a[i]) + (negate ? -other : other);
    d[i] = uint32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  });
}

template <typename Function, bool negate> bool decodeAdd(Builder &b) {
  if (llvm::is_contained(b.suffixes(), "cc"))
    return negate ? decodeSubtractCarry(b) : decodeAddCarry(b);
  Type type = Type::None;
  takeFloatModifiers(b);
  b.takeType(type);
  b.instruction.handler = isFloat(type) ? floatHandler<FloatBinary<Function>>(type)
                                        : integerHandler<Binary<Function>>(type);
  if (b.instruction.saturate && type == Type::S32)
    b.instruction.handler = addSaturating<negate>;
  return b.expectOperands(3) && b.allOperands();
}

bool decodeMultiply(Builder &b) {
  Type type = Type::None;
  bool isWide = b.take("wide"), isHigh = b.take("hi");
  b.take("lo");
  takeFloatModifiers(b);
  b.takeType(type);
  b.instruction.handler = isFloat(type) ? floatHandler<FloatBinary<FloatMultiply>>(type)
                                        : integerMultiplyHandler(type, isWide, isHigh);
  return b.expectOperands(3) && b.allOperands();
}

bool decodeDivide(Builder &b) {
  Type type = Type::None;
  // An approximation may be exact.
  if (!b.take("approx"))
    b.take("full");
  takeFloatModifiers(b);
  b.takeType(type);
  b.instruction.handler =
      isFloat(type) ? floatHandler<FloatBinary<FloatDivide>>(type) : integerDivideHandler(type);
  return b.expectOperands(3) && b.allOperands();
}

template <typename Function> bool decodeExtremum(Builder &b) {
  Type type = Type::None;
  bool propagates = b.take("NaN");
  takeFloatModifiers(b);
  b.takeType(type);
  if (!isFloat(type))
    b.instruction.handler = integerHandler<Binary<Function>>(type);
  else if (propagates)
    b.instruction.handler = floatHandler<FloatBinary<Propagating<Function>>>(type);
  else
    b.instruction.handler = floatHandler<FloatBinary<Function>>(type);
  return b.expectOperands(3) && b.allOperands();
}

template <typename Function> bool decodeSign(Builder &b) {
  Type type = Type::None;
  takeFloatModifiers(b);
  b.takeType(type);
  b.instruction.handler = isFloat(type) ? floatHandler<FloatUnary<Function>>(type)
                                        : integerHandler<Unary<Function>>(type);
  return b.expectOperands(2) && b.allOperands();
}

} // namespace

void ucmoh::ptx::addArithmeticInstructions(DecodeTable &table) {
  table["add"] = decodeAdd<Add, false>;
  table["sub"] = decodeAdd<Subtract, true>;
  table["mul"] = decodeMultiply;
  table["div"] = decodeDivide;
  table["min"] = decodeExtremum<Minimum>;
  table["max"] = decodeExtremum<Maximum>;
  table["neg"] = decodeSign<Negate>;
  table["abs"] = decodeSign<Absolute>;
}
