//===- Decoder.cpp - VEX and EVEX instructions of map 0F38
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include <cstring>

using namespace emulator;

/// The map 0F38 in VEX.mmmmm and EVEX.mmm: all instructions of the emulator stand there.
static constexpr unsigned map0F38 = 2;

namespace {
/// Reads one instruction from its first byte to its last.
class Decoder {
public:
  Decoder(const uint8_t *code, const ucontext_t &context, Instruction &instruction)
      : start(code), next(code), context(context), in(instruction) {}
  bool decode();

private:
  bool decodeVex();
  bool decodeEvex();
  void decodeOperands();
  void decodeMemory(unsigned mod, unsigned rm);
  void decodeSib(unsigned mod);
  void addDisplacement(unsigned mod, bool isRipRelative);
  int32_t read32() {
    int32_t value;
    std::memcpy(&value, next, sizeof(value));
    next += sizeof(value);
    return value;
  }
  uint64_t general(unsigned number) const;

  const uint8_t *start, *next;
  const ucontext_t &context;
  Instruction &in;
  /// The prefix's extensions of register numbers, as bits 3 and 4 of them.
  unsigned extendReg = 0, extendIndex = 0, extendBase = 0, extendRm = 0;
};
} // namespace

uint64_t Decoder::general(unsigned number) const {
  static constexpr int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                  REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                  REG_R12, REG_R13, REG_R14, REG_R15};
  return context.uc_mcontext.gregs[order[number]];
}

/// C4 RXBmmmmm WvvvvLpp; R, X, B and vvvv are stored inverted.
bool Decoder::decodeVex() {
  uint8_t first = next[1], second = next[2];
  next += 3;
  if ((first & 0x1f) != map0F38)
    return false;
  extendReg = first & 0x80 ? 0 : 8;
  extendIndex = first & 0x40 ? 0 : 8;
  extendBase = extendRm = first & 0x20 ? 0 : 8;
  in.w = second & 0x80;
  in.vvvv = ~(second >> 3) & 15;
  in.vectorBytes = second & 4 ? 32 : 16;
  in.prefix = static_cast<Prefix>(second & 3);
  return true;
}

/// 62 RXBR'0mmm Wvvvv1pp zL'LbV'aaa; the letters R, X, B, V and vvvv are stored inverted.
bool Decoder::decodeEvex() {
  uint8_t first = next[1], second = next[2], third = next[3];
  next += 4;
  unsigned length = third >> 5 & 3;
  // Bit 3 of the first and bit 2 of the second are fixed, except with APX.
  if ((first & 0x0f) != map0F38 || !(second & 4) || length == 3)
    return false;
  in.isEvex = true;
  extendReg = (first & 0x80 ? 0 : 8) | (first & 0x10 ? 0 : 16);
  extendIndex = first & 0x40 ? 0 : 8;
  extendBase = first & 0x20 ? 0 : 8;
  extendRm = extendBase | (first & 0x40 ? 0 : 16); // X is bit 4 of a register operand
  in.w = second & 0x80;
  in.vvvv = (~(second >> 3) & 15) | (third & 8 ? 0 : 16);
  in.vectorBytes = 16 << length;
  in.prefix = static_cast<Prefix>(second & 3);
  in.isZeroing = third & 0x80;
  in.isBroadcast = third & 0x10;
  in.opmask = third & 7;
  return true;
}

void Decoder::addDisplacement(unsigned mod, bool isRipRelative) {
  int64_t unit = !in.isEvex ? 1 : in.isBroadcast ? 4 : in.vectorBytes;
  if (mod == 1)
    in.address += unit * static_cast<int8_t>(*next++);
  else if (mod == 2 || isRipRelative)
    in.address += static_cast<int64_t>(read32());
  if (isRipRelative) // no immediate follows, so this is the next instruction
    in.address += reinterpret_cast<uint64_t>(next);
}

/// ModRM.rm = 4: a byte with scale, index and base follows.
void Decoder::decodeSib(unsigned mod) {
  uint8_t sib = *next++;
  unsigned base = sib & 7, index = (sib >> 3 & 7) | extendIndex;
  if (index != 4)
    in.indexBytes = general(index) << (sib >> 6);
  if (base == 5 && mod == 0)
    in.address = static_cast<int64_t>(read32());
  else
    in.address = general(base | extendBase);
}

void Decoder::decodeMemory(unsigned mod, unsigned rm) {
  in.isMemory = true;
  bool isRipRelative = mod == 0 && rm == 5;
  if (rm == 4)
    decodeSib(mod);
  else if (!isRipRelative)
    in.address = general(rm | extendBase);
  addDisplacement(mod, isRipRelative);
}

void Decoder::decodeOperands() {
  in.opcode = *next++;
  uint8_t modrm = *next++;
  in.reg = (modrm >> 3 & 7) | extendReg;
  if (modrm >> 6 == 3)
    in.rm = (modrm & 7) | extendRm;
  else
    decodeMemory(modrm >> 6, modrm & 7);
  in.length = next - start;
}

bool Decoder::decode() {
  if (*start != 0xc4 && *start != 0x62)
    return false;
  if (!(*start == 0x62 ? decodeEvex() : decodeVex()))
    return false;
  decodeOperands();
  return true;
}

bool emulator::decode(const uint8_t *code, const ucontext_t &context, Instruction &instruction) {
  instruction = Instruction();
  return Decoder(code, context, instruction).decode();
}
