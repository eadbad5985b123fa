//===- RowBlocks.h - How many rows of an attention are computed at once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_ROWBLOCKS_H
#define UCMOH_ANALYSIS_ROWBLOCKS_H

#include "ucmoh/Analysis/BestKernels.h"

namespace ucmoh {

/// Two contractions, the second of which reads rows that were computed from those of the first.
struct RowChain {
  Workload first, second; ///< all batches and rows of both
  int64_t batches, rows;  ///< extents
  int64_t bytesPerRow;    ///< bytes of a row that the first writes and the second reads
};

/// Decides whether a chain is computed by blocks of rows. Refers to what predicts.
class RowBlocks {
public:
  explicit RowBlocks(BestKernels &kernels) : kernels(kernels) {}

  /// Rows of a block: all of a batch, fewer, or 0 where the chain is best computed as a whole.
  int64_t choose(const RowChain &chain);

  /// Predicts the seconds of blocks of `rows` rows (0: of the whole), without what is done to the
  /// rows between the contractions, which takes as long in any case.
  double predict(const RowChain &chain, int64_t rows);

private:
  BestKernels &kernels;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_ROWBLOCKS_H
