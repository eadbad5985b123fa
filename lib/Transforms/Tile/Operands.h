//===- Operands.h - What happens to operands before a kernel reads them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_OPERANDS_H
#define UCMOH_LIB_TRANSFORMS_TILE_OPERANDS_H

#include "mlir/IR/Builders.h"
#include "ucmoh/Analysis/Border.h"

namespace ucmoh {

/// Numbers that are added to sums of products of converted operands, so that the result is that of
/// the original ones: one i32 per column and one per row of the result. Either may be absent (no
/// value). Places where rows of a window are left out have columns of their own.
struct Corrections {
  std::optional<Operand> perColumn, perRow;
};

/// A scalar or a vector as a `want` (see `isConvertible`).
mlir::Value convertElements(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                            ElementType have, ElementType want);

/// The factors are converted to what the intrinsic wants: `lhs` and `rhs` get new values and types,
/// unless they are packed block by block, which converts them on the way. Returns what makes up for
/// it, for zero points, and for what is left out of `borders`.
Corrections convertOperands(mlir::OpBuilder &builder, mlir::Location loc, Workload &workload,
                            const Candidate &candidate, llvm::ArrayRef<Border> borders);

/// A view of a tensor as one dimension in row-major order.
mlir::Value flatten(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);

/// The inverse of `flatten`.
mlir::Value unflatten(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value flat,
                      mlir::RankedTensorType type);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_OPERANDS_H
