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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

namespace ucmoh {

/// Blocks of the reduction that pass through slots of shared memory.
struct Pipeline {
  int64_t extent; ///< elements of the reduction in one slot
  int64_t depth;  ///< slots
};

/// One register tile. Extents and strides in elements.
struct TileShape {
  int64_t rows, columns; ///< the tile's rows and columns
  int64_t m, n, k;       ///< a fragment's; m may be less than the intrinsic's
  /// Extents of the loops of the reduction, outermost first; the last one is cut into steps of k.
  llvm::SmallVector<int64_t, 4> reduction;
  /// In lhs: from row to row, then from iteration to iteration of each loop of the reduction. Of
  /// rhs: from column to column, then the same.
  llvm::SmallVector<int64_t, 4> lhsStrides, rhsStrides;
  bool paddedLhs; ///< rows and reduction of lhs are padded to whole fragments
  std::optional<Pipeline> pipeline;
  /// Where each row begins to read anything but zeros in the last loop of the reduction, and the
  /// end of it; in whole steps. Empty: each reads all. Fragments have one row then.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> rowSteps = {};
  /// The last loop of the reduction is cut into so many parts, which are computed side by side.
  int64_t streams = 1;

  /// How many fragments the tile has along each dimension.
  int64_t rowFragments() const { return llvm::divideCeil(rows, m); }
  int64_t columnFragments() const { return llvm::divideCeil(columns, n); }
};

/// Walks the nest of one register tile. A sink has these members, and `constant` of KernelWalk.h;
/// its `Index` is the value of a loop:
///
/// - `offset(at, by)`: the value of a loop, some iterations on
/// - `reduce(extent, step, body)`: a loop from 0 that carries the accumulators
/// - `reduceStreams(extent, step, streams, body)`: one whose body is called for each stream, with
///   its number; each has accumulators of its own, which are added up in the end
/// - `firstValues(i)`, `lastValues(i)`: what the i-th row of fragments begins with; stores it
/// - `step(at)`: a step of the reduction begins; `at` has the value of each of its loops
/// - `loadRhs(j)`: the step's j-th fragment of rhs
/// - `loadLhs(i, validM, validK)`: the step's i-th one of lhs; only so much of it exists
/// - `compute(i, j)`: one execution on the i-th row and j-th column of fragments
/// - `beginPipeline()`, `endStage()`: before all copies; after the copies of a slot
/// - `copyStage(slot, from)`: copies the block of the reduction that begins at `from`
/// - `nextStage(iteration, trips)`: waits for the next slot, from which later steps load, and
///   refills the one behind it
template <typename Sink> class TileWalk {
public:
  /// The sink's values of loops.
  using Index = typename Sink::Index;

  TileWalk(const TileShape &tile, Sink &sink)
      : tile(tile), sink(sink), at(tile.reduction.size(), sink.constant(0)) {}

  /// The whole tile.
  void run() {
    for (int64_t i = 0; i < tile.rowFragments(); ++i)
      sink.firstValues(i);
    if (tile.pipeline)
      stages(*tile.pipeline);
    else
      reduction(0);
    for (int64_t i = 0; i < tile.rowFragments(); ++i)
      sink.lastValues(i);
  }

private:
  void reduction(unsigned level) {
    if (level + 1 == tile.reduction.size())
      return steps();
    sink.reduceOuter(level, tile.reduction[level], [&](const Index &i) {
      at[level] = i;
      reduction(level + 1);
    });
  }

  /// Between two numbers of `rowSteps`, all steps are of the same rows.
  void steps() {
    if (tile.rowSteps.empty())
      return steps(0, tile.reduction.back());
    llvm::SmallVector<int64_t> bounds;
    for (auto [from, to] : tile.rowSteps)
      bounds.append({from, to});
    llvm::sort(bounds);
    for (size_t i = 0; i + 1 < bounds.size(); ++i) {
      from = bounds[i];
      if (llvm::any_of(llvm::seq(tile.rows), [&](int64_t row) { return reads(row); }))
        steps(bounds[i], bounds[i + 1]);
    }
  }

  /// Whether the row reads more than zeros in the current steps.
  bool reads(int64_t row) const {
    return tile.rowSteps.empty() ||
           (tile.rowSteps[row].first <= from && from < tile.rowSteps[row].second);
  }

  /// What of a reduction is computed in steps of k: zeros stand behind the end of a padded lhs.
  int64_t wholeSteps(int64_t extent) const {
    return tile.paddedLhs ? llvm::alignTo(extent, tile.k) : extent - extent % tile.k;
  }

  /// The steps that all streams have; returns where the others begin.
  int64_t streams(int64_t begin, int64_t end) {
    int64_t part = wholeSteps(end - begin) / tile.k / tile.streams * tile.k;
    sink.reduceStreams(part, tile.k, tile.streams, [&](const Index &at, int64_t stream) {
      step(sink.offset(at, begin + stream * part), tile.k);
    });
    return begin + tile.streams * part;
  }

  /// A loop over whole steps of k, what is left of them, and a ragged end.
  void steps(int64_t begin, int64_t end) {
    if (tile.streams > 1)
      begin = streams(begin, end);
    int64_t extent = end - begin, k = tile.k, whole = wholeSteps(extent);
    if (whole > k)
      sink.reduce(whole, k, [&](const Index &at) { step(sink.offset(at, begin), k); });
    else if (whole == k)
      step(sink.constant(begin), k);
    if (whole < extent)
      step(sink.constant(begin + whole), extent - whole);
  }

  /// Each fragment of rhs is loaded once, then each of lhs.
  void step(const Index &innermost, int64_t validK) {
    at.back() = innermost;
    sink.step(at);
    for (int64_t j = 0; j < tile.columnFragments(); ++j)
      sink.loadRhs(j);
    for (int64_t i = 0; i < tile.rowFragments(); ++i) {
      if (!reads(i))
        continue;
      int64_t validM = tile.paddedLhs ? tile.m : std::min(tile.m, tile.rows - i * tile.m);
      sink.loadLhs(i, validM, validK);
      for (int64_t j = 0; j < tile.columnFragments(); ++j)
        sink.compute(i, j);
    }
  }

  /// All slots but one are filled before the loop, which refills them one by one.
  void stages(const Pipeline &pipeline) {
    int64_t trips = llvm::divideCeil(tile.reduction.front(), pipeline.extent);
    sink.beginPipeline();
    for (int64_t block = 0; block + 1 < pipeline.depth; ++block) {
      if (block < trips)
        sink.copyStage(sink.constant(block), sink.constant(block * pipeline.extent));
      sink.endStage();
    }
    sink.reduce(trips, 1, [&](const Index &block) {
      sink.nextStage(block, trips);
      for (int64_t from = 0; from < pipeline.extent; from += tile.k)
        step(sink.constant(from), tile.k);
    });
  }

  const TileShape &tile;
  Sink &sink;
  llvm::SmallVector<Index, 4> at; ///< the values of the loops of the reduction
  int64_t from = 0;               ///< where the current steps of its last loop begin
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_TILEWALK_H
