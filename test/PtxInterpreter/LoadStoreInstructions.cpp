//===- LoadStoreInstructions.cpp - ld and st ------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BankConflicts.h"
#include "Block.h"
#include "Builder.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ucmoh::ptx;

namespace {

/// The element at `bytes`, extended to a register as its type says.
uint64_t loadElement(Type type, const uint8_t *bytes) {
  uint64_t bits = 0;
  unsigned size = bytesOf(type);
  std::memcpy(&bits, bytes, size);
  unsigned unused = 64 - 8 * size;
  return isSigned(type) ? uint64_t(int64_t(bits << unused) >> unused) : bits;
}

void countAccess(Warp &warp, const Instruction &instruction, LaneMask lanes, const uint64_t *base,
                 unsigned size) {
  Statistics &statistics = warp.block.launch.statistics;
  uint64_t first = base[llvm::countr_zero(lanes)] + instruction.offset;
  Space space = instruction.space;
  if (space == Space::Generic)
    space = Warp::resolveGeneric(first);
  if (space == Space::Global || space == Space::Const) {
    ++statistics.globalAccesses;
    statistics.globalBytes += uint64_t(size) * llvm::popcount(lanes);
  }
  if (space != Space::Shared)
    return;
  ++statistics.sharedAccesses;
  statistics.sharedConflicts += countBankConflicts(
      lanes, size, [&](unsigned lane) { return uint32_t(base[lane] + instruction.offset); });
}

void load(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  unsigned size = bytesOf(instruction.type), count = instruction.count;
  const uint64_t *base = warp.operand(instruction, count);
  countAccess(warp, instruction, lanes, base, size * count);
  // A result may be the register of the address.
  uint64_t addresses[warpSize];
  std::copy_n(base, warpSize, addresses);
  forEachLane(lanes, [&](unsigned lane) {
    uint8_t *bytes = warp.access(instruction, lane, addresses[lane] + instruction.offset,
                                 size * count, Access::Read);
    for (unsigned k = 0; bytes && k < count; ++k)
      warp.operand(instruction, k)[lane] = loadElement(instruction.type, bytes + k * size);
  });
}

void store(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  unsigned size = bytesOf(instruction.type), count = instruction.count;
  const uint64_t *base = warp.operand(instruction, 0);
  countAccess(warp, instruction, lanes, base, size * count);
  forEachLane(lanes, [&](unsigned lane) {
    uint8_t *bytes = warp.access(instruction, lane, base[lane] + instruction.offset, size * count,
                                 Access::Write);
    for (unsigned k = 0; bytes && k < count; ++k)
      std::memcpy(bytes + k * size, &warp.operand(instruction, k + 1)[lane], size);
  });
}

std::optional<uint16_t> parseCount(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<uint16_t>>(suffix)
      .Case("v2", 2)
      .Case("v4", 4)
      .Case("v8", 8)
      .Default(std::nullopt);
}

bool takeAccess(Builder &b) {
  b.takeHints();
  b.takeSpace();
  b.takeAny<uint16_t>(b.instruction.count, parseCount);
  return b.takeType(b.instruction.type) && b.instruction.type != Type::B128 &&
         b.instruction.type != Type::Pred;
}

bool decodeLoad(Builder &b) {
  if (!takeAccess(b))
    return b.fail("unsupported type of an access");
  b.instruction.handler = load;
  return b.expectOperands(2) && b.result(0) && b.address(1) &&
         (b.instruction.numResults == b.instruction.count || b.fail("wrong number of registers"));
}

bool decodeStore(Builder &b) {
  if (!takeAccess(b))
    return b.fail("unsupported type of an access");
  b.instruction.handler = store;
  return b.expectOperands(2) && b.address(0) && b.source(1) &&
         (b.instruction.slots.size() == b.instruction.count + 1u ||
          b.fail("wrong number of registers"));
}

void ignore(Warp &, const Instruction &, LaneMask) {}

/// prefetch and discard change nothing that a program can see.
bool decodePrefetch(Builder &b) {
  while (!b.suffixes().empty())
    b.take(b.suffixes().front());
  b.instruction.handler = ignore;
  return true;
}

} // namespace

void ucmoh::ptx::addLoadStoreInstructions(DecodeTable &table) {
  table["ld"] = decodeLoad;
  table["ldu"] = decodeLoad;
  table["st"] = decodeStore;
  table["prefetch"] = decodePrefetch;
  table["prefetchu"] = decodePrefetch;
}
