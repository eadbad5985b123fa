//===- ConvertInstructions.cpp - cvt --------------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFamily.h"

using namespace ucmoh::ptx;

namespace {

double decodeAny(Type type, uint64_t bits) {
  return type == Type::F64 ? llvm::bit_cast<double>(bits) : decodeFloat(type, uint32_t(bits));
}

uint64_t encodeAny(const Instruction &instruction, Type type, double value) {
  if (type == Type::F64)
    return llvm::bit_cast<uint64_t>(value);
  return encodeFloat(type, value, instruction.rounding, instruction.saturate);
}

double roundToInteger(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

int64_t smallest(Type type) { return isSigned(type) ? -(int64_t(1) << (bitsOf(type) - 1)) : 0; }
uint64_t largest(Type type) { return ~uint64_t(0) >> (64 - bitsOf(type) + isSigned(type)); }

/// The integer of a type in the low bits of a lane, extended to 64 bits.
uint64_t extend(Type type, uint64_t bits) {
  unsigned unused = 64 - bitsOf(type);
  return isSigned(type) ? uint64_t(int64_t(bits << unused) >> unused) : bits << unused >> unused;
}

void convertIntegers(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  Type from = instruction.sourceType, to = instruction.type;
  __int128 low = smallest(to), high = largest(to);
  forEachLane(lanes, [&](unsigned i) {
    uint64_t bits = extend(from, a[i]);
    if (!instruction.saturate) {
      d[i] = extend(to, bits);
      return;
    }
    __int128 value = isSigned(from) ? __int128(int64_t(bits)) : __int128(bits);
    d[i] = uint64_t(std::clamp(value, low, high));
  });
}

uint64_t floatToInteger(Type type, double value, Rounding rounding) {
  if (std::isnan(value))
    return bitsOf(type) == 64 ? uint64_t(1) << 63 : 0;
  double rounded = roundToInteger(value, rounding);
  if (rounded <= double(smallest(type)))
    return uint64_t(smallest(type));
  if (rounded >= double(largest(type)))
    return largest(type);
  return isSigned(type) ? uint64_t(int64_t(rounded)) : uint64_t(rounded);
}

void convertFloatToInteger(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  forEachLane(lanes, [&](unsigned i) {
    double value = decodeAny(instruction.sourceType, a[i]);
    d[i] = floatToInteger(instruction.type, value, instruction.rounding);
  });
}

uint64_t integerToFloat(const Instruction &instruction, uint64_t bits) {
  bool isNegative = isSigned(instruction.sourceType) && int64_t(bits) < 0;
  // The two types that 64 bits must reach in one rounding; narrower integers are exact in double.
  RoundingScope scope(instruction.rounding);
  if (instruction.type == Type::F32)
    return llvm::bit_cast<uint32_t>(isNegative ? float(int64_t(bits)) : float(bits));
  double value = isNegative ? double(int64_t(bits)) : double(bits);
  return encodeAny(instruction, instruction.type, value);
}

void convertIntegerToFloat(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  forEachLane(lanes, [&](unsigned i) {
    d[i] = integerToFloat(instruction, extend(instruction.sourceType, a[i]));
  });
}

/// `mode` of conversions between floats.
enum : uint16_t { Integral = 1, Relu = 2 };

uint64_t convertFloat(const Instruction &instruction, double value) {
  if (instruction.flushDenormals && std::fabs(value) < 0x1p-126)
    value = std::copysign(0.0, value);
  if (instruction.mode & Integral)
    value = roundToInteger(value, instruction.rounding);
  if (instruction.mode & Relu && value < 0)
    value = 0;
  return encodeAny(instruction, instruction.type, value);
}

void convertFloats(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  forEachLane(lanes, [&](unsigned i) {
    d[i] = convertFloat(instruction, decodeAny(instruction.sourceType, a[i]));
  });
}

/// .sat of a conversion to a standard float clamps to [0, 1].
void convertFloatsClamped(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  forEachLane(lanes, [&](unsigned i) {
    double value = decodeAny(instruction.sourceType, a[i]);
    d[i] = convertFloat(instruction, value > 0 ? std::min(value, 1.0) : 0.0);
  });
}

/// Two floats to a pair: the first source is the upper half.
void convertToPair(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *upper = warp.operand(instruction, 1);
  uint64_t *lower = warp.operand(instruction, 2);
  unsigned width = bitsOf(instruction.type);
  forEachLane(lanes, [&](unsigned i) {
    d[i] = convertFloat(instruction, decodeAny(instruction.sourceType, upper[i])) << width |
           convertFloat(instruction, decodeAny(instruction.sourceType, lower[i]));
  });
}

/// A pair to a pair.
void convertPairs(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  unsigned from = bitsOf(instruction.sourceType), to = bitsOf(instruction.type);
  uint64_t mask = (uint64_t(1) << from) - 1;
  forEachLane(lanes, [&](unsigned i) {
    uint64_t bits = a[i];
    d[i] = convertFloat(instruction, decodeAny(instruction.sourceType, bits >> from & mask)) << to |
           convertFloat(instruction, decodeAny(instruction.sourceType, bits & mask));
  });
}

/// The type of one half of a pair, or None.
Type halfOf(Type type) {
  switch (type) {
  case Type::F16x2:
    return Type::F16;
  case Type::BF16x2:
    return Type::BF16;
  case Type::E4M3x2:
    return Type::E4M3;
  case Type::E5M2x2:
    return Type::E5M2;
  default:
    return Type::None;
  }
}

Instruction::Handler pairHandler(Instruction &instruction) {
  Type to = halfOf(instruction.type), from = halfOf(instruction.sourceType);
  instruction.type = to;
  if (from == Type::None)
    return instruction.sourceType == Type::F32 ? convertToPair : nullptr;
  instruction.sourceType = from;
  return convertPairs;
}

Instruction::Handler handlerOf(Instruction &instruction, bool clamps) {
  Type to = instruction.type, from = instruction.sourceType;
  if (halfOf(to) != Type::None)
    return pairHandler(instruction);
  if (isInteger(to) && isInteger(from))
    return convertIntegers;
  if (isInteger(to) && isFloat(from))
    return convertFloatToInteger;
  if (isFloat(to) && isInteger(from))
    return convertIntegerToFloat;
  if (isFloat(to) && isFloat(from))
    return clamps ? convertFloatsClamped : convertFloats;
  return nullptr;
}

bool decodeConvert(Builder &b) {
  Instruction &instruction = b.instruction;
  if (b.takeRounding(/*integral=*/true))
    instruction.mode |= Integral;
  else
    b.takeRounding();
  if (b.take("relu"))
    instruction.mode |= Relu;
  instruction.flushDenormals = b.take("ftz");
  bool clamps = b.take("sat");
  instruction.saturate = b.take("satfinite");
  if (!b.takeType(instruction.type) || !b.takeType(instruction.sourceType))
    return b.fail("a conversion needs two types");
  instruction.saturate |= clamps && isInteger(instruction.type);
  instruction.handler = handlerOf(instruction, clamps);
  return b.allOperands();
}

} // namespace

void ucmoh::ptx::addConvertInstructions(DecodeTable &table) { table["cvt"] = decodeConvert; }
