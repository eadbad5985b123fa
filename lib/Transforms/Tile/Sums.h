//===- Sums.h - Sums of an operand over the reduction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_SUMS_H
#define UCMOH_LIB_TRANSFORMS_TILE_SUMS_H

#include "mlir/IR/Builders.h"
#include "ucmoh/Analysis/Border.h"

namespace ucmoh {

/// factor * (sum of the lhs over the reduction) + addend, per batch and row. All numbers are i32.
Operand scaledRowSums(mlir::OpBuilder &builder, mlir::Location loc, const Workload &workload,
                      mlir::Value factor, mlir::Value addend);

/// The same of the rhs, per batch and column. If rows of padding are left out that are not zero, it
/// is per place beside them as well, and what was left out is added: padding * its sum.
Operand scaledColumnSums(mlir::OpBuilder &builder, mlir::Location loc, const Workload &workload,
                         llvm::ArrayRef<Border> borders, mlir::Value factor, mlir::Value addend);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_SUMS_H
