//===- Block.h - Warps of a block and their barriers ------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_BLOCK_H
#define UCMOH_PTXINTERPRETER_BLOCK_H

#include "DeviceMemory.h"
#include "Mbarrier.h"
#include "Statistics.h"
#include "Warp.h"
#include <memory>

namespace ucmoh::ptx {

/// The grid, the block and the arguments of a launch, and what came of it.
struct Launch {
  const Kernel &kernel;
  DeviceMemory &memory;
  Extent grid, block;
  unsigned dynamicSharedBytes = 0;
  std::vector<uint8_t> arguments;
  Statistics statistics;
  /// A code of the CUDA driver; 0 is success.
  int error = 0;
  /// One line for whoever called.
  std::string message;
};

/// A block of threads: its warps in turn, one after the other until each has to wait.
class Block {
public:
  explicit Block(Launch &launch);
  /// Runs block `position` of the grid; false once something was wrong.
  bool run(Extent position);

  /// `warp` arrives at a barrier of the block; it waits there unless `threads` are complete.
  void arrive(Warp &warp, unsigned barrier, unsigned threads, bool waits);
  /// The same with a predicate of each thread: bar.red. `warp.reduction` says what is asked.
  void arriveWith(Warp &warp, unsigned barrier, unsigned threads, unsigned trueThreads);

  Launch &launch;
  Extent position;
  SharedMemory shared;
  Mbarriers mbarriers;
  /// The time that stamps what happens after the latest release of anything.
  uint32_t time = 1;
  /// Counts what a polling warp may be waiting for.
  uint64_t events = 0;

private:
  struct Barrier {
    unsigned arrived = 0, expected = 0;
    /// Threads with a predicate, and those whose predicate is true.
    unsigned asked = 0, trueThreads = 0;
    uint32_t waiting = 0;
    Clock clock;
  };

  void reset(Extent position);
  bool runWarps();
  void completeBarriers();
  void release(Barrier &barrier);
  unsigned liveThreads() const;
  void reportDeadlock();
  void reportPolling();

  std::vector<std::unique_ptr<Warp>> warps;
  /// Rounds of all warps in which nothing happened.
  unsigned idleRounds = 0;
  Barrier barriers[16];
};

/// Runs all blocks of a launch.
void execute(Launch &launch);

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_BLOCK_H
