//===- MbarrierInstructions.cpp - mbarrier --------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Builder.h"
#include "CudaTypes.h"

using namespace ucmoh::ptx;

namespace {

constexpr unsigned barrierBytes = 8;

/// The shared address in a register, which may be a generic one.
uint32_t sharedAddress(uint64_t address) {
  Warp::resolveGeneric(address);
  return uint32_t(address);
}

Mbarrier *findBarrier(Warp &warp, unsigned lane, uint64_t address) {
  Mbarrier *barrier = warp.block.mbarriers.find(sharedAddress(address));
  if (!barrier)
    warp.fail(lane, CUDA_ERROR_LAUNCH_FAILED, "no mbarrier was initialized at this address");
  return barrier;
}

void initialize(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t address = warp.operand(instruction, 0)[lane] + instruction.offset;
    address = sharedAddress(address);
    int32_t count = warp.operand(instruction, 1)[lane];
    if (address % barrierBytes || count <= 0 || !warp.block.shared.exempt(address, barrierBytes))
      return warp.fail(lane, CUDA_ERROR_ILLEGAL_ADDRESS,
                       "an mbarrier needs 8 aligned bytes of shared memory and a count");
    warp.block.mbarriers.initialize(address, count);
  });
  ++warp.block.events;
}

void invalidate(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t address = warp.operand(instruction, 0)[lane] + instruction.offset;
    if (findBarrier(warp, lane, address))
      warp.block.mbarriers.invalidate(sharedAddress(address));
  });
}

void arriveLane(Warp &warp, unsigned lane, Mbarrier &barrier, int64_t count) {
  barrier.pendingArrivals -= count;
  barrier.arriving.join(warp.clock);
  if (barrier.pendingArrivals < 0)
    warp.fail(lane, CUDA_ERROR_LAUNCH_FAILED,
              "more arrivals at the mbarrier than the " + llvm::Twine(barrier.expectedArrivals) +
                  " it was initialized for");
  Mbarriers::update(barrier);
  ++warp.block.events;
}

/// What the warp does from now on is not ordered by what it has just arrived at.
void advance(Warp &warp) { warp.clock.times[warp.index] = ++warp.block.time; }

/// `mode` of an arrival.
enum : uint16_t { Arrives = 1, ExpectsBytes = 2 };

void arrive(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  unsigned first = instruction.numResults;
  uint64_t *base = warp.operand(instruction, first);
  uint64_t *value =
      instruction.slots.size() > first + 1 ? warp.operand(instruction, first + 1) : nullptr;
  forEachLane(lanes, [&](unsigned lane) {
    Mbarrier *barrier = findBarrier(warp, lane, base[lane] + instruction.offset);
    if (!barrier)
      return;
    if (first)
      warp.operand(instruction, 0)[lane] = barrier->phase;
    if (instruction.mode & ExpectsBytes)
      barrier->pendingBytes += uint32_t(value[lane]);
    if (instruction.mode & Arrives)
      arriveLane(warp, lane, *barrier, value && instruction.mode == Arrives ? value[lane] : 1);
  });
  advance(warp);
}

/// Whether the phase that is named, by its parity or by the state of an arrival, is complete.
void testWait(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *p = warp.operand(instruction, 0), *base = warp.operand(instruction, 1);
  uint64_t *named = warp.operand(instruction, 2);
  bool any = false;
  forEachLane(lanes, [&](unsigned lane) {
    Mbarrier *barrier = findBarrier(warp, lane, base[lane] + instruction.offset);
    if (!barrier)
      return;
    bool isParity = instruction.mode;
    bool isComplete =
        isParity ? (barrier->phase & 1) != (named[lane] & 1) : barrier->phase > named[lane];
    p[lane] = isComplete;
    any |= isComplete;
    if (isComplete)
      warp.clock.join(barrier->completed);
  });
  if (!any && !warp.block.launch.error)
    warp.wait(Warp::State::Ready, /*again=*/false);
}

bool decodeArrive(Builder &b) {
  if (b.take("arrive"))
    b.instruction.mode |= Arrives;
  if (b.take("expect_tx"))
    b.instruction.mode |= ExpectsBytes;
  b.instruction.handler = arrive;
  unsigned i = 0;
  if (b.instruction.mode & Arrives && b.numOperands() > 1 &&
      b.operand(0).kind != OperandSyntax::Memory && !b.result(i++))
    return false;
  if (!b.address(i++))
    return false;
  if (i < b.numOperands())
    return b.source(i);
  return !(b.instruction.mode & ExpectsBytes) || b.fail("expect_tx needs a number of bytes");
}

bool decodeWait(Builder &b) {
  b.instruction.mode = b.take("parity");
  b.instruction.handler = testWait;
  if (b.numOperands() > 3) // How long to suspend the thread; here it is not.
    b.dropOperand(3);
  return b.expectOperands(3) && b.result(0) && b.address(1) && b.source(2);
}

bool decodeMbarrier(Builder &b) {
  b.takeHints();
  b.takeSpace();
  b.take("b64");
  if (b.take("init")) {
    b.instruction.handler = initialize;
    return b.expectOperands(2) && b.address(0) && b.source(1);
  }
  if (b.take("inval")) {
    b.instruction.handler = invalidate;
    return b.expectOperands(1) && b.address(0);
  }
  if (b.take("try_wait") || b.take("test_wait"))
    return decodeWait(b);
  return decodeArrive(b);
}

/// The copies of the lane are complete and, with .noinc, count as an arrival.
void arriveAfterCopies(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t address = warp.operand(instruction, 0)[lane] + instruction.offset;
    Mbarrier *barrier = findBarrier(warp, lane, address);
    if (!barrier)
      return;
    for (AsyncCopies::Copy copy : warp.copies.finish(lane, 0, /*all=*/true))
      warp.block.shared.complete(warp.index, warp.clock, copy.address, copy.size);
    barrier->arriving.join(warp.clock);
    if (instruction.mode)
      arriveLane(warp, lane, *barrier, 1);
  });
  advance(warp);
}

} // namespace

bool ucmoh::ptx::decodeCopyArrive(Builder &b) {
  b.take("arrive");
  b.instruction.mode = b.take("noinc");
  b.takeSpace();
  b.take("b64");
  b.instruction.handler = arriveAfterCopies;
  return b.expectOperands(1) && b.address(0);
}

void ucmoh::ptx::addMbarrierInstructions(DecodeTable &table) { table["mbarrier"] = decodeMbarrier; }
