//===- SharedFragments.h - First and last values of fragments that threads share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TENSORIZE_SHAREDFRAGMENTS_H
#define UCMOH_LIB_TRANSFORMS_TENSORIZE_SHAREDFRAGMENTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "ucmoh/Analysis/TileWalk.h"
#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// Emits what a tile of a subgroup begins and ends with. The threads of the subgroup hold each
/// fragment together, and none knows which elements are its own. So fragments go through shared
/// memory, the staging, where each thread works on vectors of neighbours. Refers to its arguments.
class SharedFragments {
public:
  SharedFragments(mlir::OpBuilder &builder, TileOp op, PipelineOp around, IntrinsicOp intrinsic,
                  const TileShape &shape)
      : b(builder), loc(op.getLoc()), op(op), around(around), intrinsic(intrinsic), m(shape.m),
        n(shape.n), columns(shape.columns) {}

  /// Returns the fragments of the rows from `row` on, with what the prologue computes.
  llvm::SmallVector<mlir::Value> firstValues(int64_t row);
  /// Stores what the epilogue computes of such fragments.
  void lastValues(int64_t row, llvm::ArrayRef<mlir::Value> fragments);

private:
  /// The results of a row that one thread works on at once: their place in the tile, and that row
  /// in the staging.
  struct Share {
    mlir::Value row, column, stagingRow;
  };

  void forEachShare(int64_t row, llvm::function_ref<void(const Share &)> body);
  mlir::Value isWithinLimits(const Share &share);
  mlir::Value loadShare(mlir::Value view, const Share &share);
  mlir::Value stagingRow(mlir::Value number);
  mlir::Value computeFirst(const Share &share, mlir::VectorType type);
  void storeLast(const Share &share, mlir::VectorType type);
  /// The part of the staging that holds one fragment.
  mlir::Value staged(int64_t column);
  mlir::VectorType vectorOf(mlir::Type element) {
    return mlir::VectorType::get({static_cast<int64_t>(around.getStagingWidth())}, element);
  }
  mlir::Value index(int64_t value) { return mlir::arith::ConstantIndexOp::create(b, loc, value); }
  mlir::Value offset(mlir::Value at, int64_t by) {
    return by == 0 ? at : b.createOrFold<mlir::arith::AddIOp>(loc, at, index(by));
  }
  mlir::Value advance(mlir::Value base, mlir::Value steps, int64_t stride) {
    mlir::Value by = b.createOrFold<mlir::arith::MulIOp>(loc, steps, index(stride));
    return b.createOrFold<mlir::arith::AddIOp>(loc, base, by);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  TileOp op;
  PipelineOp around;
  IntrinsicOp intrinsic;
  int64_t m, n, columns; ///< a fragment's rows and columns; the tile's columns
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TENSORIZE_SHAREDFRAGMENTS_H
