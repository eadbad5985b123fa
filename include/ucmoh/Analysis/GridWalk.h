//===- GridWalk.h - The grid of a device's kernel
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_GRIDWALK_H
#define UCMOH_ANALYSIS_GRIDWALK_H

#include "ucmoh/Analysis/KernelShape.h"

namespace ucmoh {

/// Says what a register tile computes, and where it is. Positions are of a sink's type `Index`.
template <typename Index> struct PlacedTile {
  TileShape shape;                 ///< extents and strides
  Index lhs, rhs;                  ///< positions of its first elements
  Index next;                      ///< where the first element of rhs to prefetch is, if any
  Index row, column;               ///< values of m and n
  Index rowInBlock, columnInBlock; ///< the same within the cache tile
  bool isFirst, isLast;            ///< block of the reduction
  llvm::ArrayRef<Index> values;    ///< values of the nest's variables
};

/// How many panels of a prepacked rhs lie before those of the batch and the outer columns that
/// `values` of the nest's variables mean.
template <typename Sink>
typename Sink::Index panelsBefore(const KernelShape &shape, Sink &sink,
                                  llvm::ArrayRef<typename Sink::Index> values) {
  typename Sink::Index count = sink.constant(0);
  for (unsigned i = 0; i < shape.mAt(); ++i)
    if (i < shape.outerMAt() || i >= shape.outerNAt()) // rhs has no rows
      count = sink.add(sink.mul(count, shape.nest.variables()[i]->extent), values[i]);
  return sink.mul(count, shape.layout.rhsPanels());
}

/// Walks a grid of blocks of threads of a device, each of which computes one cache tile. Besides
/// arithmetic, a sink has these members:
///
/// - `launch(gridX, gridY, gridZ, body)`: the grid
/// - `warpTile(tile, rowFrom, columnFrom, panelsBefore)`: the register tile of a subgroup there
template <typename Sink> class GridWalk {
public:
  using Index = typename Sink::Index; ///< the sink's positions

  GridWalk(const KernelShape &shape, Sink &sink)
      : shape(shape), candidate(shape.candidate), nest(shape.nest), sink(sink),
        values(shape.variableCount(), sink.constant(0)) {}

  /// Blocks along n, along m, and one for each combination of the outer dims; which of n and m
  /// neighbouring blocks run along is for the order to say.
  void run() {
    int64_t outer = 1;
    for (unsigned i = 0; i < shape.mAt(); ++i)
      outer *= nest.variables()[i]->extent;
    int64_t alongM = llvm::divideCeil(nest.m.extent, candidate.cacheM);
    int64_t alongN = llvm::divideCeil(nest.n.extent, candidate.cacheN);
    bool rowsInside = candidate.order.rowBlocksOutside;
    sink.launch(rowsInside ? alongM : alongN, rowsInside ? alongN : alongM, outer,
                [&](const Index &x, const Index &y, const Index &z, const Index &warp) {
                  block(rowsInside ? x : y, rowsInside ? y : x, z, warp);
                });
  }

private:
  void block(const Index &blockM, const Index &blockN, const Index &outer, const Index &warp) {
    int64_t inner = 1;
    for (unsigned i = shape.mAt(); i-- > 0;) {
      int64_t extent = nest.variables()[i]->extent;
      values[i] = sink.remainder(sink.divide(outer, inner), extent);
      inner *= extent;
    }
    Index rowFrom = sink.mul(blockM, candidate.cacheM);
    Index columnFrom = sink.mul(blockN, candidate.cacheN);
    int64_t across = shape.shared.warpsAlongN();
    Index down = sink.divide(warp, across), right = sink.remainder(warp, across);
    Index rowInBlock = sink.mul(down, candidate.tileM);
    Index columnInBlock = sink.mul(right, candidate.tileN);
    values[shape.mAt()] = sink.add(rowFrom, rowInBlock);
    values[shape.nAt()] = sink.add(columnFrom, columnInBlock);
    sink.warpTile(
        PlacedTile<Index>{shape.warpTile(), sink.mul(down, candidate.tileM * shape.shared.lhsRow()),
                          sink.mul(right, shape.shared.rhsPanel()), sink.constant(0),
                          values[shape.mAt()], values[shape.nAt()], rowInBlock, columnInBlock,
                          /*isFirst=*/true, /*isLast=*/true, values},
        rowFrom, columnFrom,
        candidate.packRhs == Packing::Prepacked ? panelsBefore<Sink>(shape, sink, values)
                                                : sink.constant(0));
  }

  const KernelShape &shape;
  const Candidate &candidate;
  const Nest &nest;
  Sink &sink;
  llvm::SmallVector<Index> values; ///< values of the nest's variables
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_GRIDWALK_H
