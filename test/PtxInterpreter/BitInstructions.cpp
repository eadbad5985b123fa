//===- BitInstructions.cpp - Shifts and bit fields ------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "Lane.h"

using namespace ucmoh::ptx;

namespace {

/// Shifts take a 32-bit amount, and one that is too large shifts everything out.
template <typename T> struct ShiftLeft {
  static uint64_t run(T a, uint32_t by) {
    return by >= 8 * sizeof(T) ? 0 : uint64_t(T(uint64_t(a) << by));
  }
};
template <typename T> struct ShiftRight {
  static uint64_t run(T a, uint32_t by) {
    return uint64_t(T(a >> std::min<uint32_t>(by, 8 * sizeof(T) - 1)) *
                    T(std::is_signed_v<T> || by < 8 * sizeof(T)));
  }
};

template <template <typename> class Shift, typename T>
void shift(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2);
  forEachLane(lanes, [&](unsigned i) { d[i] = Shift<T>::run(T(a[i]), uint32_t(b[i])); });
}
template <template <typename> class Shift> struct ShiftFamily {
  template <Type type>
  static constexpr Instruction::Handler handler = shift<Shift, typename Lane<type>::Value>;
};

template <typename Family> bool decodeTyped(Builder &b) {
  b.takeType(b.instruction.type);
  b.instruction.handler = integerHandler<Family>(b.instruction.type);
  return b.allOperands();
}

struct PopulationCount {
  template <typename T> T operator()(T a) const { return llvm::popcount(uint64_t(a)); }
};
struct LeadingZeros {
  template <typename T> T operator()(T a) const {
    return llvm::countl_zero(std::make_unsigned_t<T>(a));
  }
};
struct Reverse {
  template <typename T> T operator()(T a) const {
    T result = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i)
      result |= T((uint64_t(a) >> i & 1) << (8 * sizeof(T) - 1 - i));
    return result;
  }
};
/// The place of the most significant bit that differs from the sign; -1 if there is none.
struct FindBit {
  template <typename T> T operator()(T a) const {
    uint64_t bits = std::make_unsigned_t<T>(std::is_signed_v<T> && a < 0 ? ~a : a);
    return bits ? T(63 - llvm::countl_zero(bits)) : T(-1);
  }
};
template <typename T> T extractField(T a, uint32_t position, uint32_t length) {
  constexpr unsigned width = 8 * sizeof(T);
  position &= 255;
  length &= 255;
  if (length == 0)
    return 0;
  unsigned last = std::min<unsigned>(position + length - 1, width - 1);
  uint64_t bits = position < width ? uint64_t(std::make_unsigned_t<T>(a)) >> position : 0;
  uint64_t mask = length >= 64 ? ~uint64_t(0) : (uint64_t(1) << length) - 1;
  bool sign = std::is_signed_v<T> && (uint64_t(a) >> last & 1);
  unsigned kept = position < width ? std::min(length, width - position) : 0;
  uint64_t field = bits & mask;
  return T(sign && kept < 64 ? field | ~uint64_t(0) << kept : field);
}
struct ExtractField {
  template <typename T> T operator()(T a, T position, T length) const {
    return extractField<T>(a, position, length);
  }
};

void insertField(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2), *c = warp.operand(instruction, 3);
  uint64_t *length = warp.operand(instruction, 4);
  forEachLane(lanes, [&](unsigned i) {
    unsigned position = c[i] & 255, count = length[i] & 255;
    uint64_t mask = count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
    mask = position >= 64 ? 0 : mask << position;
    uint64_t field = position >= 64 ? 0 : a[i] << position;
    d[i] = (b[i] & ~mask) | (field & mask);
  });
}

bool decodeInsertField(Builder &b) {
  b.takeType(b.instruction.type);
  b.instruction.handler = insertField;
  return b.expectOperands(5) && b.allOperands();
}

/// shf: the two registers as one of 64 bits.
template <bool isLeft, bool wraps>
void funnelShift(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *low = warp.operand(instruction, 1);
  uint64_t *high = warp.operand(instruction, 2), *by = warp.operand(instruction, 3);
  forEachLane(lanes, [&](unsigned i) {
    uint64_t both = uint64_t(uint32_t(low[i])) | high[i] << 32;
    uint32_t amount = wraps ? by[i] & 31 : std::min<uint32_t>(by[i], 32);
    d[i] = isLeft ? uint32_t(both << amount >> 32) : uint32_t(both >> amount);
  });
}

bool decodeFunnelShift(Builder &b) {
  bool isLeft = b.take("l"), wraps = b.take("wrap");
  if (!isLeft)
    b.take("r");
  if (!wraps)
    b.take("clamp");
  b.take("b32");
  b.instruction.handler = isLeft ? (wraps ? funnelShift<true, true> : funnelShift<true, false>)
                                 : (wraps ? funnelShift<false, true> : funnelShift<false, false>);
  return b.expectOperands(4) && b.allOperands();
}

/// prmt without a mode: each nibble of the selector takes a byte; its top bit repeats the sign.
void permute(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2), *selector = warp.operand(instruction, 3);
  forEachLane(lanes, [&](unsigned i) {
    uint64_t bytes = uint64_t(uint32_t(a[i])) | b[i] << 32, result = 0;
    for (unsigned k = 0; k < 4; ++k) {
      unsigned nibble = selector[i] >> (4 * k) & 15;
      uint64_t byte = bytes >> (8 * (nibble & 7)) & 255;
      if (nibble & 8)
        byte = byte & 128 ? 255 : 0;
      result |= byte << (8 * k);
    }
    d[i] = result;
  });
}

bool decodePermute(Builder &b) {
  b.take("b32");
  b.instruction.handler = permute;
  return b.expectOperands(4) && b.allOperands();
}

/// lop3: the immediate is the truth table.
void logic3(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t *b = warp.operand(instruction, 2), *c = warp.operand(instruction, 3);
  uint64_t *table = warp.operand(instruction, 4);
  forEachLane(lanes, [&](unsigned i) {
    uint32_t result = 0;
    for (unsigned k = 0; k < 8; ++k)
      if (table[i] >> k & 1)
        result |= uint32_t(k & 4 ? a[i] : ~a[i]) & uint32_t(k & 2 ? b[i] : ~b[i]) &
                  uint32_t(k & 1 ? c[i] : ~c[i]);
    d[i] = result;
  });
}

bool decodeLogic3(Builder &b) {
  b.take("b32");
  b.instruction.handler = logic3;
  return b.expectOperands(5) && b.allOperands();
}

} // namespace

void ucmoh::ptx::addBitInstructions(DecodeTable &table) {
  table["shl"] = decodeTyped<ShiftFamily<ShiftLeft>>;
  table["shr"] = decodeTyped<ShiftFamily<ShiftRight>>;
  table["popc"] = decodeTyped<Unary<PopulationCount>>;
  table["clz"] = decodeTyped<Unary<LeadingZeros>>;
  table["brev"] = decodeTyped<Unary<Reverse>>;
  table["bfind"] = decodeTyped<Unary<FindBit>>;
  table["bfe"] = decodeTyped<Ternary<ExtractField>>;
  table["bfi"] = decodeInsertField;
  table["shf"] = decodeFunnelShift;
  table["prmt"] = decodePermute;
  table["lop3"] = decodeLogic3;
}
