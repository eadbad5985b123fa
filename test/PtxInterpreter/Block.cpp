//===- Block.cpp - Warps of a block and their barriers --------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "CudaTypes.h"

using namespace ucmoh::ptx;

Block::Block(Launch &launch) : launch(launch) {
  unsigned count = (launch.block.total() + warpSize - 1) / warpSize;
  for (unsigned i = 0; i < count; ++i)
    warps.push_back(std::make_unique<Warp>(*this, i, launch.kernel));
}

void Block::reset(Extent newPosition) {
  position = newPosition;
  shared.reset(launch.kernel.staticSharedBytes + launch.dynamicSharedBytes);
  mbarriers.reset();
  idleRounds = 0;
  time = 1;
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  for (auto &warp : warps)
    warp->reset(launch.block.total() - warp->index * warpSize);
}

bool Block::run(Extent newPosition) {
  reset(newPosition);
  while (runWarps()) {
  }
  return launch.error == 0;
}

/// So often may all warps poll in vain before that counts as a deadlock.
static constexpr unsigned maxIdleRounds = 10000;

void Block::reportPolling() {
  for (auto &warp : warps)
    if (warp->state == Warp::State::Ready)
      return warp->fail(0, CUDA_ERROR_LAUNCH_FAILED,
                        "deadlock: every warp that is left polls for what nobody does any more");
}

/// Gives every warp that can run one turn; false if there is nothing left to do.
bool Block::runWarps() {
  bool anyReady = false, anyWaiting = false;
  uint64_t eventsBefore = events;
  for (auto &warp : warps) {
    if (warp->state == Warp::State::Ready) {
      anyReady = true;
      uint64_t before = launch.statistics.instructions;
      warp->run();
      // A turn of a few instructions only polled.
      events += launch.statistics.instructions > before + 64 || warp->state != Warp::State::Ready;
      if (launch.error)
        return false;
      completeBarriers();
    }
    anyWaiting |= warp->state == Warp::State::AtBarrier;
  }
  if (!anyReady && anyWaiting)
    reportDeadlock();
  idleRounds = events == eventsBefore ? idleRounds + 1 : 0;
  if (idleRounds > maxIdleRounds)
    reportPolling();
  return anyReady && !launch.error;
}

unsigned Block::liveThreads() const {
  unsigned threads = 0;
  for (auto &warp : warps)
    threads += llvm::popcount(warp->liveLanes);
  return threads;
}

void Block::arrive(Warp &warp, unsigned number, unsigned threads, bool waits) {
  Barrier &barrier = barriers[number];
  ++launch.statistics.barriers;
  if (barrier.arrived && barrier.expected != threads)
    return warp.fail(0, CUDA_ERROR_LAUNCH_FAILED,
                     "barrier " + llvm::Twine(number) + " waits for " +
                         llvm::Twine(barrier.expected) + " threads, this warp names " +
                         llvm::Twine(threads));
  barrier.expected = threads;
  // A warp that has not all threads counts as a whole, as hardware counts it.
  barrier.arrived += threads ? warpSize : llvm::popcount(warp.liveLanes);
  barrier.clock.join(warp.clock);
  if (!waits) {
    warp.clock.times[warp.index] = ++time;
    return;
  }
  barrier.waiting |= 1u << warp.index;
  warp.wait(Warp::State::AtBarrier, /*again=*/false);
}

void Block::arriveWith(Warp &warp, unsigned number, unsigned threads, unsigned trueThreads) {
  barriers[number].asked += llvm::popcount(warp.liveLanes);
  barriers[number].trueThreads += trueThreads;
  arrive(warp, number, threads, /*waits=*/true);
}

/// Threads that exited are not waited for, so this may be true of a barrier after an exit.
void Block::completeBarriers() {
  for (Barrier &barrier : barriers)
    if (barrier.arrived && barrier.arrived >= (barrier.expected ? barrier.expected : liveThreads()))
      release(barrier);
}

/// The result of bar.red by its `mode`: how many, all, any.
static void finishReduction(Warp &warp, unsigned trueThreads, unsigned asked) {
  const Instruction &instruction = *warp.reduction;
  uint64_t result = instruction.mode == 0   ? trueThreads
                    : instruction.mode == 1 ? trueThreads == asked
                                            : trueThreads > 0;
  forEachLane(warp.liveLanes, [&](unsigned lane) { warp.operand(instruction, 0)[lane] = result; });
  warp.reduction = nullptr;
}

void Block::release(Barrier &barrier) {
  ++time;
  ++events;
  for (auto &warp : warps) {
    if (!(barrier.waiting >> warp->index & 1))
      continue;
    warp->state = Warp::State::Ready;
    if (warp->reduction)
      finishReduction(*warp, barrier.trueThreads, barrier.asked);
    warp->clock.join(barrier.clock);
    warp->clock.times[warp->index] = time;
  }
  barrier = Barrier();
}

void Block::reportDeadlock() {
  std::string what = "deadlock:";
  Warp *first = nullptr;
  for (unsigned i = 0; i < 16; ++i) {
    if (!barriers[i].arrived)
      continue;
    unsigned expected = barriers[i].expected ? barriers[i].expected : liveThreads();
    what += " barrier " + std::to_string(i) + " has " + std::to_string(barriers[i].arrived) +
            " of " + std::to_string(expected) + " threads;";
    for (auto &warp : warps)
      if (!first && barriers[i].waiting >> warp->index & 1)
        first = warp.get();
  }
  if (!first)
    return;
  --first->programCounter; // Back at the barrier, for the message.
  first->fail(0, CUDA_ERROR_LAUNCH_FAILED, what + " no warp can run");
}

void ucmoh::ptx::execute(Launch &launch) {
  Block block(launch);
  for (unsigned z = 0; z < launch.grid.z; ++z)
    for (unsigned y = 0; y < launch.grid.y; ++y)
      for (unsigned x = 0; x < launch.grid.x; ++x)
        if (!block.run({x, y, z}))
          return;
}
