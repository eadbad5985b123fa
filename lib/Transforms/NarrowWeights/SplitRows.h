//===- SplitRows.h - Rows of floats as sums of integers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_SPLITROWS_H
#define UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_SPLITROWS_H

#include "mlir/IR/Builders.h"

namespace ucmoh {

/// Rows of f32, each group of which is
/// `scale * (pieces[0] * 65536 + pieces[1] * 256 + pieces[2])`. Scales are powers of two, so what
/// an element loses is at most 2^-23 of the group's largest magnitude.
struct SplitRows {
  llvm::SmallVector<mlir::Value, 3> pieces; ///< groups x rows x steps of a group
  mlir::Value scales;                       ///< rows x groups, of f32
  /// One i32, not 0 where the above is not true: some group has infinity or NaN, or its largest
  /// magnitude is so small that its scale would be subnormal.
  mlir::Value isExtreme;
};

/// Splits rows x groups x steps of a group of f32 into pieces of an integer type, at least i8.
SplitRows splitRows(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows,
                    mlir::Type type);

/// One i32, not 0 where an element of the tensor is infinity or NaN. `rows` as above, of any float.
mlir::Value hasNonFinite(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_SPLITROWS_H
