//===- Multiply.h - Arithmetic of tensor instructions -----------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_MULTIPLY_H
#define UCMOH_PTXINTERPRETER_MULTIPLY_H

#include "Fragment.h"
#include "Kernel.h"
#include <cmath>

namespace ucmoh::ptx {

/// 32-bit registers (64-bit ones for f64) a lane needs for its share of `elements`.
inline unsigned registersOf(unsigned elements, Type type) {
  return elements * std::min(bitsOf(type), 32u) / 32 / warpSize;
}

/// An element in the low bits of `word` as the type of the accumulation.
template <typename T> T decodeElement(Type type, uint64_t word);
template <> inline float decodeElement<float>(Type type, uint64_t word) {
  return decodeFloat(type, uint32_t(word));
}
template <> inline double decodeElement<double>(Type, uint64_t word) {
  return llvm::bit_cast<double>(word);
}
template <> inline int64_t decodeElement<int64_t>(Type type, uint64_t word) {
  unsigned unused = 64 - bitsOf(type);
  return isSigned(type) ? int64_t(word << unused) >> unused : int64_t(word << unused >> unused);
}

/// The bits of c + sum over k of a(row, k) b(k, column). Order of floating-point sums: from k = 0
/// upwards, starting with c, each product exact, each sum rounded to f32; a sum of type f16 is
/// rounded to that once, at the end. Hardware adds several products at once and keeps fewer bits of
/// some, so the last bits of a sum may differ there.
inline uint64_t multiplyElement(const Instruction &, Matrix<double> &a, Matrix<double> &b,
                                unsigned row, unsigned column, uint64_t c) {
  double sum = llvm::bit_cast<double>(c);
  for (unsigned k = 0; k < a.columns; ++k)
    sum = std::fma(a.at(row, k), b.at(k, column), sum);
  return llvm::bit_cast<uint64_t>(sum);
}
inline uint64_t multiplyElement(const Instruction &instruction, Matrix<float> &a, Matrix<float> &b,
                                unsigned row, unsigned column, uint64_t c) {
  bool isHalf = instruction.type == Type::F16;
  float sum = isHalf ? halfToFloat(uint16_t(c)) : llvm::bit_cast<float>(uint32_t(c));
  // A product of two multiplicands has at most 22 bits: `*` is exact.
  for (unsigned k = 0; k < a.columns; ++k)
    sum += a.at(row, k) * b.at(k, column);
  return isHalf ? floatToHalf(sum) : llvm::bit_cast<uint32_t>(sum);
}
inline uint64_t multiplyElement(const Instruction &instruction, Matrix<int64_t> &a,
                                Matrix<int64_t> &b, unsigned row, unsigned column, uint64_t c) {
  int64_t sum = int32_t(c);
  for (unsigned k = 0; k < a.columns; ++k)
    sum += a.at(row, k) * b.at(k, column);
  if (instruction.saturate)
    sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
  return uint32_t(sum);
}

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_MULTIPLY_H
