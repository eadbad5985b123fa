//===- Lane.h - Handlers from functions of one lane's values ----*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_LANE_H
#define UCMOH_PTXINTERPRETER_LANE_H

#include "Warp.h"
#include <cfenv>
#include <cmath>

namespace ucmoh::ptx {

/// How a value of a type lies in the 64 bits of a lane.
template <Type type> struct Lane;

template <typename Integer> struct IntegerLane {
  using Value = Integer;
  static Value get(uint64_t bits) { return Value(bits); }
  static uint64_t set(Value value) { return uint64_t(value); }
};
template <> struct Lane<Type::U8> : IntegerLane<uint8_t> {};
template <> struct Lane<Type::U16> : IntegerLane<uint16_t> {};
template <> struct Lane<Type::U32> : IntegerLane<uint32_t> {};
template <> struct Lane<Type::U64> : IntegerLane<uint64_t> {};
template <> struct Lane<Type::S8> : IntegerLane<int8_t> {};
template <> struct Lane<Type::S16> : IntegerLane<int16_t> {};
template <> struct Lane<Type::S32> : IntegerLane<int32_t> {};
template <> struct Lane<Type::S64> : IntegerLane<int64_t> {};

template <> struct Lane<Type::F32> {
  using Value = float;
  static Value get(uint64_t bits) { return llvm::bit_cast<float>(uint32_t(bits)); }
  /// PTX has one NaN as the result of f32 arithmetic.
  static uint64_t set(Value value) {
    return value != value ? 0x7fffffff : llvm::bit_cast<uint32_t>(value);
  }
};
template <> struct Lane<Type::F64> {
  using Value = double;
  static Value get(uint64_t bits) { return llvm::bit_cast<double>(bits); }
  static uint64_t set(Value value) { return llvm::bit_cast<uint64_t>(value); }
};

/// Narrow floats are computed in double, which is wide enough that the second rounding is harmless.
template <Type type> struct NarrowLane {
  using Value = double;
  static Value get(uint64_t bits) { return decodeFloat(type, bits & 0xffff); }
  static uint64_t set(Value value) { return encodeFloat(type, value); }
};
template <> struct Lane<Type::F16> : NarrowLane<Type::F16> {};
template <> struct Lane<Type::BF16> : NarrowLane<Type::BF16> {};

/// One lane's result of a function of values; a packed type does it twice.
template <Type type> struct Evaluate {
  template <typename Function, typename... Bits>
  static uint64_t run(Function function, Bits... bits) {
    return Lane<type>::set(function(Lane<type>::get(bits)...));
  }
};
template <Type half> struct EvaluatePair {
  template <typename Function, typename... Bits>
  static uint64_t run(Function function, Bits... bits) {
    return Evaluate<half>::run(function, (bits & 0xffff)...) |
           Evaluate<half>::run(function, (bits >> 16 & 0xffff)...) << 16;
  }
};
template <> struct Evaluate<Type::F16x2> : EvaluatePair<Type::F16> {};
template <> struct Evaluate<Type::BF16x2> : EvaluatePair<Type::BF16> {};

/// Handlers: the result is operand 0, the arguments follow.
template <Type type, typename Function>
void applyUnary(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  forEachLane(lanes, [&](unsigned i) { d[i] = Evaluate<type>::run(Function(), a[i]); });
}
template <Type type, typename Function>
void applyBinary(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2);
  forEachLane(lanes, [&](unsigned i) { d[i] = Evaluate<type>::run(Function(), a[i], b[i]); });
}
template <Type type, typename Function>
void applyTernary(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2), *c = warp.operand(instruction, 3);
  forEachLane(lanes, [&](unsigned i) { d[i] = Evaluate<type>::run(Function(), a[i], b[i], c[i]); });
}

/// A family of handlers, one for each type.
template <typename Function> struct Unary {
  template <Type type> static constexpr Instruction::Handler handler = applyUnary<type, Function>;
};
template <typename Function> struct Binary {
  template <Type type> static constexpr Instruction::Handler handler = applyBinary<type, Function>;
};
template <typename Function> struct Ternary {
  template <Type type> static constexpr Instruction::Handler handler = applyTernary<type, Function>;
};

/// The handler of a family for an integer type, or null.
template <typename Family> Instruction::Handler integerHandler(Type type) {
  switch (type) {
  case Type::U16:
    return Family::template handler<Type::U16>;
  case Type::U32:
    return Family::template handler<Type::U32>;
  case Type::U64:
    return Family::template handler<Type::U64>;
  case Type::S16:
    return Family::template handler<Type::S16>;
  case Type::S32:
    return Family::template handler<Type::S32>;
  case Type::S64:
    return Family::template handler<Type::S64>;
  default:
    return nullptr;
  }
}

/// The handler of a family for a floating-point type, or null.
template <typename Family> Instruction::Handler floatHandler(Type type) {
  switch (type) {
  case Type::F16:
    return Family::template handler<Type::F16>;
  case Type::BF16:
    return Family::template handler<Type::BF16>;
  case Type::F16x2:
    return Family::template handler<Type::F16x2>;
  case Type::BF16x2:
    return Family::template handler<Type::BF16x2>;
  case Type::F32:
    return Family::template handler<Type::F32>;
  case Type::F64:
    return Family::template handler<Type::F64>;
  default:
    return nullptr;
  }
}

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_LANE_H
