//===- TensorMap.h - Descriptors of tensors for bulk copies -----*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_TENSORMAP_H
#define UCMOH_PTXINTERPRETER_TENSORMAP_H

#include <cstdint>

namespace ucmoh::ptx {

/// Holds what cuTensorMapEncodeTiled puts into the 128 opaque bytes of a CUtensorMap. The innermost
/// dimension comes first.
struct TensorMap {
  static constexpr uint32_t signature = 0x50414d54;

  uint32_t magic;
  uint8_t rank, elementBytes, swizzle, reserved;
  uint64_t address;
  uint64_t extents[5];
  uint64_t strides[4];
  uint16_t box[5];
};
static_assert(sizeof(TensorMap) <= 128, "a CUtensorMap has 128 bytes");

/// Where a byte of a swizzled tile lies: its 16-byte chunk is exchanged within 32, 64 or 128 bytes
/// (`swizzle` 1, 2, 3; 0 is none) by the number of the 128-byte line.
inline uint64_t swizzleAddress(uint64_t address, unsigned swizzle) {
  uint64_t mask = (uint64_t(1) << swizzle) - 1;
  return address ^ ((address >> 7 & mask) << 4);
}

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_TENSORMAP_H
