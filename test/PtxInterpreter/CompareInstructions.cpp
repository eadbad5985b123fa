//===- CompareInstructions.cpp - Comparisons and selections ---------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "Lane.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ucmoh::ptx;

namespace {

/// The relation of a comparison: which of less, equal, greater and unordered make it true.
enum Relation : uint16_t { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };
/// Above the relation in `mode`: how a third predicate is combined.
enum Combination : uint16_t { CombineNone, CombineAnd = 16, CombineOr = 32, CombineXor = 48 };
constexpr uint16_t negatesThird = 64;

std::optional<uint16_t> parseRelation(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<uint16_t>>(suffix)
      .Case("eq", Equal)
      .Case("ne", Less | Greater)
      .Cases({"lt", "lo"}, Less)
      .Cases({"le", "ls"}, Less | Equal)
      .Cases({"gt", "hi"}, Greater)
      .Cases({"ge", "hs"}, Greater | Equal)
      .Case("equ", Equal | Unordered)
      .Case("neu", Less | Greater | Unordered)
      .Case("ltu", Less | Unordered)
      .Case("leu", Less | Equal | Unordered)
      .Case("gtu", Greater | Unordered)
      .Case("geu", Greater | Equal | Unordered)
      .Case("num", Less | Equal | Greater)
      .Case("nan", Unordered)
      .Default(std::nullopt);
}

std::optional<uint16_t> parseCombination(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<uint16_t>>(suffix)
      .Case("and", CombineAnd)
      .Case("or", CombineOr)
      .Case("xor", CombineXor)
      .Default(std::nullopt);
}

template <typename T> bool holds(uint16_t mode, T a, T b) {
  uint16_t relation = a < b ? Less : a == b ? Equal : a > b ? Greater : Unordered;
  return mode & relation;
}

bool combine(uint16_t mode, bool first, bool third) {
  third ^= bool(mode & negatesThird);
  switch (mode & CombineXor) {
  case CombineAnd:
    return first && third;
  case CombineOr:
    return first || third;
  case CombineXor:
    return first != third;
  default:
    return first;
  }
}

/// setp: one predicate, or two of which the second has the opposite comparison.
template <Type type> void setPredicate(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  unsigned first = instruction.numResults;
  uint64_t *p = warp.operand(instruction, 0);
  uint64_t *q = first > 1 ? warp.operand(instruction, 1) : nullptr;
  uint64_t *a = warp.operand(instruction, first), *b = warp.operand(instruction, first + 1);
  uint64_t *c = instruction.slots.size() > first + 2 ? warp.operand(instruction, first + 2) : a;
  forEachLane(lanes, [&](unsigned i) {
    bool third = c[i] & 1;
    bool result = holds(instruction.mode, Lane<type>::get(a[i]), Lane<type>::get(b[i]));
    if (q)
      q[i] = combine(instruction.mode, !result, third);
    p[i] = combine(instruction.mode, result, third);
  });
}

/// setp of a pair: a predicate for each half.
template <Type half>
void setPairPredicate(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  unsigned first = instruction.numResults;
  uint64_t *p = warp.operand(instruction, 0), *q = warp.operand(instruction, first > 1 ? 1 : 0);
  uint64_t *a = warp.operand(instruction, first), *b = warp.operand(instruction, first + 1);
  forEachLane(lanes, [&](unsigned i) {
    uint64_t x = a[i], y = b[i];
    q[i] = holds(instruction.mode, Lane<half>::get(x >> 16), Lane<half>::get(y >> 16));
    p[i] = holds(instruction.mode, Lane<half>::get(x), Lane<half>::get(y));
  });
}
template <> void setPredicate<Type::F16x2>(Warp &w, const Instruction &i, LaneMask lanes) {
  setPairPredicate<Type::F16>(w, i, lanes);
}
template <> void setPredicate<Type::BF16x2>(Warp &w, const Instruction &i, LaneMask lanes) {
  setPairPredicate<Type::BF16>(w, i, lanes);
}

struct SetPredicate {
  template <Type type> static constexpr Instruction::Handler handler = setPredicate<type>;
};

bool takeComparison(Builder &b) {
  uint16_t combination = 0;
  if (!b.takeAny<uint16_t>(b.instruction.mode, parseRelation))
    return b.fail("no comparison operator");
  b.takeAny<uint16_t>(combination, parseCombination);
  b.instruction.mode |= combination;
  b.instruction.flushDenormals = b.take("ftz");
  if (b.numOperands() > 3 && b.operand(3).negated)
    b.instruction.mode |= negatesThird;
  return true;
}

bool decodeSetPredicate(Builder &b) {
  Type type = Type::None;
  if (!takeComparison(b))
    return false;
  b.takeType(type);
  b.instruction.handler =
      isFloat(type) ? floatHandler<SetPredicate>(type) : integerHandler<SetPredicate>(type);
  return b.allOperands();
}

/// set: all ones (or 1.0) instead of a predicate.
template <Type type> void setValue(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0);
  setPredicate<type>(warp, instruction, lanes);
  uint64_t one = instruction.type == Type::F32 ? 0x3f800000 : 0xffffffff;
  forEachLane(lanes, [&](unsigned i) { d[i] = d[i] ? one : 0; });
}
struct SetValue {
  template <Type type> static constexpr Instruction::Handler handler = setValue<type>;
};

