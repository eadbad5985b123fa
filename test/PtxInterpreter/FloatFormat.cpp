//===- FloatFormat.cpp - Narrow floating-point formats --------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFormat.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace ucmoh::ptx;

namespace {

/// Sign, exponent and mantissa, and the bits of the largest finite value and of the NaN.
struct Format {
  int exponentBits;
  int mantissaBits;
  uint32_t largest;
  uint32_t nan;
  bool hasInfinity;
};

Format formatOf(Type type) {
  switch (type) {
  case Type::F16:
    return {5, 10, 0x7bff, 0x7fff, true};
  case Type::BF16:
    return {8, 7, 0x7f7f, 0x7fff, true};
  case Type::TF32:
    return {8, 10, 0x3fbff, 0x3ffff, true};
  case Type::E4M3:
    return {4, 3, 0x7e, 0x7f, false};
  case Type::E5M2:
    return {5, 2, 0x7b, 0x7f, true};
  default:
    return {8, 23, 0x7f7fffff, 0x7fffffff, true};
  }
}

double roundMagnitude(double magnitude, bool negative, Rounding rounding) {
  switch (rounding) {
  case Rounding::NearestEven:
    return std::nearbyint(magnitude);
  case Rounding::NearestAway:
    return std::floor(magnitude + 0.5);
  case Rounding::Zero:
    return std::floor(magnitude);
  case Rounding::Down:
    return negative ? std::ceil(magnitude) : std::floor(magnitude);
  case Rounding::Up:
    return negative ? std::floor(magnitude) : std::ceil(magnitude);
  }
  return magnitude;
}

/// Whether a value beyond the largest stays finite in this direction.
bool staysFinite(bool negative, Rounding rounding) {
  return rounding == Rounding::Zero || (rounding == Rounding::Down && !negative) ||
         (rounding == Rounding::Up && negative);
}

uint32_t encodeMagnitude(const Format &format, double magnitude, bool negative, Rounding rounding,
                         bool saturate) {
  bool infinite = std::isinf(magnitude);
  uint64_t bits = uint64_t(format.largest) + 1;
  if (!infinite) {
    int smallest = 2 - (1 << (format.exponentBits - 1));
    int exponent = magnitude == 0 ? smallest : std::max(std::ilogb(magnitude), smallest);
    double quanta = std::ldexp(magnitude, format.mantissaBits - exponent);
    bits = (uint64_t(exponent - smallest) << format.mantissaBits) +
           uint64_t(roundMagnitude(quanta, negative, rounding));
  }
  if (bits <= format.largest)
    return bits;
  bool finite = saturate || (!infinite && staysFinite(negative, rounding));
  if (finite)
    return format.largest;
  return format.hasInfinity ? ((1u << format.exponentBits) - 1) << format.mantissaBits : format.nan;
}

} // namespace

float ucmoh::ptx::halfToFloat(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = (bits >> 10) & 31;
  uint32_t mantissa = bits & 0x3ff;
  if (exponent == 0) {
    float magnitude = float(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return llvm::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

float ucmoh::ptx::decodeFloat(Type type, uint32_t bits) {
  switch (type) {
  case Type::F16:
    return halfToFloat(bits);
  case Type::BF16:
    return llvm::bit_cast<float>(bits << 16);
  case Type::TF32:
    return llvm::bit_cast<float>(bits & 0xffffe000u);
  case Type::E5M2:
    return halfToFloat((bits & 0xff) << 8);
  case Type::E4M3: {
    if ((bits & 0x7f) == 0x7f)
      return NAN;
    // Seven mantissa bits to the left and a bias of 7 instead of 15.
    float magnitude = halfToFloat((bits & 0x7f) << 7) * 256;
    return bits & 0x80 ? -magnitude : magnitude;
  }
  default:
    return llvm::bit_cast<float>(bits);
  }
}

uint32_t ucmoh::ptx::encodeFloat(Type type, double value, Rounding rounding, bool saturate) {
  if (type == Type::F32 && rounding == Rounding::NearestEven && !saturate)
    return llvm::bit_cast<uint32_t>(float(value));
  Format format = formatOf(type);
  uint32_t bits = format.nan;
  if (!std::isnan(value)) {
    bool negative = std::signbit(value);
    bits = encodeMagnitude(format, std::fabs(value), negative, rounding, saturate);
    bits |= uint32_t(negative) << (format.exponentBits + format.mantissaBits);
  }
  // A tf32 lives in the upper bits of a 32-bit register.
  return type == Type::TF32 ? bits << 13 : bits;
}

double ucmoh::ptx::fusedToOdd(double a, double b, double c) {
  double product = a * b, sum = product + c;
  double back = sum - product;
  double error = (product - (sum - back)) + (c - back);
  if (error == 0 || !std::isfinite(sum))
    return sum;
  auto bits = llvm::bit_cast<uint64_t>(sum);
  if (bits & 1)
    return sum;
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}
