//===- DotProduct.h - Dot products of one 32-bit element
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_EMULATOR_DOTPRODUCT_H
#define UCMOH_TEST_EMULATOR_DOTPRODUCT_H

#include <cstdint>

namespace emulator {

/// acc + the four products of bytes, each operand signed or not; modulo 2^32, or saturated to the
/// signed range, or where both operands are unsigned, to the unsigned one.
uint32_t dotBytes(uint32_t acc, uint32_t left, bool leftSigned, uint32_t right, bool rightSigned,
                  bool saturate);

/// acc + the two products of signed 16-bit words, modulo 2^32 or saturated.
uint32_t dotWords(uint32_t acc, uint32_t left, uint32_t right, bool saturate);

/// vdpbf16ps: acc + the product of the odd elements + that of the even ones, each rounded.
uint32_t dotBf16(uint32_t acc, uint32_t left, uint32_t right);

/// The float with the bits of a bf16 in its upper half.
inline uint32_t widenBf16(uint16_t bits) { return static_cast<uint32_t>(bits) << 16; }

/// f16 to f32, exactly: also its subnormal numbers are normal ones there.
uint32_t widenF16(uint16_t bits);

/// a * b + c and a + b of floats given as bits: rounded once to nearest even, subnormal operands
/// and results taken as zero.
uint32_t fuseMultiplyAdd(uint32_t a, uint32_t b, uint32_t c);
uint32_t addFloats(uint32_t a, uint32_t b);

} // namespace emulator

#endif // UCMOH_TEST_EMULATOR_DOTPRODUCT_H
