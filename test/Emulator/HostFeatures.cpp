//===- HostFeatures.cpp - What the CPU lacks and the emulator adds
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"
#include <cpuid.h>
#include <cstdint>

using namespace emulator;

namespace {
enum Register { Eax, Ebx, Ecx, Edx };

/// A bit of CPUID.
struct Bit {
  unsigned leaf, subleaf;
  Register reg;
  unsigned bit;
};

/// A feature of LLVM, the bit that says that the CPU has it, and the one without which the emulator
/// cannot add it: registers that it has no place for.
struct Feature {
  const char *name;
  Bit bit, needed;
};
} // namespace

static constexpr Bit any = {1, 0, Edx, 0}; // x87: every CPU
static constexpr Bit avx2 = {7, 0, Ebx, 5}, avx512f = {7, 0, Ebx, 16};

static constexpr Feature features[] = {
    {"amx-tile", {7, 0, Edx, 24}, any},       {"amx-int8", {7, 0, Edx, 25}, any},
    {"amx-bf16", {7, 0, Edx, 22}, avx2},      {"amx-fp16", {7, 1, Eax, 21}, avx2},
    {"avxvnni", {7, 1, Eax, 4}, avx2},        {"avxvnniint8", {7, 1, Edx, 4}, avx2},
    {"avx512vnni", {7, 0, Ecx, 11}, avx512f}, {"avx512bf16", {7, 1, Eax, 5}, avx512f},
};

static bool has(const Bit &bit) {
  unsigned registers[4] = {};
  __get_cpuid_count(bit.leaf, bit.subleaf, &registers[Eax], &registers[Ebx], &registers[Ecx],
                    &registers[Edx]);
  return registers[bit.reg] >> bit.bit & 1;
}

/// AVX10.2 has no bit but a version.
static bool hasAvx10Version(unsigned version) {
  unsigned eax, ebx = 0, ecx, edx;
  return has({7, 1, Edx, 19}) && __get_cpuid_count(0x24, 0, &eax, &ebx, &ecx, &edx) &&
         (ebx & 0xff) >= version;
}

std::string emulator::emulatedFeatures() {
  std::string added;
  auto add = [&](const char *name) { added += (added.empty() ? "+" : ",+") + std::string(name); };
  for (const Feature &feature : features)
    if (!has(feature.bit) && has(feature.needed))
      add(feature.name);
  // The emulator has only the dot products of AVX10.2: any other instruction of it ends the
  // process.
  if (!hasAvx10Version(2) && has(avx512f))
    add("avx10.2");
  return added;
}
