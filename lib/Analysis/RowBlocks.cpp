//===- RowBlocks.cpp - How many rows of an attention are computed at once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/RowBlocks.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

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

double RowBlocks::predict(const RowChain &chain, int64_t rows) {
  const Machine &machine = kernels.getMachine();
  int64_t all = chain.batches * chain.rows * chain.bytesPerRow;
  if (rows == 0)
    return kernels.seconds(chain.first) + kernels.seconds(chain.second) +
           movingSeconds(machine, all, all);
  double seconds = movingSeconds(machine, all, rows * chain.bytesPerRow);
  int64_t blocks = chain.batches * llvm::divideCeil(chain.rows, rows);
  for (const Workload *whole : {&chain.first, &chain.second}) {
    seconds += blocks * kernels.seconds(partOf(*whole, chain, rows));
    if (rows == chain.rows)
      continue;
    // The right operand is read, written in another order, and that is read by each block.
    Workload part = partOf(*whole, chain, rows);
    int64_t bytes = part.rhs.elements() * llvm::divideCeil(part.rhs.type.bits, 8);
    seconds += chain.batches * movingSeconds(machine, 2 * bytes, 2 * bytes);
  }
  return seconds;
}

int64_t RowBlocks::choose(const RowChain &chain) {
  // What all blocks read, such as keys and values, passes through the other half.
  int64_t most = std::max(fewestRows, kernels.getMachine().l2Bytes / 2 / chain.bytesPerRow);
  int64_t best = 0;
  double least = predict(chain, 0);
  int64_t compared = 0;
  bool hasFitting = false;
  for (int64_t blocks = 1; compared < mostSizes; ++blocks) {
    int64_t rows = llvm::divideCeil(chain.rows, blocks);
    if (rows < std::min(fewestRows, chain.rows) || blocks > chain.rows)
      break;
    bool fits = rows <= most;
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
