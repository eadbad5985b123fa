//===- GroupTile.h - A tile of a matrix unit, which scales the sums of a group
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_GROUPTILE_H
#define UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_GROUPTILE_H

#include "UnpackedBlock.h"
#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// Quantized rows times one group of a panel, whose unpacked integers a block holds: a unit that
/// multiplies matrices sums integers, and as they are stored they are scaled and added to the sums
/// of the groups before, which the result has.
class GroupTile : NarrowPiece {
public:
  /// Where the tile is.
  struct Place {
    Index row, panel, group;
    int64_t rows, columns;
    bool isFirst; ///< whether the group is the first one
  };

  GroupTile(NarrowParts &parts, UnpackedBlock &block, const Place &place)
      : NarrowPiece(parts), block(block), place(place) {}

  void emit();

private:
  /// Numbers beside the sums, by their element of the kernel's operands.
  mlir::Value view(mlir::Value buffer, Index at, int64_t rowStride, int64_t columnStride);
  mlir::Value ofGroup(mlir::Value buffer);
  mlir::Value ofRowAndGroup(mlir::Value buffer);
  mlir::Value viewOfResult();
  Values viewsRead();
  mlir::Block *beginBody(mlir::Region &region);
  mlir::Value argumentOf(mlir::Block *body, mlir::Value buffer);
  void fillPrologue(TileOp op);
  void fillEpilogue(TileOp op);
  mlir::Value sumBefore(mlir::Block *body);

  UnpackedBlock &block;
  Place place;
  Values buffers; ///< which operand each of the tile's extras is of
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_GROUPTILE_H
