//===- WindowWalk.h - The nest of a reduction over windows, written once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What KernelWalk.h is to contractions: blocks of the result, the windows that are reduced for
/// each. One sink notes the program that a cost model scores, another one emits IR.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_WINDOWWALK_H
#define UCMOH_ANALYSIS_WINDOWWALK_H

#include "ucmoh/Analysis/WindowNest.h"

namespace ucmoh {

/// Walks the loops over blocks and over windows. Blocks at a border of the columns are walked one
/// by one, without the elements that lie outside; in between there is one loop. A sink has these
/// members; a loop is named by its number in the nest:
///
/// - `loop(number, from, to, step, body)`: a loop with constant bounds; no loop where it runs once
/// - `reduce(number, slide, body)`: a loop over the window, as far as it lies in the image, that
///   carries the sums
/// - `setTap(number, value)`: from here on the loop over the window's columns, or over the rows
///   of a group, has this value
/// - `beginBlock(vectors, columns)`, `endBlock(vectors, columns)`: what sums start from; stores
/// - `multiply(vector, column)`: adds the element at hand of a column's window, for one vector of
///   channels, to the block's sum
template <typename Sink> class WindowWalk {
public:
  WindowWalk(const WindowNest &nest, const WindowBlock &block, Sink &sink)
      : nest(nest), block(block), outer(nest.outerLoops(block.order)), sink(sink) {}

  /// The kernel.
  void run() { outerLoop(0); }

private:
  using Body = llvm::function_ref<void()>;

  void outerLoop(size_t level) {
    if (level == outer.size())
      return blockOfResult();
    unsigned number = outer[level];
    auto inner = [&] { outerLoop(level + 1); };
    if (number == nest.columns)
      return columnBlocks(inner);
    if (number == nest.channels)
      return channelBlocks(inner);
    sink.loop(number, 0, nest.extents[number], 1, inner);
  }

  void channelBlocks(Body body) {
    int64_t extent = nest.extents[nest.channels], step = block.lanes * block.vectors;
    int64_t rest = extent % step;
    vectors = block.vectors;
    if (rest < extent)
      sink.loop(nest.channels, 0, extent - rest, step, body);
    vectors = rest / block.lanes;
    if (rest)
      sink.loop(nest.channels, extent - rest, extent, rest, body);
  }

  void columnBlocks(Body body) {
    int64_t extent = nest.extents[nest.columns], step = block.columns, rest = extent % step;
    int64_t whole = extent - rest, from = 0;
    while (from < whole && !nest.isInside(from, step))
      from += step;
    int64_t to = from;
    while (to < whole && nest.isInside(to, step))
      to += step;
    for (int64_t column = 0; column < from; column += step)
      borderBlock(column, step, body);
    columns = step;
    if (from < to)
      sink.loop(nest.columns, from, to, step, body);
    for (int64_t column = to; column < whole; column += step)
      borderBlock(column, step, body);
    if (rest)
      borderBlock(whole, rest, body);
  }

  void borderBlock(int64_t column, int64_t count, Body body) {
    border = column;
    columns = count;
    sink.loop(nest.columns, column, column + count, count, body);
    border.reset();
  }

  void blockOfResult() {
    sink.beginBlock(vectors, columns);
    reduce(0);
    sink.endBlock(vectors, columns);
  }

  /// The loops over the window from `level` on. Neighbours overlap in its columns, so that loop is
  /// unrolled. So is the one over the rows of a group, each of which is in other lanes.
  void reduce(size_t level) {
    if (level == nest.reduction.size())
      return multiplyBlock();
    unsigned number = nest.reduction[level];
    if (number == nest.depth)
      return unroll(number, [&] { reduce(level + 1); });
    if (number != nest.taps)
      return sink.reduce(number, nest.slides[level], [&] { reduce(level + 1); });
    if (level + 1 == nest.reduction.size())
      return slide(nest.slides[level]);
    unroll(number, [&] { reduce(level + 1); });
  }

  void unroll(unsigned number, Body body) {
    for (int64_t value = 0; value < nest.extents[number]; ++value) {
      sink.setTap(number, value);
      if (number == nest.taps)
        tap = value;
      body();
    }
  }

  /// The columns of the image one after the other, each with all windows that it lies in. A vector
  /// of it is in a register for as long as it takes to multiply it, so that the other registers are
  /// left to the sums and to a row of weights.
  void slide(const WindowSlide &slide) {
    int64_t taps = nest.extents[*nest.taps];
    int64_t last = slide.stride * (columns - 1) + slide.dilation * (taps - 1);
    for (int64_t vector = 0; vector < vectors; ++vector)
      for (int64_t place = 0; place <= last; ++place)
        for (tap = 0; tap < taps; ++tap) {
          int64_t moved = place - slide.dilation * tap;
          if (moved < 0 || moved % slide.stride || moved / slide.stride >= columns)
            continue;
          sink.setTap(*nest.taps, tap);
          multiply(vector, moved / slide.stride);
        }
  }

  void multiplyBlock() {
    for (int64_t vector = 0; vector < vectors; ++vector)
      for (int64_t column = 0; column < columns; ++column)
        multiply(vector, column);
  }

  void multiply(int64_t vector, int64_t column) {
    if (!border || !nest.taps || !nest.isOutside(*border + column, tap))
      sink.multiply(vector, column);
  }

  const WindowNest &nest;
  const WindowBlock &block;
  llvm::SmallVector<unsigned> outer;
  Sink &sink;
  int64_t vectors = 0, columns = 0, tap = 0; ///< the block at hand, and where in its window
  std::optional<int64_t> border;             ///< the first column of a block that is walked alone
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_WINDOWWALK_H
