//===- RowBlocks.cpp - How many rows of an attention are computed at once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/RowBlocks.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "ucmoh/Analysis/Choice.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace ucmoh;

/// Fewer rows leave register tiles empty, and packed operands are read for each block.
static constexpr int64_t fewestRows = 16;

/// Smaller blocks must be predicted to save this share: each costs calls that nobody predicts.
static constexpr double leastGain = 0.03;

/// How many sizes of blocks are compared, the largest first.
static constexpr int64_t mostSizes = 4;

/// The operand of a part: its elements are where they were.
static void cutOperand(Operand &operand, ArrayRef<Dim> dims) {
  if (operand.strides.empty())
    operand.strides = computeStrides(operand.shape);
  for (auto [extent, expr] : llvm::zip_equal(operand.shape, operand.map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      extent = dims[dim.getPosition()].extent;
}

/// Returns the part that one batch has of a contraction, with this many rows.
static Workload partOf(const Workload &whole, const RowChain &chain, int64_t rows) {
  Workload part = whole;
  for (Dim &dim : part.dims) {
    if (dim.role == DimRole::Batch)
      dim.extent = 1;
    else if (dim.role == DimRole::M)
      dim.extent = std::min(dim.extent, rows);
  }
  for (Operand *operand : {&part.lhs, &part.rhs, &part.acc})
    cutOperand(*operand, part.dims);
  part.rhs.isConstant |= rows < chain.rows; // packed once for all blocks
  return part;
}

double RowBlocks::predict(const Workload &workload) {
  auto [entry, isNew] = known.try_emplace(identityOf(workload), 0);
  if (isNew) {
    std::string reason;
    std::vector<RankedCandidate> ranked = rankCandidates(workload, target, *model, reason);
    entry->second =
        ranked.empty() ? std::numeric_limits<double>::infinity() : ranked.front().predictedSeconds;
  }
  return entry->second;
}

/// The time to write and read bytes of which `inUse` are in use at a time. Memory is read before it
/// is written.
double RowBlocks::movingSeconds(int64_t bytes, int64_t inUse) const {
  const Machine &machine = target.machine;
  if (inUse > machine.l3Bytes)
    return 3 * bytes / machine.memoryBytesPerSecond;
  double perCycle = inUse > machine.l2Bytes   ? machine.l3BytesPerCycle
                    : inUse > machine.l1Bytes ? machine.l2BytesPerCycle
                                              : machine.l1BytesPerCycle;
  return 2 * bytes / (perCycle * machine.clockGHz * 1e9);
}

double RowBlocks::predict(const RowChain &chain, int64_t rows) {
  int64_t all = chain.batches * chain.rows * chain.bytesPerRow;
  if (rows == 0)
    return predict(chain.first) + predict(chain.second) + movingSeconds(all, all);
  double seconds = movingSeconds(all, rows * chain.bytesPerRow);
  int64_t blocks = chain.batches * llvm::divideCeil(chain.rows, rows);
  for (const Workload *whole : {&chain.first, &chain.second}) {
    seconds += blocks * predict(partOf(*whole, chain, rows));
    if (rows == chain.rows)
      continue;
    // The right operand is read, written in another order, and that is read by each block.
    Workload part = partOf(*whole, chain, rows);
    int64_t bytes = part.rhs.elements() * llvm::divideCeil(part.rhs.type.bits, 8);
    seconds += chain.batches * movingSeconds(2 * bytes, 2 * bytes);
  }
  return seconds;
}

/// Bytes that each block reads of the right operands.
static int64_t sharedBytes(const RowChain &chain) {
  int64_t bytes = 0;
  for (const Workload *whole : {&chain.first, &chain.second}) {
    Workload part = partOf(*whole, chain, chain.rows);
    bytes += part.rhs.elements() * llvm::divideCeil(part.rhs.type.bits, 8);
  }
  return bytes;
}

int64_t RowBlocks::choose(const RowChain &chain) {
  int64_t best = 0, shared = sharedBytes(chain);
  double least = predict(chain, 0);
  int64_t compared = 0;
  bool hasFitting = false;
  for (int64_t blocks = 1; compared < mostSizes; ++blocks) {
    int64_t rows = llvm::divideCeil(chain.rows, blocks);
    if (rows < std::min(fewestRows, chain.rows) || blocks > chain.rows)
      break;
    bool fits = rows * chain.bytesPerRow + shared <= target.machine.l2Bytes;
    bool isFirst = blocks == 1 && chain.batches > 1;
    // Between sizes that differ little there is nothing to decide: of those that fit, the largest
    // is compared, and then those of a power of two blocks.
    bool isNext = fits && (!hasFitting || llvm::isPowerOf2_64(blocks));
    if (!isFirst && !isNext)
      continue;
    hasFitting |= fits;
    ++compared;
    if (double seconds = predict(chain, rows); seconds < least * (1 - leastGain)) {
      least = seconds;
      best = rows;
    }
  }
  return best;
}
