//===- FloatFormat.h - Narrow floating-point formats ------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_FLOATFORMAT_H
#define UCMOH_PTXINTERPRETER_FLOATFORMAT_H

#include "Type.h"

namespace ucmoh::ptx {

/// How an inexact value is rounded: to even, away from zero at a tie (.rna), towards zero, down,
/// up.
enum class Rounding : uint8_t { NearestEven, NearestAway, Zero, Down, Up };

/// The value of the bits of a floating-point type of at most 32 bits; a pair is not one value.
float decodeFloat(Type type, uint32_t bits);

/// The bits of `value` in a type of at most 32 bits. Too large gives infinity, or the largest
/// finite value if `saturate` or if the type has no infinity (e4m3).
uint32_t encodeFloat(Type type, double value, Rounding rounding = Rounding::NearestEven,
                     bool saturate = false);

float halfToFloat(uint16_t bits);
inline uint16_t floatToHalf(double value) { return encodeFloat(Type::F16, value); }

/// `a * b + c`, rounded to odd in double: rounding that to a type of at most 32 bits gives what one
/// rounding of the exact sum would give.
double fusedToOdd(double a, double b, double c);

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_FLOATFORMAT_H
