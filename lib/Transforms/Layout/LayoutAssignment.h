//===- LayoutAssignment.h - How each tensor of a network shall lie
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_LAYOUT_LAYOUTASSIGNMENT_H
#define UCMOH_LIB_TRANSFORMS_LAYOUT_LAYOUTASSIGNMENT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace ucmoh {

/// Dim i of the new layout is dim permutation[i] of the old one.
using Permutation = llvm::SmallVector<int64_t>;

/// The permutation of each tensor that changes its layout. It starts at convolutions and poolings
/// whose channels lie outside of their image, and spreads to all that is computed from their
/// tensors, and to all that these are computed from, as far as it can be told which dim is which.
/// A single convolution stays as it is where transposes would cost more than they gain.
class LayoutAssignment {
public:
  explicit LayoutAssignment(mlir::func::FuncOp function);

  bool empty() const { return permutations.empty(); }

  /// Null if the tensor stays as it is.
  const Permutation *lookup(mlir::Value tensor) const;

  /// Whether the op has an operand or a result that changes.
  bool touches(mlir::Operation *op) const;

private:
  void seed(mlir::linalg::LinalgOp op);
  void seedTransposes(mlir::linalg::LinalgOp op);
  void assign(mlir::Value tensor, const Permutation &permutation);
  void spread(mlir::Operation *op);
  void spreadThroughLinalg(mlir::linalg::LinalgOp op);
  void spreadToLookups(mlir::linalg::GenericOp op);
  void spreadThroughSameRank(mlir::Operation *op);
  void spreadThroughReshape(mlir::Operation *op);
  void trim(mlir::func::FuncOp function);
  bool isReadByAbsorbers(mlir::Value tensor) const;

  llvm::MapVector<mlir::Value, Permutation> permutations;
  llvm::SmallPtrSet<mlir::Operation *, 16> seeds;
  unsigned gains = 0;                     ///< two and more are worth the transposes at the borders
  llvm::SmallVector<mlir::Value> pending; ///< whose neighbours are to be looked at
};

/// The layout of a reshape's other side, given that of one side: that of `groups`' merged dims if
/// `merges`, that of the dims which they are split into otherwise. Nothing if neighbours part.
std::optional<Permutation> permuteReshape(llvm::ArrayRef<int64_t> permutation,
                                          llvm::ArrayRef<mlir::ReassociationIndices> groups,
                                          bool merges);

/// Empty tensors, fills and constants of one value can be made anew in any layout. They are given
/// none, because networks share them between parts that have nothing to do with each other.
bool hasAnyLayout(mlir::Value tensor);

/// Whether the rewriter can give the op's tensors another layout: linalg ops can read and write
/// any; paddings, slices, concatenations and reshapes move along.
bool canChangeLayout(mlir::Operation *op);

} // namespace ucmoh

#endif
