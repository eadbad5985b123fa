//===- RowTiles.cpp - How a kernel's rows are cut into tiles and fragments
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/RowTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace ucmoh;

int64_t ucmoh::evenFragmentRows(llvm::ArrayRef<int64_t> tileRows, int64_t m) {
  int64_t found = 0;
  for (int64_t rows : tileRows) {
    int64_t each = rows / llvm::divideCeil(rows, m);
    if (rows % each != 0 || (found && each != found))
      return m;
    found = each;
  }
  return found ? found : m;
}

/// Corrections by the sums of the rows of lhs are first values of these rows.
bool ucmoh::mayRepeatRows(const Workload &workload, const Intrinsic &intrinsic) {
  return workload.surroundingsIgnoreRows && !isShifted(workload.rhs, intrinsic.rhs);
}

RowTiles::RowTiles(const Nest &nest, const Candidate &candidate, bool mayOverlap)
    : fragmentRows(candidate.intrinsic->m), restRows(nest.m.extent % candidate.tileM) {
  if (!candidate.intrinsic->variableM)
    return;
  int64_t extent = nest.m.extent, whole = llvm::alignTo(restRows, fragmentRows);
  // Partial sums in a buffer would be added to twice, and threads share no rows.
  if (mayOverlap && candidate.packLhs == Packing::None && whole <= extent &&
      candidate.cacheK >= nest.k.extent && candidate.threads == 1)
    restRows = whole;
  llvm::SmallVector<int64_t, 2> tileRows;
  if (extent >= candidate.tileM)
    tileRows.push_back(candidate.tileM);
  if (restRows)
    tileRows.push_back(restRows);
  fragmentRows = evenFragmentRows(tileRows, fragmentRows);
}
