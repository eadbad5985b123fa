//===- KernelShape.cpp - What decides the nest of a kernel
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/KernelShape.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

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

/// So many rows take longer to compute than weights take from memory.
static constexpr int64_t rowsOfPass = 32;

bool ucmoh::leavesRows(const Workload &workload, const Nest &nest, const Candidate &candidate) {
  bool readsSeldom =
      !candidate.order.rowBlocksOutside || candidate.cacheM >= std::min(rowsOfPass, nest.m.extent);
  return readsSeldom && nest.leastRows >= candidate.tileM && candidate.packLhs == Packing::None &&
         candidate.cacheK >= nest.k.extent && nest.outerM.empty() &&
         workload.extent(DimRole::Batch) == 1 && !candidate.intrinsic->isStaged;
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
  if (!isPackedAhead(candidate.packRhs) || intrinsic.isStaged ||
      (sharesOuter && order.columnBlocksOutside))
    return std::nullopt;
  int64_t extent = layout.partExtent('m');
  bool oneRowBlock = order.rowBlocksOutside || candidate.cacheM >= extent;
  bool byPanel = order.rowTilesInside && oneRowBlock && !order.columnBlocksOutside;
  bool sharesRows = parallel && parallel->variable == mAt(); // whose tiles are counted from 0
  bool blockByBlock =
      !order.rowBlocksOutside && candidate.cacheN < layout.partExtent('n') && !sharesRows;
  int64_t rows = byPanel ? std::min(candidate.cacheM, extent) : extent;
  if (leavesRows()) // what tiles of more rows fetch comes later, of fewer rows lacks a part
    rows = (std::min(rows, nest.leastRows) + rows) / 2;
  int64_t readers = llvm::divideCeil(rows, candidate.tileM);
  if (order.columnBlocksOutside)
    for (const Nest::Group &group : nest.outerM)
      readers *= group.extent;
  if (readers < 2 || !(byPanel || blockByBlock))
    return std::nullopt;
  int64_t panels = byPanel ? 1 : llvm::divideCeil(candidate.cacheN, candidate.tileN);
  int64_t elements = llvm::divideCeil(candidate.tileN, readers);
  return RhsPrefetch{byPanel, panels, readers, elements};
}

/// A kernel of few rows waits for memory, which may bring more where a processor sees several
/// streams. Each has sums of its own, so that a tile does not wait for these either. First caches
/// hold weights that are smaller.
int64_t KernelShape::streamsOf(const TileShape &tile) const {
  constexpr int64_t mostRows = 8, leastSteps = 16, least_bytes = 32 << 10;
  IntrinsicOp op = intrinsic.op;
  auto sum = dyn_cast<VectorType>(op.getFragmentType(Role::acc));
  int64_t bytes = workload.rhs.elements() * intrinsic.rhs.bits / 8;
  if (intrinsic.isStaged || !sum || sum.getRank() > 1 || bytes < least_bytes ||
      workload.extent(DimRole::M) > mostRows)
    return 1;
  int64_t streams = intrinsic.mostStreams, sums = tile.rowFragments() * tile.columnFragments();
  while (streams > 1 && (4 * streams * sums > 3 * intrinsic.registerCount ||
                         tile.reduction.back() < streams * leastSteps * tile.k))
    streams /= 2;
  return streams;
}

