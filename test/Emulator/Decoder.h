//===- Decoder.h - VEX and EVEX instructions of map 0F38
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_EMULATOR_DECODER_H
#define UCMOH_TEST_EMULATOR_DECODER_H

#include <cstdint>
#include <ucontext.h>

namespace emulator {

/// The mandatory prefix, in the encoding of VEX.pp and EVEX.pp.
enum class Prefix { None, P66, PF3, PF2 };

/// One instruction, its memory operand as an address.
struct Instruction {
  bool isEvex = false;
  Prefix prefix = Prefix::None;
  bool w = false;
  unsigned opcode = 0;
  unsigned vectorBytes = 16;            ///< 16, 32 or 64
  unsigned reg = 0, vvvv = 0, rm = 0;   ///< register numbers: ModRM.reg, VEX.vvvv, ModRM.rm
  bool isMemory = false;                ///< then instead of `rm`:
  uint64_t address = 0, indexBytes = 0; ///< base and displacement; scaled index
  bool isBroadcast = false;             ///< EVEX.b
  unsigned opmask = 0;                  ///< EVEX.aaa
  bool isZeroing = false;               ///< EVEX.z
  unsigned length = 0;                  ///< bytes of code
};

/// Whether `code` is a VEX or EVEX instruction of map 0F38, and which; `context` has the registers
/// of addresses. Displacements of one byte count in units of the memory operand, as all
/// instructions of this emulator have it ("full" tuples of 32-bit elements).
bool decode(const uint8_t *code, const ucontext_t &context, Instruction &instruction);

} // namespace emulator

#endif // UCMOH_TEST_EMULATOR_DECODER_H
