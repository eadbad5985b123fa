//===- TileExpander.h - One register tile as loads, computes and stores
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TENSORIZE_TILEEXPANDER_H
#define UCMOH_LIB_TRANSFORMS_TENSORIZE_TILEEXPANDER_H

#include "SharedFragments.h"
#include "StagePipeline.h"
#include "TilePrefetch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Analysis/TileWalk.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/DenseMap.h"

namespace ucmoh {

/// Expands one ucmoh.tile: the sink of TileWalk, which says what its members stand for. Fragments
/// are numbered row by row: (row / m) * columnFragments + column.
class TileExpander {
public:
  using Index = mlir::Value;
  using Body = llvm::function_ref<void(const mlir::Value &)>;

  /// Fragments of lhs and acc have `fragmentRows` rows, the intrinsic's m or fewer.
  TileExpander(mlir::OpBuilder &builder, TileOp op, IntrinsicOp intrinsic, int64_t fragmentRows,
               const Machine &machine);

  void expand() {
    if (!isShared())
      prefetch.lastRows();
    TileWalk<TileExpander>(shape, *this).run();
  }

  mlir::Value constant(int64_t value) { return index(value); }
  mlir::Value offset(mlir::Value at, int64_t by) {
    return by == 0 ? at : b.createOrFold<mlir::arith::AddIOp>(loc, at, index(by));
  }
  void reduce(int64_t extent, int64_t step, Body body) { reduce(index(extent), step, body); }
  void reduceStreams(int64_t extent, int64_t step, int64_t streams,
                     llvm::function_ref<void(const mlir::Value &, int64_t)> body);
  void reduceOuter(unsigned level, int64_t extent, Body body);
  void firstValues(int64_t i);
  void step(llvm::ArrayRef<mlir::Value> at);
  void loadRhs(int64_t j);
  void loadLhs(int64_t i, int64_t validM, int64_t validK);
  void compute(int64_t i, int64_t j);
  void lastValues(int64_t i);
  void beginPipeline() { pipeline->initBarriers(); }
  void copyStage(mlir::Value slot, mlir::Value from) { pipeline->copy(slot, from); }
  void endStage() { pipeline->commit(); }
  void nextStage(mlir::Value block, int64_t trips);

private:
  /// A row of a fragment, which is a vector or the buffer where it was stored, and the place of the
  /// row in the tile.
  struct RowPart {
    mlir::Value fragment;
    int64_t row, column;
  };

  mlir::Type fragmentType(Role role) { return intrinsic.getFragmentType(role, m); }
  int64_t columnFragments() const { return shape.columnFragments(); }
  mlir::Value index(int64_t value) { return mlir::arith::ConstantIndexOp::create(b, loc, value); }
  llvm::SmallVector<mlir::Value, 2> indices(int64_t row, int64_t column) {
    return {index(row), index(column)};
  }
  /// The part of a view with so many elements along each dimension, of which `rows` and the last
  /// one remain.
  mlir::Value slice(mlir::Value view, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                    llvm::ArrayRef<int64_t> sizes, unsigned rows);
  /// The same of a view of rows and columns.
  mlir::Value slice(mlir::Value view, int64_t row, int64_t column, int64_t rows, int64_t columns) {
    return slice(view, {b.getIndexAttr(row), b.getIndexAttr(column)}, {rows, columns}, 0);
  }
  mlir::Value load(Role role, mlir::Value view) {
    return LoadOp::create(b, loc, fragmentType(role), op.getIntrinsicAttr(), role, view);
  }
  void reduce(mlir::Value extent, int64_t step, Body body);
  mlir::Value emitFirstValue(int64_t row, int64_t column);
  mlir::Value loadWhole(int64_t row, int64_t column);
  bool storeWhole(mlir::Value fragment, int64_t row, int64_t column);
  void emitEpilogues(llvm::ArrayRef<RowPart> parts);
  void combinePartials(const RowPart &part, mlir::ValueRange values);
  void emitUnstored(bool all);
  mlir::Value loadExtra(mlir::Value view, int64_t row, int64_t column);
  bool isShared() { return bool(around); }
  void storeOutput(mlir::Value view, mlir::Value value, int64_t row, int64_t column);
  /// The row as a vector of n elements, and a fragment of such vectors.
  mlir::Value rowOf(const RowPart &part);
  mlir::Value fromRows(llvm::ArrayRef<mlir::Value> rowVectors);
  bool isVectorFragment() {
    auto type = mlir::dyn_cast<mlir::VectorType>(intrinsic.getFragmentType(Role::acc));
    return intrinsic.getSubgroupSize() == 1 && type && type.getRank() == 1;
  }
  /// Whether the intrinsic itself can read or write the fragment in a view.
  bool isWhole(mlir::Value view, int64_t row, int64_t column);
  /// A stack buffer of m x n elements, through which opaque fragments are read and written.
  mlir::Value fragmentBuffer();
  mlir::Value mask(int64_t valid) {
    return mlir::vector::ConstantMaskOp::create(b, loc, mlir::VectorType::get({n}, b.getI1Type()),
                                                llvm::ArrayRef<int64_t>{valid});
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  TileOp op;
  PipelineOp around; ///< the nest of a tile that a subgroup computes; else null
  IntrinsicOp intrinsic;
  TileShape shape;
  int64_t rows, columns, m, n, k; ///< the numbers of `shape`
  TilePrefetch prefetch;
  std::optional<StagePipeline> pipeline;       ///< where a subgroup computes the tile
  std::optional<SharedFragments> shared;       ///< there as well
  mlir::Value lhs, rhs;                        ///< the tile's, or those of the current slot
  llvm::SmallVector<mlir::Value, 4> position;  ///< the current value of each loop of the reduction
  llvm::SmallVector<mlir::Value> accumulators; ///< their current values
  llvm::SmallVector<RowPart> unstored;         ///< last values that are still without epilogue
  /// Partial values of rows whose last columns are still without epilogue.
  llvm::DenseMap<int64_t, llvm::SmallVector<mlir::Value>> partials;
  llvm::SmallVector<mlir::Value> right; ///< fragments of rhs of the current step
  mlir::Value left;                     ///< the current fragment of lhs
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TENSORIZE_TILEEXPANDER_H
