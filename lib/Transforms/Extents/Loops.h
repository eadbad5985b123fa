//===- Loops.h - Loops over pieces of a dynamic extent
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_EXTENTS_LOOPS_H
#define UCMOH_LIB_TRANSFORMS_EXTENTS_LOOPS_H

#include "Piece.h"
#include "ucmoh/Analysis/OpenExtents.h"

namespace ucmoh {

/// Says what happens to elements that do not fill a piece.
enum class Rest {
  Overlapped, ///< the last piece of a size begins earlier, and computes some elements a second time
  Padded,     ///< zeros stand behind them, in the last piece of the smallest size
  Open,       ///< the same in pieces of all sizes, each of which has more than a smaller one holds
  Exact,      ///< pieces of one element compute them
  Shorter     ///< the last piece of the smallest size has no others: the extent of pieces is open
};

/// How an extent is cut.
struct Sizes {
  llvm::SmallVector<int64_t> sizes; ///< the pieces' sizes, the largest first
  Rest rest = Rest::Overlapped;
  bool areItems = false; ///< pieces are batches
  /// Pieces of the largest size that lack nothing have a loop of their own.
  bool fullApart = false;
};

/// Halving sizes from `largest` on down to eight, then each number, for extents of the range.
Sizes sizesOfRows(int64_t largest, ExtentRange range);

/// A third as many, each of which is at least four times the next one, for rows that are multiplied
/// by what is cheap to read again.
Sizes sizesOfCheapRows(int64_t largest, ExtentRange range);

/// Computes values for one piece from those of the pieces before.
using PieceBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(const Cut &, mlir::ValueRange)>;

/// One loop for each size, whose body is `body`. Returns the values of the last piece.
llvm::SmallVector<mlir::Value> loopOverPieces(mlir::OpBuilder &builder, mlir::Location loc,
                                              mlir::OpFoldResult extent, const Sizes &sizes,
                                              mlir::ValueRange inits, PieceBody body);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_EXTENTS_LOOPS_H
