//===- NarrowEmitter.h - Kernels that unpack their weights in registers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_NARROWEMITTER_H
#define UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_NARROWEMITTER_H

#include "../Tile/LoopBuilder.h"
#include "ucmoh/Analysis/Candidates.h"

namespace ucmoh {

/// A product with narrow weights, as its kernel computes it.
///
/// Packed weights are panels of `panel` columns. A panel has its steps in order, `interleave` of
/// them side by side. Of 4 bits, the byte has such a row of elements in its lower half and the next
/// one in its upper half. Scales are panels too, of one row for each group.
struct NarrowPlan {
  const Intrinsic *intrinsic = nullptr;
  int64_t rows = 0, columns = 0;
  int64_t steps = 0; ///< steps of the reduction, a multiple of `group`
  int64_t group = 0; ///< steps that share a scale: a multiple of 16
  int64_t panel = 0; ///< columns
  int64_t tileRows = 0;
  bool streams = false;     ///< unpacks in registers, for each register tile anew
  bool scalesTiles = false; ///< a unit that multiplies matrices sums one group at once
  /// So many tiles of rows that blocks of weights stay in the first cache.
  bool hasManyTiles = false;
  bool scalesRowsLast = false; ///< all groups of a row have one scale
  int64_t threads = 1;
  int64_t blockBytes = 0;  ///< that unpacked weights may take in a cache
  int64_t lineBytes = 0;   ///< bytes of a cache line
  unsigned bits = 0;       ///< bits of a packed integer
  bool isUnsigned = false; ///< how packed integers of 8 bits are read
  int64_t bytesAhead = 0;  ///< from weights that are read to those that are fetched by then
  int64_t low = 0;         ///< this number was subtracted from integers before they were packed
  /// Strides of the lhs, from row to row and group to group.
  int64_t rowElements = 0, groupElements = 0;
  int64_t resultRow = 0;               ///< elements from row to row of the result
  int64_t initRow = 0, initColumn = 0; ///< strides of what the sums begin with

  /// Register tiles of rows; the first ones have `tileRows`, the others one row less.
  int64_t tiles() const { return llvm::divideCeil(rows, tileRows); }
  int64_t wholeTiles() const { return tiles() - (tiles() * tileRows - rows); }
  int64_t panels() const { return llvm::divideCeil(columns, panel); }
  int64_t groups() const { return steps / group; }
  /// Groups of a panel that stay in a cache while many tiles of rows read them, unpacked: blocks
  /// are about equally long.
  int64_t groupsOfBlock() const;
  /// Rows of elements that lie in one byte.
  int64_t perByte() const { return 8 / bits; }
  /// Bytes of one panel's packed integers for so many steps.
  int64_t packedBytes(int64_t of) const { return of * panel / perByte(); }
};

/// The buffers of a kernel, all of them flat.
struct NarrowArguments {
  /// One tensor, but where intrinsics of integers multiply floats. Then these are the pieces of 8
  /// bits, the most significant first: the lhs is their sum, each times 256 as often as pieces
  /// follow, times `rowScales`.
  llvm::SmallVector<mlir::Value> lhs;
  mlir::Value weights, scales;
  mlir::Value offsets; ///< the weights' offsets, shaped as scales; null without
  mlir::Value sums;    ///< sums of the lhs by row and group; null where nothing needs them
  /// The same times `low` of each piece, with which a group's sums begin; empty: zero.
  llvm::SmallVector<mlir::Value> firstSums;
  mlir::Value rowScales; ///< scales of the lhs by row and group, where it is of integers; else null
  /// The lhs' offsets by row, and the columns' sums of weights; or null.
  mlir::Value rowOffsets, columnSums;
  /// The lhs as floats, row by row, and one i32, not 0 where it has numbers for which only plain
  /// loops are right; null where it can have none.
  mlir::Value exactLhs, isExtreme;
  mlir::Value init; ///< the values that sums begin with; null: zero
  mlir::Value result;
};

/// Emits the body of the kernel at the builder's insertion point.
void emitNarrowProduct(mlir::OpBuilder &builder, mlir::Location loc, const NarrowPlan &plan,
                       const NarrowArguments &arguments);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_NARROWEMITTER_H