bool decodeSet(Builder &b) {
  Type source = Type::None;
  if (!takeComparison(b))
    return false;
  b.takeType(b.instruction.type);
  b.takeType(source);
  if (bitsOf(b.instruction.type) != 32 || bitsOf(source) < 32)
    return b.fail("set is supported from and to 32 bits only");
  b.instruction.handler =
      isFloat(source) ? floatHandler<SetValue>(source) : integerHandler<SetValue>(source);
  return b.allOperands();
}

void select(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2), *p = warp.operand(instruction, 3);
  forEachLane(lanes, [&](unsigned i) { d[i] = p[i] & 1 ? a[i] : b[i]; });
}

bool decodeSelect(Builder &b) {
  b.takeType(b.instruction.type);
  b.instruction.handler = select;
  return b.expectOperands(4) && b.allOperands();
}

/// slct: the sign of the third operand selects.
template <Type type> void selectBySign(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2), *c = warp.operand(instruction, 3);
  forEachLane(lanes, [&](unsigned i) { d[i] = Lane<type>::get(c[i]) >= 0 ? a[i] : b[i]; });
}

bool decodeSelectBySign(Builder &b) {
  b.instruction.flushDenormals = b.take("ftz");
  b.takeType(b.instruction.type);
  Type sign = Type::None;
  b.takeType(sign);
  b.instruction.handler = sign == Type::F32 ? selectBySign<Type::F32> : selectBySign<Type::S32>;
  return b.expectOperands(4) && b.allOperands();
}

/// testp: what kind of number this is, as `mode`.
template <Type type> void testKind(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  static constexpr int kinds[] = {FP_INFINITE, FP_NAN, FP_NORMAL, FP_SUBNORMAL};
  uint64_t *p = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  forEachLane(lanes, [&](unsigned i) {
    auto value = Lane<type>::get(a[i]);
    p[i] = instruction.mode == 4   ? std::isfinite(value)
           : instruction.mode == 5 ? !std::isnan(value)
                                   : std::fpclassify(value) == kinds[instruction.mode];
  });
}

bool decodeTestKind(Builder &b) {
  static constexpr llvm::StringRef kinds[] = {"infinite",  "notanumber", "normal",
                                              "subnormal", "finite",     "number"};
  while (b.instruction.mode < 6 && !b.take(kinds[b.instruction.mode]))
    ++b.instruction.mode;
  b.takeType(b.instruction.type);
  b.instruction.handler =
      b.instruction.type == Type::F64 ? testKind<Type::F64> : testKind<Type::F32>;
  return b.instruction.mode < 6 && b.expectOperands(2) && b.allOperands();
}

} // namespace

void ucmoh::ptx::addCompareInstructions(DecodeTable &table) {
  table["setp"] = decodeSetPredicate;
  table["set"] = decodeSet;
  table["selp"] = decodeSelect;
  table["slct"] = decodeSelectBySign;
  table["testp"] = decodeTestKind;
}
