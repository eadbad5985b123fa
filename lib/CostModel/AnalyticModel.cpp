//===- AnalyticModel.cpp - A roofline over compute, loads and caches
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/CostModel/Features.h"
#include "llvm/ADT/STLExtras.h"
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
/// The work of one block, from the rows of all blocks together.
struct BlockWork {
  double steps = 0;     ///< steps of one warp
  double computing = 0; ///< cycles of one step of one warp, the core to itself
  double latency = 0;   ///< cycles that one step of one warp waits
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
  // A value without a register is written and read again about once a step.
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

/// Returns the cycles of conversions and sums of whole operands before the grid starts, as fast as
/// memory is.
static double preparationCycles(llvm::ArrayRef<FeatureRow> program) {
  double bytes = 0;
  for (const FeatureRow &row : program)
    if (row[F::isConvert] || row[F::isSum])
      bytes += 2 * row[F::elements] * std::max(row[F::lhsBits], row[F::rhsBits]) / 8;
  const FeatureRow &any = program.front();
  return bytes > 0 ? bytes / any[F::totalMemoryBytesPerCycle] + any[F::memoryLatencyCycles] : 0;
}

/// Cycles of a program that has a row `isGrid`.
static double gridCycles(llvm::ArrayRef<FeatureRow> program) {
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
using F = Feature;

// The constants below that are not a machine's were fitted by research/fit_roofline.py to the
// training tasks measured on a Zen 4, a Sapphire Rapids and a Zen 5, and rounded.

/// What is moved, and how much of it each level of the memory hierarchy must deliver.
namespace {
struct Moved {
  double bytes, beyondL1, beyondL2, beyondL3;
};
} // namespace

static Moved lhsOf(const FeatureRow &row) {
  return {row[F::lhsBytes], row[F::lhsBeyondL1], row[F::lhsBeyondL2], row[F::lhsBeyondL3]};
}
static Moved rhsOf(const FeatureRow &row) {
  return {row[F::rhsBytes], row[F::rhsBeyondL1], row[F::rhsBeyondL2], row[F::rhsBeyondL3]};
}
static Moved outOf(const FeatureRow &row) {
  return {row[F::outBytes], row[F::outBeyondL1], row[F::outBeyondL2], row[F::outBeyondL3]};
}

/// Cycles beyond L1. One load of several rows waits for a line of each: from L2 it reaches less
/// than streams of vectors do.
static double beyondL1Cycles(const FeatureRow &row, const Moved &moved, double waits = 1) {
  return waits * (moved.beyondL1 - moved.beyondL2) / row[F::l2BytesPerCycle] +
         (moved.beyondL2 - moved.beyondL3) / row[F::l3BytesPerCycle] +
         moved.beyondL3 / row[F::memoryBytesPerCycle];
}

/// Cycles that the fragments of one step take from L1: by their bytes, as measured with the widest
/// registers, or by their number, since narrower loads are not more a cycle.
static double loadStepCycles(const FeatureRow &row) {
  double bytes = row[F::loadBytesPerStep] / row[F::l1BytesPerCycle] +
                 row[F::broadcastBytesPerStep] / row[F::broadcastBytesPerCycle];
  return std::max(bytes, row[F::loadsPerStep] / 1.4);
}

/// Cycles of the reduction steps: what takes longest of the executions of the intrinsic, their
/// dependence on each other, and the loads of fragments from L1.
static double stepCycles(const FeatureRow &row) {
  double executionsPerStep = row[F::executions] / std::max(row[F::steps], 1.0f);
  double issue = executionsPerStep * row[F::throughputCycles];
  double loads = loadStepCycles(row);
  double step = std::max({issue, static_cast<double>(row[F::latencyCycles]), loads});
  // Loop control.
  step += 0.55 / row[F::stepsPerIteration];
  // Beyond the steps, a ragged load moves rows through a buffer on the stack. One row needs none.
  double ragged = 0.3 + 5.5 * (row[F::intrinsicM] - 1);
  return step * row[F::steps] + ragged * row[F::raggedLoads];
}

/// Writing results: a line that is in no cache is first read and later written back. Register tiles
/// write stripes of its rows; narrow ones (in bytes, against pairs of cache lines) open pages and
/// fetch neighbouring lines more than once; less so where the row's next stripe follows.
static double storeCycles(const FeatureRow &row) {
  Moved out = outOf(row);
  double cycles = (out.bytes - out.beyondL1) / row[F::l1BytesPerCycle] + beyondL1Cycles(row, out);
  if (out.beyondL2 == 0)
    return cycles;
  double stripes = 200 / (row[F::tileColumns] * row[F::accBits] / 8);
  return cycles * 0.4 * (1 + (row[F::innerMovesLhs] ? stripes : stripes / 2));
}

static double loadCycles(const FeatureRow &row) {
  double waits = row[F::intrinsicM] > 1 ? 1.4 : 1;
  return beyondL1Cycles(row, lhsOf(row), waits) + beyondL1Cycles(row, rhsOf(row), waits);
}

/// The end of a tile waits for its last execution, and moves each accumulator.
static double tileCycles(const FeatureRow &row) {
  return row[F::tiles] * (row[F::latencyCycles] + 0.55 * row[F::accumulators]);
}

/// A whole operand that is converted or summed comes from wherever it is, and is read by an op of
/// its own.
static double preparationCycles(const FeatureRow &row) {
  double bytes = row[F::elements] * std::max(row[F::lhsBits], row[F::rhsBits]) / 8;
  return (row[F::isConvert] ? 20 : 26) * bytes / row[F::l2BytesPerCycle];
}

/// Each vector that a copy reads or writes takes a cycle or so, and a division some more; what it
/// moves comes from where it lies.
static double copyCycles(const FeatureRow &row) {
  double issue = (row[F::divides] ? 1.1 : 0.75) * row[F::reads] + 1.4 * row[F::writes];
  double moved = beyondL1Cycles(row, lhsOf(row)) + beyondL1Cycles(row, rhsOf(row)) +
                 beyondL1Cycles(row, outOf(row));
  return std::max(issue, 3 * moved) + 0.5 * std::min(issue, 3 * moved);
}

/// Total cycles of the rows; `cycles` gets those of each. Out-of-order execution overlaps computing
/// with what caches deliver, but not entirely.
static double overlap(llvm::ArrayRef<FeatureRow> program, llvm::MutableArrayRef<double> cycles) {
  double compute = 0, traffic = 0, others = 0;
  for (auto [row, own] : llvm::zip_equal(program, cycles)) {
    if (row[F::isCompute]) {
      double steps = stepCycles(row), loads = loadCycles(row);
      compute += steps;
      traffic += loads;
      own = std::max(steps, loads);
    } else if (row[F::isStore]) {
      double tiles = tileCycles(row), stores = storeCycles(row);
      traffic += stores;
      others += tiles;
      own = tiles + stores;
    } else {
      own = row[F::isConvert] || row[F::isSum] ? preparationCycles(row) : copyCycles(row);
      others += own;
    }
  }
  return std::max(compute, traffic) + 0.1 * std::min(compute, traffic) + others;
}

double ucmoh::analyticSeconds(llvm::ArrayRef<FeatureRow> program,
                              llvm::MutableArrayRef<double> rows) {
  const FeatureRow &any = program.front();
  double perSecond = any[F::clockGHz] * 1e9;
  const FeatureRow *grid = llvm::find_if(program, [](auto &row) { return row[F::isGrid] != 0; });
  if (grid != program.end()) {
    std::fill(rows.begin(), rows.end(), 0.0);
    return rows[grid - program.begin()] = gridCycles(program) / perSecond;
  }
  double total = overlap(program, rows) * any[F::busiestShare] / perSecond;
  for (double &row : rows)
    row = row * any[F::busiestShare] / perSecond;
  return total;
}

double ucmoh::analyticSeconds(llvm::ArrayRef<FeatureRow> program) {
  llvm::SmallVector<double, 16> rows(program.size());
  return analyticSeconds(program, rows);
}
