//===- SharedMemory.cpp - Shared memory with a shadow ---------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include "llvm/ADT/bit.h"

using namespace ucmoh::ptx;
using Result = SharedMemory::Result;
using Verdict = SharedMemory::Verdict;

void SharedMemory::reset(size_t size) {
  bytes.assign(size, 0xcd);
  shadows.assign(size, Shadow{});
}

bool SharedMemory::contains(uint64_t address, unsigned size) const {
  return address >= sharedBase && address + size <= sharedBase + bytes.size() && address + size > 0;
}

Verdict SharedMemory::checkRead(Shadow &shadow, unsigned warp, const Clock &clock,
                                unsigned &other) {
  other = shadow.writer;
  if (!shadow.isInitialized)
    return Verdict::Uninitialized;
  if (shadow.isPending)
    return Verdict::Pending;
  if (shadow.writer != warp && clock.times[shadow.writer] < shadow.writeTime)
    return Verdict::RaceWithWrite;
  // Only the readers of the latest time are remembered: earlier ones passed a barrier since.
  uint32_t now = clock.times[warp];
  if (now > shadow.readTime)
    shadow.readers = 0;
  if (now >= shadow.readTime) {
    shadow.readTime = now;
    shadow.readers |= 1u << warp;
  }
  return Verdict::Fine;
}

Verdict SharedMemory::checkWrite(Shadow &shadow, unsigned warp, const Clock &clock,
                                 unsigned &other) {
  other = shadow.writer;
  if (shadow.isPending)
    return Verdict::Pending;
  if (shadow.isInitialized && shadow.writer != warp &&
      clock.times[shadow.writer] < shadow.writeTime)
    return Verdict::RaceWithWrite;
  for (uint32_t readers = shadow.readers & ~(1u << warp); readers; readers &= readers - 1) {
    other = llvm::countr_zero(readers);
    if (clock.times[other] < shadow.readTime)
      return Verdict::RaceWithRead;
  }
  shadow = {clock.times[warp], 0, 0, uint8_t(warp), true, false, false};
  return Verdict::Fine;
}

template <typename Check>
Result SharedMemory::forEachByte(uint64_t address, unsigned size, Check check) {
  if (!contains(address, size))
    return {Verdict::OutOfBounds, uint32_t(address), 0};
  Shadow *shadow = &shadows[address - sharedBase];
  for (unsigned i = 0; i < size; ++i) {
    unsigned other = 0;
    Verdict verdict = check(shadow[i], other);
    if (verdict != Verdict::Fine)
      return {verdict, uint32_t(address + i), other};
  }
  return {};
}

Result SharedMemory::read(unsigned warp, const Clock &clock, uint64_t address, unsigned size) {
  return forEachByte(address, size, [&](Shadow &shadow, unsigned &other) {
    return checkRead(shadow, warp, clock, other);
  });
}

Result SharedMemory::write(unsigned warp, const Clock &clock, uint64_t address, unsigned size) {
  return forEachByte(address, size, [&](Shadow &shadow, unsigned &other) {
    return checkWrite(shadow, warp, clock, other);
  });
}

Result SharedMemory::update(unsigned warp, const Clock &clock, uint64_t address, unsigned size) {
  return forEachByte(address, size, [&](Shadow &shadow, unsigned &other) {
    if (shadow.isAtomic) {
      shadow.writeTime = clock.times[warp];
      shadow.writer = warp;
      return Verdict::Fine;
    }
    Verdict verdict = checkRead(shadow, warp, clock, other);
    if (verdict == Verdict::Fine)
      verdict = checkWrite(shadow, warp, clock, other);
    shadow.isAtomic = true;
    return verdict;
  });
}

Result SharedMemory::beginCopy(unsigned warp, const Clock &clock, uint64_t address, unsigned size) {
  return forEachByte(address, size, [&](Shadow &shadow, unsigned &other) {
    Verdict verdict = checkWrite(shadow, warp, clock, other);
    shadow.isPending |= verdict == Verdict::Fine;
    return verdict;
  });
}

Result SharedMemory::writeAs(unsigned writer, uint32_t time, unsigned warp, const Clock &clock,
                             uint64_t address, unsigned size) {
  return forEachByte(address, size, [&](Shadow &shadow, unsigned &other) {
    Verdict verdict = checkWrite(shadow, warp, clock, other);
    if (verdict == Verdict::Fine) {
      shadow.writer = writer;
      shadow.writeTime = time;
    }
    return verdict;
  });
}

void SharedMemory::complete(unsigned warp, const Clock &clock, uint32_t address, unsigned size) {
  for (unsigned i = 0; i < size; ++i) {
    Shadow &shadow = shadows[address - sharedBase + i];
    shadow.isPending = false;
    shadow.writer = warp;
    shadow.writeTime = clock.times[warp];
  }
}

bool SharedMemory::exempt(uint64_t address, unsigned size) {
  if (!contains(address, size))
    return false;
  for (unsigned i = 0; i < size; ++i)
    shadows[address - sharedBase + i] = {0, 0, 0, 0, true, false, true};
  return true;
}
