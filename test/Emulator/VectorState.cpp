//===- VectorState.cpp - The vector registers of an interrupted program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorState.h"
#include <cpuid.h>
#include <cstring>

using namespace emulator;

// The legacy area (FXSAVE) has these offsets: Software Developer's Manual, volume 1, chapter 13.
static constexpr unsigned xmmOffset = 160, xmmBytes = 256, headerOffset = 512;
// Linux marks frames that have more than that area, in bytes that the CPU leaves to software.
static constexpr unsigned softwareOffset = 464;
static constexpr uint32_t extendedMagic = 0x46505853;

namespace {
struct Extent {
  unsigned offset = 0, size = 0;
};
} // namespace

/// Where CPUID says that a component lies. Asked once: in a virtual machine each answer takes
/// longer than the emulation.
static Extent extentOf(unsigned component) {
  static const auto extents = [] {
    std::array<Extent, 19> table;
    for (unsigned i = 0; i < table.size(); ++i) {
      unsigned ecx = 0, edx = 0;
      __get_cpuid_count(0xd, i, &table[i].size, &table[i].offset, &ecx, &edx);
    }
    table[1] = {xmmOffset, xmmBytes};
    return table;
  }();
  return extents[component];
}

VectorState::VectorState(ucontext_t &context)
    : area(reinterpret_cast<uint8_t *>(context.uc_mcontext.fpregs)) {
  uint32_t magic;
  std::memcpy(&magic, area + softwareOffset, sizeof(magic));
  if (magic == extendedMagic)
    std::memcpy(&available, area + softwareOffset + 8, sizeof(available));
}

bool VectorState::has512Bits() const {
  uint64_t needed = 1 << Opmask | 1 << ZmmHigh256 | 1 << HighZmm;
  return (available & needed) == needed;
}

bool VectorState::isPresent(Component component) const {
  uint64_t present;
  std::memcpy(&present, area + headerOffset, sizeof(present));
  return (available & present) >> component & 1;
}

void VectorState::makePresent(Component component) {
  if (isPresent(component))
    return;
  Extent extent = extentOf(component);
  std::memset(area + extent.offset, 0, extent.size);
  uint64_t present;
  std::memcpy(&present, area + headerOffset, sizeof(present));
  present |= 1 << component;
  std::memcpy(area + headerOffset, &present, sizeof(present));
}

/// From the lowest bytes to the highest.
std::array<VectorState::Part, 3> VectorState::partsOf(unsigned number) {
  if (number >= 16)
    return {{{HighZmm, extentOf(HighZmm).offset + 64 * (number - 16), 64}, {}, {}}};
  return {{{Sse, xmmOffset + 16 * number, 16},
           {Avx, extentOf(Avx).offset + 16 * number, 16},
           {ZmmHigh256, extentOf(ZmmHigh256).offset + 32 * number, 32}}};
}

Vector VectorState::read(unsigned number) const {
  Vector value;
  uint8_t *at = value.bytes.data();
  for (const Part &part : partsOf(number)) {
    if (part.size && isPresent(part.component))
      std::memcpy(at, area + part.offset, part.size);
    at += part.size;
  }
  return value;
}

void VectorState::write(unsigned number, const Vector &value) {
  const uint8_t *at = value.bytes.data();
  for (const Part &part : partsOf(number)) {
    // A CPU without zmm registers has no such part, and no instruction that writes it.
    if (part.size && available >> part.component & 1) {
      makePresent(part.component);
      std::memcpy(area + part.offset, at, part.size);
    }
    at += part.size;
  }
}

bool VectorState::hasTiles() const {
  uint64_t needed = 1 << TileConfig | 1 << TileData;
  return (available & needed) == needed;
}

void VectorState::copy(Component component, void *to, unsigned size) const {
  if (isPresent(component))
    std::memcpy(to, area + extentOf(component).offset, size);
  else
    std::memset(to, 0, size);
}

void VectorState::readTiles(void *config, void *tiles) const {
  copy(TileConfig, config, tileConfigBytes);
  copy(TileData, tiles, tileBytes);
}

void VectorState::writeTiles(const void *tiles) {
  makePresent(TileData);
  std::memcpy(area + extentOf(TileData).offset, tiles, tileBytes);
}

uint64_t VectorState::readMask(unsigned number) const {
  uint64_t mask = 0;
  if (isPresent(Opmask))
    std::memcpy(&mask, area + extentOf(Opmask).offset + 8 * number, sizeof(mask));
  return mask;
}
