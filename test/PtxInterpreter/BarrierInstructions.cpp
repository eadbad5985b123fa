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

/// `mode` says whether the warp waits.
void barrier(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  unsigned first = llvm::countr_zero(lanes);
  if (lanes != warp.liveLanes)
    return warp.fail(first, CUDA_ERROR_LAUNCH_FAILED,
                     "a part of the warp arrives at the barrier: lanes 0x" +
                         llvm::Twine::utohexstr(lanes) + " of 0x" +
                         llvm::Twine::utohexstr(warp.liveLanes));
  uint64_t number = warp.operand(instruction, 0)[first];
  uint64_t threads = instruction.slots.size() > 1 ? warp.operand(instruction, 1)[first] : 0;
  if (number >= 16 || threads % warpSize != 0)
    return warp.fail(first, CUDA_ERROR_LAUNCH_FAILED,
                     "there are barriers 0 to 15, for whole warps");
  warp.block.arrive(warp, number, uint32_t(threads), instruction.mode);
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
