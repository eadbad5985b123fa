//===- GridModel.cpp - The analytic model of a device that runs blocks of threads
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridModel.h"
#include <algorithm>
#include <cmath>

using namespace ucmoh;
using F = Feature;

/// Blocks that fit on one core at once: by shared memory, registers and threads.
static double residentBlocks(const FeatureRow &grid) {
  double threads = grid[F::warps] * grid[F::subgroupSize];
  double registers = threads * grid[F::registersPerThread];
  double fits = std::min({grid[F::coreSharedBytes] / grid[F::sharedBytes],
                          static_cast<float>(grid[F::coreRegisters] / registers),
                          static_cast<float>(grid[F::coreThreads] / threads)});
  return std::max(1.0, std::floor(fits));
}

namespace {
/// What one block does, from the rows of all blocks together.
struct BlockWork {
  double steps = 0;     ///< of one warp
  double computing = 0; ///< cycles of one step of one warp, the core to itself
  double latency = 0;   ///< of one step of one warp
  double copied = 0;    ///< bytes to shared memory
  double chunks = 0;    ///< copies of one thread, by what issuing them takes
  double stored = 0;    ///< bytes of results
  bool waits = false;   ///< threads wait for what they copy
};
} // namespace

static BlockWork workOf(llvm::ArrayRef<FeatureRow> program, const FeatureRow &grid) {
  BlockWork work;
  double blocks = grid[F::blocks], threads = grid[F::warps] * grid[F::subgroupSize];
  for (const FeatureRow &row : program) {
    if (row[F::isCompute]) {
      double perStep = row[F::executions] / row[F::steps];
      work.steps = row[F::steps] / (blocks * grid[F::warps]);
      work.computing = std::max<double>(perStep * row[F::throughputCycles],
                                        row[F::loadBytesPerStep] / row[F::l1BytesPerCycle]);
      work.latency = row[F::latencyCycles];
    } else if (row[F::isPackLhs] || row[F::isPackRhs]) {
      float bits = row[F::isPackLhs] ? row[F::lhsBits] : row[F::rhsBits];
      work.copied += row[F::elements] * bits / 8 / blocks;
      // Through registers: waited for, converted and stored by the threads themselves.
      double each = row[F::isAsynchronous] ? 1 : 8;
      work.waits |= !row[F::isAsynchronous];
      work.chunks += each * row[F::writes] / blocks / threads;
    } else if (row[F::isStore]) {
      work.stored += row[F::elements] * row[F::accBits] / 8 / blocks;
    }
  }
  return work;
}

/// Cycles in which `resident` blocks that share a core are done. Copies overlap with the
/// computation of the same block where the pipeline has several stages, and of the other blocks in
/// any case.
static double waveCycles(const BlockWork &work, const FeatureRow &grid, double resident) {
  double warps = resident * grid[F::warps];
  // What has no register is written and read again about once a step.
  double spilled =
      2 * grid[F::spilledBytesPerThread] * grid[F::subgroupSize] / grid[F::l1BytesPerCycle];
  double computing = work.steps * std::max((work.computing + spilled) * warps, work.latency);
  // A copy is issued in about 4 cycles by one of 4 schedulers.
  double copying = std::max(resident * work.copied / grid[F::l2BytesPerCycle], work.chunks * warps);
  double trips = grid[F::reductionBlocks];
  double exposed = grid[F::pipelineDepth] > 1 && !work.waits
                       ? grid[F::memoryLatencyCycles]
                       : trips * grid[F::memoryLatencyCycles] / resident;
  // Each block of the reduction begins with a barrier.
  exposed += trips * 30 + (work.waits ? work.chunks * warps : 0);
  double storing = 2 * resident * work.stored / grid[F::l2BytesPerCycle];
  return std::max(computing, copying) + 0.1 * std::min(computing, copying) + exposed + storing;
}

/// What conversions and sums of whole operands take before the grid starts, as fast as memory is.
static double preparationCycles(llvm::ArrayRef<FeatureRow> program) {
  double bytes = 0;
  for (const FeatureRow &row : program)
    if (row[F::isConvert] || row[F::isSum])
      bytes += 2 * row[F::elements] * std::max(row[F::lhsBits], row[F::rhsBits]) / 8;
  const FeatureRow &any = program.front();
  return bytes > 0 ? bytes / any[F::totalMemoryBytesPerCycle] + any[F::memoryLatencyCycles] : 0;
}

double ucmoh::gridCycles(llvm::ArrayRef<FeatureRow> program) {
  const FeatureRow &grid =
      *std::find_if(program.begin(), program.end(), [](auto &row) { return row[F::isGrid]; });
  BlockWork work = workOf(program, grid);
  double resident = residentBlocks(grid), cores = grid[F::cores];
  double fullWaves = std::floor(grid[F::blocks] / (cores * resident));
  double left = grid[F::blocks] - fullWaves * cores * resident;
  double cycles = fullWaves * waveCycles(work, grid, resident);
  if (left > 0)
    cycles += waveCycles(work, grid, std::ceil(left / cores));
  double bytes = grid[F::lhsBufferBytes] + grid[F::rhsBufferBytes] + grid[F::resultBufferBytes];
  return std::max(cycles, bytes / grid[F::totalMemoryBytesPerCycle]) + preparationCycles(program);
}
