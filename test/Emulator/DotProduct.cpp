//===- DotProduct.cpp - Dot products of one 32-bit element
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DotProduct.h"
#include <algorithm>
#include <limits>

using namespace emulator;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

template <typename T> static int64_t saturateTo(int64_t value) {
  return std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

static int64_t byteOf(uint32_t word, unsigned index, bool isSigned) {
  uint8_t byte = word >> 8 * index;
  return isSigned ? static_cast<int8_t>(byte) : byte;
}

uint32_t emulator::dotBytes(uint32_t acc, uint32_t left, bool leftSigned, uint32_t right,
                            bool rightSigned, bool saturate) {
  bool isSigned = leftSigned || rightSigned;
  int64_t sum = isSigned ? static_cast<int32_t>(acc) : static_cast<int64_t>(acc);
  for (unsigned i = 0; i < 4; ++i)
    sum += byteOf(left, i, leftSigned) * byteOf(right, i, rightSigned);
  if (!saturate)
    return sum;
  return isSigned ? saturateTo<int32_t>(sum) : saturateTo<uint32_t>(sum);
}

uint32_t emulator::dotWords(uint32_t acc, uint32_t left, uint32_t right, bool saturate) {
  int64_t sum = static_cast<int32_t>(acc);
  for (unsigned shift : {0, 16})
    sum += static_cast<int64_t>(static_cast<int16_t>(left >> shift)) *
           static_cast<int16_t>(right >> shift);
  return saturate ? saturateTo<int32_t>(sum) : sum;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Evaluates one scalar instruction of this CPU with MXCSR as the emulated instructions imply it:
/// all exceptions masked, nearest even, subnormal operands (DAZ) and results (FTZ) as zero. In
/// assembly, as a compiler may move arithmetic over a change of MXCSR.
#define EVALUATE(instruction)                                                                      \
  uint32_t saved, implied = 0x9fc0;                                                                \
  asm volatile("stmxcsr %[saved]\n\tldmxcsr %[implied]\n\t" instruction "\n\tldmxcsr %[saved]"     \
               : [saved] "=m"(saved), [result] "+x"(result)                                        \
               : [implied] "m"(implied), [a] "x"(a), [b] "x"(b))

/// A float's bits in a vector register.
using Register [[gnu::vector_size(16)]] = uint32_t;

uint32_t emulator::fuseMultiplyAdd(uint32_t multiplicand, uint32_t multiplier, uint32_t addend) {
  Register a = {multiplicand}, b = {multiplier}, result = {addend};
  EVALUATE("vfmadd231ss %[b], %[a], %[result]");
  return result[0];
}

uint32_t emulator::addFloats(uint32_t first, uint32_t second) {
  Register a = {first}, b = {second}, result = {};
  EVALUATE("vaddss %[b], %[a], %[result]");
  return result[0];
}

uint32_t emulator::dotBf16(uint32_t acc, uint32_t left, uint32_t right) {
  acc = fuseMultiplyAdd(widenBf16(left >> 16), widenBf16(right >> 16), acc);
  return fuseMultiplyAdd(widenBf16(left), widenBf16(right), acc);
}

uint32_t emulator::widenF16(uint16_t bits) {
  Register a = {bits}, b = {}, result = {};
  asm("vcvtph2ps %[a], %[result]" : [result] "=x"(result) : [a] "x"(a), "x"(b));
  return result[0];
}
