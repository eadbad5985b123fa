//===- RowTiles.h - How a kernel's rows are cut into tiles and fragments
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_ROWTILES_H
#define UCMOH_ANALYSIS_ROWTILES_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Analysis/Nest.h"

namespace ucmoh {

/// Tiles of tileM rows, and one of `restRows` at the end. Where an intrinsic's fragments may have
/// fewer rows, copying what exists of one to a buffer is avoided in two ways: fragments have as
/// many rows as fill all tiles evenly (28 rows: two of 14), or the last tile begins earlier and
/// computes some rows a second time (35 rows: those from 0, 16 and 19 on).
struct RowTiles {
  int64_t fragmentRows; ///< the intrinsic's m, or fewer
  int64_t restRows;     ///< 0: whole tiles only; more than are left where the last tile overlaps

  /// `mayOverlap`: see `mayRepeatRows`.
  RowTiles(const Nest &nest, const Candidate &candidate, bool mayOverlap);
};

/// Whether a row of the result may be computed twice: what it starts from and what its consumer
/// reads is the same for all rows, so it cannot be what was written the first time.
bool mayRepeatRows(const Workload &workload, const Intrinsic &intrinsic);

/// How many rows the fragments of tiles with so many rows have: `m`, or fewer if those fill all of
/// the tiles. All the same: a register that has a shape has one in all of a function.
int64_t evenFragmentRows(llvm::ArrayRef<int64_t> tileRows, int64_t m);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_ROWTILES_H