TileShape KernelShape::tile(int64_t rows, int64_t columns, int64_t reductionExtent) const {
  TileShape tile{rows,        columns,     rowTiles.fragmentRows,
                 intrinsic.n, intrinsic.k, {},
                 {},          {},          candidate.packLhs == Packing::Block,
                 std::nullopt};
  for (const Nest::Group &group : nest.outerK)
    tile.reduction.push_back(group.extent);
  tile.reduction.push_back(reductionExtent);
  tile.streams = streamsOf(tile);
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

/// Adds the strides of an operand that is read in place: along the tile, then along each loop of
/// the reduction.
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

//===----------------------------------------------------------------------===//
// PackedLayout
//===----------------------------------------------------------------------===//

int64_t PackedLayout::lhsRowElements(int64_t k) const {
  return llvm::alignTo(k, candidate.intrinsic->k);
}

int64_t PackedLayout::rhsSlabElements(int64_t k) const {
  return llvm::alignTo(k, candidate.intrinsic->k) * candidate.tileN;
}

int64_t PackedLayout::rhsPanelElements(int64_t k) const {
  int64_t slabs = 1;
  for (const Nest::Group &group : nest.outerK)
    slabs *= group.extent;
  return slabs * rhsSlabElements(k);
}

int64_t PackedLayout::rhsSlabStride(unsigned level, int64_t k) const {
  int64_t stride = rhsSlabElements(k);
  for (const Nest::Group &group : llvm::drop_begin(nest.outerK, level + 1))
    stride *= group.extent;
  return stride;
}

int64_t PackedLayout::rhsPanels() const { return llvm::divideCeil(nest.n.extent, candidate.tileN); }

int64_t PackedLayout::partExtent(char letter) const {
  unsigned mAt = nest.batch.size() + nest.outerM.size() + nest.outerN.size();
  std::optional<ParallelLoop> parallel = findParallelLoop(nest, candidate);
  if (parallel && parallel->variable == mAt + (letter == 'n'))
    return parallel->step;
  return letter == 'm' ? nest.m.extent : nest.n.extent;
}

int64_t PackedLayout::blockK() const { return std::min(candidate.cacheK, nest.k.extent); }

int64_t PackedLayout::lhsBlockElements() const {
  int64_t rows = std::min(candidate.cacheM, partExtent('m'));
  return llvm::alignTo(rows, candidate.intrinsic->m) * lhsRowElements(blockK());
}

int64_t PackedLayout::rhsBlockElements() const {
  return accumulatorRowElements() / candidate.tileN * rhsPanelElements(blockK());
}

int64_t PackedLayout::rhsPrepackedElements() const {
  int64_t panels = rhsPanels();
  for (const auto *list : {&nest.batch, &nest.outerN})
    for (const Nest::Group &group : *list)
      panels *= group.extent;
  return panels * rhsPanelElements(nest.k.extent);
}

int64_t PackedLayout::accumulatorRowElements() const {
  return llvm::alignTo(std::min(candidate.cacheN, partExtent('n')), candidate.tileN);
}

int64_t PackedLayout::accumulatorElements() const {
  return std::min(candidate.cacheM, partExtent('m')) * accumulatorRowElements();
}

/// How many values of a group's variable, from a multiple of that number on, are neighbours in
/// memory; 0 if not even two.
static int64_t runLength(const Workload &workload, const Nest::Group &group,
                         const Operand &operand) {
  AffineExpr index = operand.linearIndex();
  int64_t run = 0, expected = 1;
  for (unsigned dim : llvm::reverse(group.dims)) {
    if (coefficient(index, dim) != expected)
      break;
    expected *= workload.dims[dim].extent;
    run = expected;
  }
  return run;
}

int64_t PackedLayout::lhsRun(int64_t k) const {
  int64_t run = std::max<int64_t>(runLength(workload, nest.k, workload.lhs), 1);
  // A block of the reduction may begin and end inside a run.
  if (run < nest.k.extent && k < nest.k.extent)
    run = std::gcd(run, candidate.cacheK);
  return std::min(run, k);
}

bool PackedLayout::rhsColumnsAreNeighbours() const {
  return runLength(workload, nest.n, workload.rhs) == nest.n.extent;
}

bool PackedLayout::rhsStepsAreNeighbours() const {
  int64_t run = runLength(workload, nest.k, workload.rhs);
  return run == nest.k.extent || (run > 1 && run % candidate.intrinsic->kInterleave == 0);
}

bool PackedLayout::rhsBlocksAreNeighbours() const {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  int64_t run = runLength(workload, nest.k, workload.rhs),
          block = intrinsic.n * intrinsic.kInterleave;
  return !intrinsic.isStaged && llvm::isPowerOf2_64(intrinsic.n) && intrinsic.n > 1 &&
         (run == nest.k.extent || (run > 1 && run % block == 0));
}
