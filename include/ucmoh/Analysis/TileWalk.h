//===- TileWalk.h - The nest of one register tile, written once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The reduction of one register tile: loops, fragments that are loaded, executions of the
/// intrinsic. The walk talks to a sink, which notes the program or emits IR; see KernelWalk.h.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_TILEWALK_H
#define UCMOH_ANALYSIS_TILEWALK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

namespace ucmoh {

/// Blocks of the reduction that pass through slots of shared memory.
struct Pipeline {
  int64_t extent;           ///< elements of the reduction in one slot
  int64_t depth;            ///< slots
  int64_t lhsSlot, rhsSlot; ///< elements from one slot to the next
};

/// What is fetched into the cache while a tile computes: its share of the part of rhs that comes
/// next, so that weights arrive from memory evenly, as long as the part before is computed with.
struct Prefetch {
  int64_t elements; ///< for each element of the reduction
};

/// One register tile. Extents and strides in elements.
struct TileShape {
  int64_t rows, columns; ///< of the tile
  int64_t m, n, k;       ///< of a fragment; m may be less than the intrinsic's
  /// Extents of the loops of the reduction, outermost first; the last one is cut into steps of k.
  llvm::SmallVector<int64_t, 4> reduction;
  int64_t unroll; ///< steps per iteration of the innermost loop
  /// Of lhs: from row to row, then from iteration to iteration of each loop of the reduction. Of
  /// rhs: from column to column, then the same.
  llvm::SmallVector<int64_t, 4> lhsStrides, rhsStrides;
  bool paddedLhs; ///< rows and reduction of lhs are padded to whole fragments
  std::optional<Pipeline> pipeline;
  std::optional<Prefetch> prefetch;

  /// How many fragments the tile has along each dimension.
  int64_t rowFragments() const { return llvm::divideCeil(rows, m); }
  int64_t columnFragments() const { return llvm::divideCeil(columns, n); }
};

/// Walks the nest of one register tile. A sink has, beside the arithmetic on positions that
/// KernelWalk.h lists:
///
/// - `offset(at, elements)`: a position some elements on
/// - `advance(at, iteration, stride)`: at + iteration * stride
/// - `reduce(extent, step, body)`: a loop from 0 that carries the accumulators
/// - `firstValues(i)`, `lastValues(i)`: what the i-th row of fragments begins with; stores it
/// - `loadRhs(j, at, elements)`: the j-th fragment of rhs, `elements` behind `at`
/// - `loadLhs(at, elements, validM, validK)`: the next one of lhs; only so much of it exists
/// - `prefetch(at, elements)`: so many of rhs will be needed
/// - `compute(i, j)`: one execution on the i-th row and j-th column of fragments
/// - `beginPipeline()`, `endStage()`: before all copies; after the copies of a slot
/// - `copyStage(slot, from)`: copies the block of the reduction that begins at `from`
/// - `nextStage(iteration, trips)`: waits for a slot, refills the one behind it; returns the slot
template <typename Sink> class TileWalk {
public:
  /// The sink's positions.
  using Index = typename Sink::Index;

  TileWalk(const TileShape &tile, Sink &sink) : tile(tile), sink(sink) {}

  /// `lhs` and `rhs` are the positions of the tile's first elements, `next` that of the first one
  /// to prefetch.
  void run(const Index &lhs, const Index &rhs, const Index &next) {
    for (int64_t i = 0; i < tile.rowFragments(); ++i)
      sink.firstValues(i);
    if (tile.pipeline)
      stages(*tile.pipeline, lhs, rhs);
    else
      reduction(0, lhs, rhs, next);
    for (int64_t i = 0; i < tile.rowFragments(); ++i)
      sink.lastValues(i);
  }

private:
  void reduction(unsigned level, const Index &lhs, const Index &rhs, const Index &next) {
    if (level + 1 == tile.reduction.size())
      return steps(lhs, rhs, next);
    sink.reduce(tile.reduction[level], 1, [&](const Index &i) {
      reduction(level + 1, sink.advance(lhs, i, tile.lhsStrides[level + 1]),
                sink.advance(rhs, i, tile.rhsStrides[level + 1]),
                sink.advance(next, i, prefetchStride(level + 1)));
    });
  }

  /// A loop over whole steps of k, what is left of them, and a ragged end.
  void steps(const Index &lhs, const Index &rhs, const Index &next) {
    int64_t extent = tile.reduction.back(), k = tile.k;
    int64_t whole = tile.paddedLhs ? llvm::alignTo(extent, k) : extent - extent % k;
    int64_t step_ = k * tile.unroll, unrolled = whole - whole % step_;
    auto stepAt = [&](const Index &at, int64_t validK) {
      if (tile.prefetch)
        sink.prefetch(sink.advance(next, at, tile.prefetch->elements), k * tile.prefetch->elements);
      step(sink.advance(lhs, at, tile.lhsStrides.back()),
           sink.advance(rhs, at, tile.rhsStrides.back()), validK);
    };
    if (unrolled > step_)
      sink.reduce(unrolled, step_, [&](const Index &at) {
        for (int64_t i = 0; i < step_; i += k)
          stepAt(sink.offset(at, i), k);
      });
    else
      unrolled = 0;
    for (int64_t at = unrolled; at < whole; at += k)
      stepAt(sink.constant(at), k);
    if (whole < extent)
      stepAt(sink.constant(whole), extent - whole);
  }

  /// Along a loop of the reduction, what is prefetched advances like rhs, but slower.
  int64_t prefetchStride(unsigned level) const {
    return tile.prefetch ? tile.rhsStrides[level] / tile.rhsStrides.back() * tile.prefetch->elements
                         : 0;
  }

  /// Each fragment of rhs is loaded once, then each of lhs.
  void step(const Index &lhs, const Index &rhs, int64_t validK) {
    for (int64_t j = 0; j < tile.columnFragments(); ++j)
      sink.loadRhs(j, rhs, j * tile.n * tile.rhsStrides.front());
    for (int64_t i = 0; i < tile.rowFragments(); ++i) {
      int64_t validM = tile.paddedLhs ? tile.m : std::min(tile.m, tile.rows - i * tile.m);
      sink.loadLhs(lhs, i * tile.m * tile.lhsStrides.front(), validM, validK);
      for (int64_t j = 0; j < tile.columnFragments(); ++j)
        sink.compute(i, j);
    }
  }

  /// All slots but one are filled before the loop, which refills them one by one.
  void stages(const Pipeline &pipeline, const Index &lhs, const Index &rhs) {
    int64_t trips = llvm::divideCeil(tile.reduction.front(), pipeline.extent);
    sink.beginPipeline();
    for (int64_t block = 0; block + 1 < pipeline.depth; ++block) {
      if (block < trips)
        sink.copyStage(sink.constant(block), sink.constant(block * pipeline.extent));
      sink.endStage();
    }
    sink.reduce(trips, 1, [&](const Index &block) {
      Index slot = sink.nextStage(block, trips);
      Index lhsAt = sink.advance(lhs, slot, pipeline.lhsSlot);
      Index rhsAt = sink.advance(rhs, slot, pipeline.rhsSlot);
      for (int64_t at = 0; at < pipeline.extent; at += tile.k)
        step(sink.offset(lhsAt, at * tile.lhsStrides.back()),
             sink.offset(rhsAt, at * tile.rhsStrides.back()), tile.k);
    });
  }

  const TileShape &tile;
  Sink &sink;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_TILEWALK_H
