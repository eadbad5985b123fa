//===- KernelShape.cpp - What decides the nest of a kernel
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/KernelShape.h"

using namespace ucmoh;
using namespace mlir;

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

/// A part is one panel where all tiles that read it follow each other, else a block of columns.
/// Threads that share columns or rows fetch ahead what they compute with themselves.
std::optional<RhsPrefetch> KernelShape::findPrefetch() const {
  const LoopOrder &order = candidate.order;
  bool sharesOuter = parallel && parallel->variable < mAt();
  if (candidate.packRhs != Packing::Prepacked || intrinsic.isStaged ||
      (sharesOuter && order.columnBlocksOutside))
    return std::nullopt;
  int64_t extent = layout.partExtent('m');
  bool oneRowBlock = order.rowBlocksOutside || candidate.cacheM >= extent;
  bool byPanel = order.rowTilesInside && oneRowBlock && !order.columnBlocksOutside;
  bool sharesRows = parallel && parallel->variable == mAt(); // whose tiles are counted from 0
  bool blockByBlock =
      !order.rowBlocksOutside && candidate.cacheN < layout.partExtent('n') && !sharesRows;
  int64_t rows = byPanel ? std::min(candidate.cacheM, extent) : extent;
  int64_t readers = llvm::divideCeil(rows, candidate.tileM);
  if (order.columnBlocksOutside)
    for (const Nest::Group &group : nest.outerM)
      readers *= group.extent;
  if (readers < 2 || !(byPanel || blockByBlock))
    return std::nullopt;
  int64_t panels = byPanel ? 1 : llvm::divideCeil(candidate.cacheN, candidate.tileN);
  int64_t elements = llvm::divideCeil(candidate.tileN, readers);
  return RhsPrefetch{byPanel, panels, elements};
}

TileShape KernelShape::tile(int64_t rows, int64_t columns, int64_t reductionExtent) const {
  TileShape tile{rows,        columns,     rowTiles.fragmentRows,
                 intrinsic.n, intrinsic.k, {},
                 {},          {},          candidate.packLhs == Packing::Block,
                 std::nullopt};
  for (const Nest::Group &group : nest.outerK)
    tile.reduction.push_back(group.extent);
  tile.reduction.push_back(reductionExtent);
  if (candidate.packLhs == Packing::Block)
    tile.lhsStrides = {layout.lhsRowElements(reductionExtent), 1};
  else
    addStrides(workload.lhs, mAt(), tile.lhsStrides);
  if (rows == 1) // without a next one, and perhaps without a distance to it
    tile.lhsStrides.front() = intrinsic.k;
  if (candidate.packRhs == Packing::None) {
    addStrides(workload.rhs, nAt(), tile.rhsStrides);
    return tile;
  }
  // Panels of what is prepacked are of the whole reduction.
  int64_t k = candidate.packRhs == Packing::Prepacked ? nest.k.extent : reductionExtent;
  tile.rhsStrides = {intrinsic.kInterleave};
  for (unsigned level = 0; level < nest.outerK.size(); ++level)
    tile.rhsStrides.push_back(layout.rhsSlabStride(level, k));
  tile.rhsStrides.push_back(candidate.tileN);
  return tile;
}

/// Of an operand that is read in place: along the tile, then along each loop of the reduction.
void KernelShape::addStrides(const Operand &operand, unsigned tiled,
                             SmallVectorImpl<int64_t> &strides) const {
  AffineExpr index = nest.linearIndex(operand);
  strides.push_back(coefficient(index, tiled));
  for (unsigned level = 0; level <= nest.outerK.size(); ++level)
    strides.push_back(coefficient(index, outerKAt(level)));
}

TileShape KernelShape::warpTile() const {
  return {candidate.tileM,      candidate.tileN,
          intrinsic.m,          intrinsic.n,
          intrinsic.k,          {nest.k.extent},
          {shared.lhsRow(), 1}, {intrinsic.kInterleave, shared.rhsRow() / intrinsic.kInterleave},
          /*paddedLhs=*/true,   Pipeline{candidate.cacheK, candidate.pipelineDepth}};
}
