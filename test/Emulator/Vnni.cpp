//===- Vnni.cpp - Dot products on vectors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vnni.h"
#include "DotProduct.h"
#include "VectorState.h"
#include <cstring>

using namespace emulator;

/// Computes one 32-bit element: (acc, left, right) -> acc. Left is the operand VEX.vvvv.
using ElementFunction = uint32_t (*)(uint32_t, uint32_t, uint32_t);

template <bool leftSigned, bool rightSigned, bool saturate>
static uint32_t bytes(uint32_t acc, uint32_t left, uint32_t right) {
  return dotBytes(acc, left, leftSigned, right, rightSigned, saturate);
}

template <bool saturate> static uint32_t words(uint32_t acc, uint32_t left, uint32_t right) {
  return dotWords(acc, left, right, saturate);
}

/// Software Developer's Manual, volume 2, by opcode. All have W = 0.
static ElementFunction findFunction(const Instruction &in) {
  static constexpr struct {
    unsigned opcode;
    Prefix prefix;
    bool isEvexOnly;
    ElementFunction function;
  } table[] = {
      {0x50, Prefix::P66, false, bytes<false, true, false>},   // vpdpbusd
      {0x51, Prefix::P66, false, bytes<false, true, true>},    // vpdpbusds
      {0x50, Prefix::PF2, false, bytes<true, true, false>},    // vpdpbssd
      {0x51, Prefix::PF2, false, bytes<true, true, true>},     // vpdpbssds
      {0x50, Prefix::PF3, false, bytes<true, false, false>},   // vpdpbsud
      {0x51, Prefix::PF3, false, bytes<true, false, true>},    // vpdpbsuds
      {0x50, Prefix::None, false, bytes<false, false, false>}, // vpdpbuud
      {0x51, Prefix::None, false, bytes<false, false, true>},  // vpdpbuuds
      {0x52, Prefix::P66, false, words<false>},                // vpdpwssd
      {0x53, Prefix::P66, false, words<true>},                 // vpdpwssds
      {0x52, Prefix::PF3, true, dotBf16},                      // vdpbf16ps
  };
  for (const auto &row : table)
    if (row.opcode == in.opcode && row.prefix == in.prefix && !in.w &&
        (in.isEvex || !row.isEvexOnly))
      return row.function;
  return nullptr;
}

static uint32_t elementOf(const Vector &vector, unsigned index) {
  uint32_t value;
  std::memcpy(&value, vector.bytes.data() + 4 * index, sizeof(value));
  return value;
}

/// The operand ModRM.rm. What the mask leaves out is not read: it may lie in no page.
static Vector readLast(const Instruction &in, const VectorState &state, uint64_t mask) {
  if (!in.isMemory)
    return state.read(in.rm);
  Vector value;
  auto *source = reinterpret_cast<const uint8_t *>(in.address + in.indexBytes);
  for (unsigned i = 0; i < in.vectorBytes / 4; ++i)
    if (mask >> i & 1)
      std::memcpy(value.bytes.data() + 4 * i, source + (in.isBroadcast ? 0 : 4 * i), 4);
  return value;
}

/// A broadcast is of memory; zeroing needs a mask; zmm registers need a frame that has them.
static bool isKnownForm(const Instruction &in, const VectorState &state) {
  if (in.isBroadcast && !in.isMemory)
    return false;
  return !(in.isZeroing && !in.opmask) && (!in.isEvex || state.has512Bits());
}

bool emulator::executeVnni(const Instruction &in, ucontext_t &context) {
  ElementFunction function = findFunction(in);
  VectorState state(context);
  if (!function || !isKnownForm(in, state))
    return false;
  uint64_t mask = in.opmask ? state.readMask(in.opmask) : ~0ull;
  Vector acc = state.read(in.reg), left = state.read(in.vvvv);
  Vector right = readLast(in, state, mask), result; // behind the vector's end: zeros
  for (unsigned i = 0; i < in.vectorBytes / 4; ++i) {
    uint32_t value = elementOf(acc, i);
    if (mask >> i & 1)
      value = function(value, elementOf(left, i), elementOf(right, i));
    else if (in.isZeroing)
      value = 0;
    std::memcpy(result.bytes.data() + 4 * i, &value, sizeof(value));
  }
  state.write(in.reg, result);
  return true;
}
