//===- TilePrefetch.h - What a register tile fetches ahead
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TENSORIZE_TILEPREFETCH_H
#define UCMOH_LIB_TRANSFORMS_TENSORIZE_TILEPREFETCH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Analysis/TileWalk.h"
#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// Emits prefetches of what a ucmoh.tile and the tiles after it read from memory. Refers to its
/// arguments.
class TilePrefetch {
public:
  TilePrefetch(mlir::OpBuilder &builder, TileOp op, const TileShape &shape, const Machine &machine)
      : b(builder), loc(op.getLoc()), op(op), shape(shape), machine(machine) {}

  /// In the step of the reduction at `position`: the tile's share of the next part of rhs.
  /// Fragments are vectors, or else matrices.
  void nextPart(llvm::ArrayRef<mlir::Value> position, bool hasVectors);
  /// Before the reduction: the rows that the tile ends with.
  void lastRows();

private:
  /// A view of such rows, and whether it is written.
  struct Rows {
    mlir::Value view;
    bool isWrite;
  };

  llvm::SmallVector<Rows> viewsOfLastRows();
  bool staysInCache(mlir::Value view) const;
  int64_t lineOf(mlir::Value view) const;
  mlir::Value index(int64_t value) { return mlir::arith::ConstantIndexOp::create(b, loc, value); }

  mlir::OpBuilder &b;
  mlir::Location loc;
  TileOp op;
  const TileShape &shape;
  const Machine &machine;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TENSORIZE_TILEPREFETCH_H
