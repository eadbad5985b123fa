//===- AnalyticModel.cpp - A roofline over compute, loads and caches
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridModel.h"
#include "ucmoh/CostModel/CostModel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ucmoh;
using F = Feature;

// The constants below that are not a machine's were fitted to the training tasks measured on a Zen
// 4 and a Sapphire Rapids: as few as give good picks on both, rounded.

/// Bytes per cycle of the smallest cache that holds `footprint_bytes`. Three quarters of a cache:
/// the rest is taken by the other operands and the result.
static double bandwidth(const FeatureRow &row, double footprint_bytes) {
  if (footprint_bytes <= 0.75 * row[F::l1Bytes])
    return row[F::l1BytesPerCycle];
  if (footprint_bytes <= 0.75 * row[F::l2Bytes])
    return row[F::l2BytesPerCycle];
  if (footprint_bytes <= row[F::l3Bytes])
    return row[F::l3BytesPerCycle];
  return row[F::memoryBytesPerCycle];
}

/// Cycles of the reduction steps: what takes longest of the executions of the intrinsic, their
/// dependence on each other, and the loads of fragments from L1.
static double stepCycles(const FeatureRow &row) {
  double executionsPerStep = row[F::executions] / std::max(row[F::steps], 1.0f);
  double issue = executionsPerStep * row[F::throughputCycles];
  double loads = row[F::loadBytesPerStep] / row[F::l1BytesPerCycle] +
                 row[F::broadcastBytesPerStep] / row[F::broadcastBytesPerCycle];
  double step = std::max({issue, static_cast<double>(row[F::latencyCycles]), loads});
  // Loop control, which unrolling thins out.
  step += 0.3 / row[F::unroll];
  // Beyond the steps, a ragged load moves each row through a buffer on the stack.
  return step * row[F::steps] + (3 + 5 * row[F::intrinsicM]) * row[F::raggedLoads];
}

/// Writing the result: a line that is in no cache is first read and later written back. Register
/// tiles write stripes of its rows; narrow ones (in bytes, against pairs of cache lines) open pages
/// and fetch neighbouring lines more than once; less so where the row's next stripe follows.
static double resultCycles(const FeatureRow &row) {
  double cycles = row[F::resultBytes] / bandwidth(row, row[F::resultBytes]);
  if (row[F::resultBytes] <= 0.75 * row[F::l2Bytes])
    return cycles;
  double stripes = 128 / (row[F::tileN] * row[F::accBits] / 8);
  return cycles * 0.6 * (1 + (row[F::innerLoopIsM] ? stripes : stripes / 2));
}

/// Bytes per cycle of loads of fragments. One load of several rows waits for a line of each: from
/// L2 it reaches less than streams of vectors do.
static double loadBandwidth(const FeatureRow &row, double footprint_bytes) {
  double best = bandwidth(row, footprint_bytes);
  bool waits = row[F::intrinsicM] > 1 && best == row[F::l2BytesPerCycle];
  return waits ? best / 1.4 : best;
}

static double trafficCycles(const FeatureRow &row) {
  return row[F::lhsBytes] / loadBandwidth(row, row[F::lhsLevelBytes]) +
         row[F::rhsBytes] / loadBandwidth(row, row[F::rhsLevelBytes]) + resultCycles(row);
}

/// Entering a tile and the loops of its reduction empties the pipeline once each.
static double tileCycles(const FeatureRow &row) {
  double perTile = row[F::latencyCycles] + row[F::accumulators];
  return row[F::tiles] * (perTile + 3 * row[F::reductionLoops]);
}

/// A copy moves one run after the other, at least a cycle and a half each, or its bytes: of weights
/// at half of L2's bandwidth. Activations come from wherever they are, a quarter where they are
/// converted as a whole, an eighth where a block is packed right before it is read.
static double copyCycles(const FeatureRow &row) {
  double runs = row[F::elements] / std::max(row[F::runElements], 1.0f);
  double bytes = row[F::elements] * std::max(row[F::lhsBits], row[F::rhsBits]) / 8;
  double slower = row[F::isPackLhs] ? 8 : row[F::isConvert] ? 4 : 2;
  return std::max(1.5 * runs, slower * bytes / row[F::l2BytesPerCycle]);
}

static double rowCycles(const FeatureRow &row) {
  return row[F::isCompute]   ? stepCycles(row)
         : row[F::isTraffic] ? trafficCycles(row)
         : row[F::isStore]   ? tileCycles(row)
                             : copyCycles(row);
}

/// Total cycles of rows that take `cycles` each: out-of-order execution overlaps computing with
/// traffic, but not entirely.
static double overlap(llvm::ArrayRef<FeatureRow> program, llvm::ArrayRef<double> cycles) {
  double compute = 0, traffic = 0, tiles = 0, copies = 0;
  for (auto [row, own] : llvm::zip_equal(program, cycles))
    (row[F::isCompute]   ? compute
     : row[F::isTraffic] ? traffic
     : row[F::isStore]   ? tiles
                         : copies) += own;
  return std::max(compute, traffic) + 0.15 * std::min(compute, traffic) + tiles + copies;
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
  llvm::transform(program, rows.begin(), rowCycles);
  double total = overlap(program, rows) * any[F::busiestShare] / perSecond;
  for (double &row : rows)
    row = row * any[F::busiestShare] / perSecond;
  return total;
}

double ucmoh::analyticSeconds(llvm::ArrayRef<FeatureRow> program) {
  llvm::SmallVector<double, 16> rows(program.size());
  return analyticSeconds(program, rows);
}
