//===- Floats.c - Conversions that old libraries of compilers lack
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdint.h>

/// To the nearest, ties to even: what LLVM calls where a CPU has no instruction for it.
__bf16 __truncsfbf2(float number) {
  uint32_t bits;
  __builtin_memcpy(&bits, &number, sizeof(bits));
  uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
  if ((bits & 0x7fffffff) > 0x7f800000)
    rounded = bits | 0x400000; // NaN, quiet
  uint16_t upper = rounded >> 16;
  __bf16 result;
  __builtin_memcpy(&result, &upper, sizeof(result));
  return result;
}
