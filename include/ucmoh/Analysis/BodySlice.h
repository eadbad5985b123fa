//===- BodySlice.h - What a value in the body of a linalg op is made from
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_BODYSLICE_H
#define UCMOH_ANALYSIS_BODYSLICE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallBitVector.h"

namespace ucmoh {

/// The part of the body that computes one value.
struct BodySlice {
  mlir::Value value;                                ///< the value that the ops compute
  llvm::SmallVector<mlir::Operation *> ops;         ///< in order
  llvm::SmallVector<mlir::BlockArgument> arguments; ///< those of the body that the value reads
  llvm::SmallBitVector loops;                       ///< those whose position the value depends on
};

/// The slice of the body of `op` that computes `value`.
BodySlice sliceBody(mlir::linalg::LinalgOp op, mlir::Value value);

/// A value used in the body if it is the same in each iteration: a constant, one defined outside,
/// or the operand behind an argument of scalar type; else null.
mlir::Value getInvariant(mlir::linalg::LinalgOp op, mlir::Value value);

/// Whether an op of a body means the same element by element on vectors.
bool isElementwiseOnVectors(mlir::Operation &op);
/// Whether the body may be computed on vectors as it is on scalars, and needs nothing from outside
/// but constants.
bool computesOnVectors(mlir::linalg::LinalgOp op);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_BODYSLICE_H
