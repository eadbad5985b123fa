//===- Piece.h - A part of static size of ops whose extents are dynamic
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_EXTENTS_PIECE_H
#define UCMOH_LIB_TRANSFORMS_EXTENTS_PIECE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ucmoh {

/// The part that a piece has of one dim of a tensor, or of one loop of an op. All in elements.
struct Cut {
  mlir::OpFoldResult from;  ///< the first element
  mlir::OpFoldResult valid; ///< how many of the piece's elements exist
  /// The piece's elements; zeros stand behind the valid ones. Open where those are all.
  int64_t size = 0;
  int64_t least = 0; ///< as many elements are valid at least

  bool operator==(const Cut &other) const {
    return from == other.from && valid == other.valid && size == other.size;
  }
  /// Whether there is nothing behind the valid elements.
  bool isWhole() const {
    return mlir::ShapedType::isDynamic(size) || mlir::isConstantIntValue(valid, size);
  }
};

/// One cut for each dim or loop; none where the piece has all of it.
using Cuts = llvm::SmallVector<std::optional<Cut>>;

/// Writes the ops that compute one piece at the builder's insertion point. Ops that join are
/// computed again for the piece, all other values are sliced.
class PieceBuilder {
public:
  using Joins = llvm::function_ref<bool(mlir::Operation *)>;
  PieceBuilder(mlir::OpBuilder &builder, Joins joins) : builder(builder), joins(joins) {}

  /// The part of a tensor.
  mlir::Value part(mlir::Value value, const Cuts &cuts);
  /// The part of an op's iteration space. `inits`, if any, stand for the parts of its inits.
  mlir::Operation *compute(mlir::linalg::LinalgOp op, const Cuts &loops,
                           mlir::ValueRange inits = {});

private:
  mlir::Value makePart(mlir::Value value, const Cuts &cuts);
  mlir::Value makeEmpty(mlir::Value value, const Cuts &cuts);
  std::optional<Cuts> cutsBefore(mlir::tensor::CollapseShapeOp op, const Cuts &cuts);
  mlir::Value makeReshaped(mlir::Operation *op, const Cuts &cuts);
  mlir::Value makePadded(mlir::tensor::PadOp op, const Cuts &cuts);
  mlir::Value makeInit(mlir::linalg::LinalgOp op, mlir::OpOperand &init, const Cuts &loops);
  mlir::Value makeSlice(mlir::Value value, const Cuts &cuts);
  mlir::Value pad(mlir::Value slice, mlir::RankedTensorType type, const Cuts &cuts);

  struct Known {
    Cuts cuts;
    mlir::Value value;
  };
  mlir::OpBuilder &builder;
  Joins joins;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Known, 1>> known;
};

/// Whether each cut loop indexes operands alone, so that a piece reads slices.
bool canCut(mlir::linalg::LinalgOp op, const Cuts &loops);

/// The cuts of an operand's dims.
Cuts cutsOfOperand(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, const Cuts &loops);

/// The cuts of an op's loops that give these cuts of a result; none if there are no such.
std::optional<Cuts> cutsOfLoops(mlir::linalg::LinalgOp op, mlir::OpResult result, const Cuts &cuts);

/// The cuts of what was reshaped; none if a dim that is cut is joined with others, or one of
/// several that a dim was split into.
std::optional<Cuts> cutsOfSource(mlir::tensor::ExpandShapeOp op, const Cuts &cuts);
std::optional<Cuts> cutsOfSource(mlir::tensor::CollapseShapeOp op, const Cuts &cuts);

/// `into` with the valid elements of a piece in their place.
mlir::Value insertPart(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value part,
                       mlir::Value into, const Cuts &cuts);

/// The elements of one dim, as a constant where they are static.
mlir::OpFoldResult extentOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                            int64_t dim);

/// The extents of a tensor without elements of it.
mlir::Value emptyLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_EXTENTS_PIECE_H
