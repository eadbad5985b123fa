//===- WindowNest.h - The loops of a reduction over windows
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_WINDOWNEST_H
#define UCMOH_ANALYSIS_WINDOWNEST_H

#include "ucmoh/Analysis/Candidates.h"

namespace ucmoh {

struct WindowReduction;

/// A part of a result that stays in registers while windows are reduced, and the order of the loops
/// over such blocks.
struct WindowBlock {
  int64_t lanes;   ///< channels in a vector
  int64_t vectors; ///< side by side in the channels
  int64_t columns; ///< neighbours in the image
  LoopOrder order; ///< tiles of rows are columns of the image, tiles of columns are channels

  /// Reads the block from a legal candidate of a depthwise workload.
  static WindowBlock get(const Candidate &candidate);
};

/// Channels of a result that are sums over the channels of their group in the image. Of these,
/// some that lie side by side are a row, which an intrinsic may multiply as a whole.
struct ChannelGroups {
  int64_t inputs, outputs;     ///< channels of a group, in the image and in the result
  int64_t row;                 ///< inputs that lie side by side in the weights, for each output
  unsigned chunkLoop, rowLoop; ///< the op's: over the rows of a group, over the inputs of a row
};

/// How one dim of the image follows from a loop over the window and one over the result.
struct WindowSlide {
  int64_t dilation = 1, stride = 0,
          offset = 0;           ///< index = stride * over + dilation * loop + offset
  int64_t size = 0;             ///< the dim's
  std::optional<unsigned> over; ///< the loop over the result, if there is one
};

/// The loops of a reduction over windows. Loops are those of an op, or the dims of a workload.
struct WindowNest {
  llvm::SmallVector<int64_t> extents;    ///< how far all loops run
  llvm::SmallVector<unsigned> parallel;  ///< in the order in which the result lies in memory
  llvm::SmallVector<unsigned> reduction; ///< in the order in which the image lies in memory
  llvm::SmallVector<WindowSlide> slides; ///< how the loops of `reduction` slide
  unsigned columns = 0, channels = 0;    ///< in `parallel`: neighbours in the image; in memory
  std::optional<unsigned> taps;          ///< in `reduction`: the loop that slides with the columns
  std::optional<unsigned> depth;         ///< in `reduction`: the loop over the rows of a group

  /// `image` has the offsets of padding in it; `shape` is what exists of the image. With
  /// groups of channels, the loop over a row is none of the nest.
  WindowNest(llvm::ArrayRef<int64_t> extents, mlir::AffineMap image, llvm::ArrayRef<int64_t> shape,
             mlir::AffineMap result, std::optional<ChannelGroups> groups = std::nullopt);
  /// The nest of an op.
  static WindowNest get(WindowReduction window);
  /// The nest of a depthwise workload.
  static WindowNest get(const Workload &workload);

  /// How a loop of `reduction` slides.
  const WindowSlide &slideOf(unsigned loop) const {
    return slides[llvm::find(reduction, loop) - reduction.begin()];
  }
  /// The parallel loops, outermost first, under this order.
  llvm::SmallVector<unsigned> outerLoops(const LoopOrder &order) const;
  /// Whether the windows of `count` columns from `column` on lie within the image, as far as
  /// columns go.
  bool isInside(int64_t column, int64_t count) const;
  /// Whether this element of a column's window lies outside of the image.
  bool isOutside(int64_t column, int64_t tap) const;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_WINDOWNEST_H
