//===- BarrierInstructions.cpp - Barriers of a block and of a warp --------===//
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

/// Number and threads in the slots from `slot` on; false after an error.
bool checkBarrier(Warp &warp, const Instruction &instruction, LaneMask lanes, unsigned slot,
                  unsigned last, uint64_t &number, uint64_t &threads) {
  unsigned first = llvm::countr_zero(lanes);
  number = warp.operand(instruction, slot)[first];
  threads = last > slot + 1 ? warp.operand(instruction, slot + 1)[first] : 0;
  if (lanes != warp.liveLanes)
    warp.fail(first, CUDA_ERROR_LAUNCH_FAILED,
              "a part of the warp arrives at the barrier: lanes 0x" +
                  llvm::Twine::utohexstr(lanes) + " of 0x" +
                  llvm::Twine::utohexstr(warp.liveLanes));
  else if (number >= 16 || threads % warpSize != 0)
    warp.fail(first, CUDA_ERROR_LAUNCH_FAILED, "there are barriers 0 to 15, for whole warps");
  else
    return true;
  return false;
}

/// `mode` says whether the warp waits.
void barrier(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t number, threads;
  if (checkBarrier(warp, instruction, lanes, 0, instruction.slots.size(), number, threads))
    warp.block.arrive(warp, number, uint32_t(threads), instruction.mode);
}

/// `count` says that the predicate is negated.
void barrierWithPredicate(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t number, threads;
  unsigned last = instruction.slots.size() - 1, trueThreads = 0;
  if (!checkBarrier(warp, instruction, lanes, 1, last, number, threads))
    return;
  const uint64_t *predicate = warp.operand(instruction, last);
  forEachLane(lanes,
              [&](unsigned lane) { trueThreads += (predicate[lane] ^ instruction.count) & 1; });
  warp.reduction = &instruction;
  warp.block.arriveWith(warp, number, uint32_t(threads), trueThreads);
}

bool decodeReduction(Builder &b) {
  b.instruction.mode = b.take("popc") ? 0 : b.take("and") ? 1 : 2;
  if (b.instruction.mode == 2 && !b.take("or"))
    return b.fail("unsupported reduction");
  b.takeType(b.instruction.type);
  if (b.numOperands() < 3)
    return b.fail("too few operands");
  b.instruction.count = b.operand(b.numOperands() - 1).negated;
  b.instruction.handler = barrierWithPredicate;
  return b.allOperands();
}

void synchronizeWarp(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  unsigned first = llvm::countr_zero(lanes);
  LaneMask members = warp.operand(instruction, 0)[first];
  if (members & warp.liveLanes & ~lanes)
    warp.fail(first, CUDA_ERROR_LAUNCH_FAILED,
              "lanes 0x" + llvm::Twine::utohexstr(members & warp.liveLanes & ~lanes) +
                  " of the mask do not arrive");
}

bool decodeBarrier(Builder &b) {
  if (b.take("warp")) {
    b.take("sync");
    b.instruction.handler = synchronizeWarp;
    return b.expectOperands(1) && b.allOperands(0);
  }
  b.take("cta");
  b.take("aligned");
  if (b.take("red"))
    return decodeReduction(b);
  b.instruction.mode = b.take("sync");
  if (!b.instruction.mode && !b.take("arrive"))
    return b.fail("unsupported kind of barrier");
  b.instruction.handler = barrier;
  return b.allOperands(0);
}

void pause(Warp &warp, const Instruction &, LaneMask) {
  warp.wait(Warp::State::Ready, /*again=*/false);
}

/// Gives the other warps a turn.
bool decodeSleep(Builder &b) {
  b.take("u32");
  b.instruction.handler = pause;
  return b.allOperands(0);
}

} // namespace

void ucmoh::ptx::addBarrierInstructions(DecodeTable &table) {
  table["bar"] = decodeBarrier;
  table["barrier"] = decodeBarrier;
  table["nanosleep"] = decodeSleep;
}
