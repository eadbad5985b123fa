//===- IntegerInstructions.cpp - Integer arithmetic and logic -------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "Lane.h"

using namespace ucmoh::ptx;

namespace {

template <typename T> using Wide = std::conditional_t<std::is_signed_v<T>, __int128, uint64_t>;

// Division by zero has no defined result; hardware gives all ones.
struct Divide {
  template <typename T> T operator()(T a, T b) const { return b == 0 ? T(-1) : T(Wide<T>(a) / b); }
};
struct Remainder {
  template <typename T> T operator()(T a, T b) const { return b == 0 ? a : T(Wide<T>(a) % b); }
};
struct Multiply {
  template <typename T> T operator()(T a, T b) const { return T(uint64_t(a) * uint64_t(b)); }
};
struct MultiplyHigh {
  template <typename T> T operator()(T a, T b) const {
    if constexpr (std::is_signed_v<T>)
      return T((__int128(a) * b) >> (8 * sizeof(T)));
    else
      return T((static_cast<unsigned __int128>(a) * b) >> (8 * sizeof(T)));
  }
};
struct MultiplyAdd {
  template <typename T> T operator()(T a, T b, T c) const {
    return T(uint64_t(a) * uint64_t(b) + uint64_t(c));
  }
};
struct MultiplyHighAdd {
  template <typename T> T operator()(T a, T b, T c) const {
    return T(uint64_t(MultiplyHigh()(a, b)) + uint64_t(c));
  }
};
struct SumOfDifferences {
  template <typename T> T operator()(T a, T b, T c) const {
    return T(uint64_t(c) + (a > b ? uint64_t(a) - uint64_t(b) : uint64_t(b) - uint64_t(a)));
  }
};
struct And {
  template <typename T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <typename T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
  template <typename T> T operator()(T a, T b) const { return a ^ b; }
};
struct Not {
  template <typename T> T operator()(T a) const { return ~a; }
};
struct LogicalNot {
  template <typename T> T operator()(T a) const { return a == 0; }
};

/// Double-width product, and with a third operand the sum.
template <typename Narrow, typename Result>
void multiplyWide(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2);
  uint64_t *c = instruction.slots.size() > 3 ? warp.operand(instruction, 3) : nullptr;
  forEachLane(lanes, [&](unsigned i) {
    d[i] = uint64_t(Result(Narrow(a[i]))) * uint64_t(Result(Narrow(b[i]))) + (c ? c[i] : 0);
  });
}

Instruction::Handler wideHandler(Type type) {
  switch (type) {
  case Type::U16:
    return multiplyWide<uint16_t, uint32_t>;
  case Type::S16:
    return multiplyWide<int16_t, int32_t>;
  case Type::U32:
    return multiplyWide<uint32_t, uint64_t>;
  case Type::S32:
    return multiplyWide<int32_t, int64_t>;
  default:
    return nullptr;
  }
}

template <typename Family> bool decodeInteger(Builder &b) {
  Type type = Type::None;
  b.takeType(type);
  b.instruction.handler = integerHandler<Family>(type);
  return b.allOperands();
}

/// A predicate is a bit in a lane: the operation of a wider type does.
template <typename Family> bool decodeLogic(Builder &b) {
  Type type = Type::None;
  b.takeType(type);
  b.instruction.handler = integerHandler<Family>(type == Type::Pred ? Type::U16 : type);
  return b.allOperands();
}

void notPredicate(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  forEachLane(lanes, [&](unsigned i) { d[i] = ~a[i] & 1; });
}

bool decodeNot(Builder &b) {
  bool isPredicate = b.suffixes() == llvm::ArrayRef<llvm::StringRef>("pred");
  if (!decodeLogic<Unary<Not>>(b))
    return false;
  if (isPredicate)
    b.instruction.handler = notPredicate;
  return true;
}

template <bool negate>
void addWithCarry(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2);
  bool isNarrow = bitsOf(instruction.type) == 32;
  uint64_t mask = isNarrow ? 0xffffffffu : ~uint64_t(0);
  forEachLane(lanes, [&](unsigned i) {
    // `mode` bit 0: uses the carry; bit 1: sets it. a - b is a + ~b + 1.
    unsigned __int128 sum = a[i] & mask;
    sum += (negate ? ~b[i] : b[i]) & mask;
    sum += instruction.mode & 1 ? warp.carry[i] : negate;
    d[i] = uint64_t(sum) & mask;
    if (instruction.mode & 2)
      warp.carry[i] = unsigned(sum >> (isNarrow ? 32 : 64)) & 1;
  });
}

template <bool negate> bool decodeCarry(Builder &b) {
  b.instruction.mode = (b.base().ends_with("c") ? 1 : 0) | (b.take("cc") ? 2 : 0);
  b.takeType(b.instruction.type);
  b.instruction.handler = addWithCarry<negate>;
  return b.expectOperands(3) && b.allOperands();
}

} // namespace

bool ucmoh::ptx::decodeIntegerMad(Builder &b) {
  Type type = Type::None;
  bool isWide = b.take("wide"), isHigh = b.take("hi");
  b.take("lo");
  b.takeType(type);
  b.instruction.handler = isWide   ? wideHandler(type)
                          : isHigh ? integerHandler<Ternary<MultiplyHighAdd>>(type)
                                   : integerHandler<Ternary<MultiplyAdd>>(type);
  return b.expectOperands(4) && b.allOperands();
}

Instruction::Handler ucmoh::ptx::integerMultiplyHandler(Type type, bool isWide, bool isHigh) {
  return isWide   ? wideHandler(type)
         : isHigh ? integerHandler<Binary<MultiplyHigh>>(type)
                  : integerHandler<Binary<Multiply>>(type);
}

Instruction::Handler ucmoh::ptx::integerDivideHandler(Type type) {
  return integerHandler<Binary<Divide>>(type);
}

bool ucmoh::ptx::decodeAddCarry(Builder &b) { return decodeCarry<false>(b); }
bool ucmoh::ptx::decodeSubtractCarry(Builder &b) { return decodeCarry<true>(b); }

void ucmoh::ptx::addIntegerInstructions(DecodeTable &table) {
  table["rem"] = decodeInteger<Binary<Remainder>>;
  table["sad"] = decodeInteger<Ternary<SumOfDifferences>>;
  table["and"] = decodeLogic<Binary<And>>;
  table["or"] = decodeLogic<Binary<Or>>;
  table["xor"] = decodeLogic<Binary<Xor>>;
  table["not"] = decodeNot;
  table["cnot"] = decodeInteger<Unary<LogicalNot>>;
  table["addc"] = decodeAddCarry;
  table["subc"] = decodeSubtractCarry;
}
