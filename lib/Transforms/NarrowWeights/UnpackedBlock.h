//===- UnpackedBlock.h - Weights that are unpacked to a buffer
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_UNPACKEDBLOCK_H
#define UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_UNPACKEDBLOCK_H

#include "NarrowParts.h"

namespace ucmoh {

/// Many rows share what is unpacked: a block of a panel goes to a buffer that stays in a cache.
class UnpackedBlock : NarrowPiece {
public:
  using NarrowPiece::NarrowPiece;

  /// Allocates the buffer.
  void allocate();
  mlir::Value getBuffer() { return buffer; }
  /// Unpacks `extent` steps of a panel: floats with their scale, integers as they are.
  void unpack(Index panel, Index from, int64_t extent);
  /// A register tile of floats, which adds the block's part of the sums: to what they begin with if
  /// the block `isFirst`, else to the result.
  void emitTile(Index row, int64_t rows, Index panel, int64_t columns, Index from, int64_t extent,
                bool isFirst);
  /// The steps of a panel, as register tiles read them.
  mlir::Value viewOfBlock(int64_t extent, int64_t columns);
  mlir::Value viewOfLhs(Index row, int64_t rows, Index group, int64_t extent);

private:
  void unpackGroup(Index panel, Index from, Index inBlock);
  mlir::Value unpacked(mlir::Value integers, mlir::Value scale, mlir::Value offset);
  mlir::Value viewOfResult(Index row, int64_t rows, Index panel, int64_t columns);
  mlir::Value viewOfInit(Index row, int64_t rows, Index panel, int64_t columns);

  mlir::Value buffer;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_UNPACKEDBLOCK_H
