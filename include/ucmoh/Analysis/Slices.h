//===- Slices.h - Operands and results that are parts of larger tensors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_SLICES_H
#define UCMOH_ANALYSIS_SLICES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <optional>

namespace ucmoh {

/// The distances, in elements, between neighbours along each dim of a slice of a larger tensor.
/// None for what is no slice, for slices with steps, and for those whose elements lie one behind
/// the other: these are read as any tensor.
std::optional<llvm::SmallVector<int64_t>> findStridesOfSlice(mlir::Value value);

/// The same for what a kernel writes to, where steps may lie between neighbours of a dim as well.
std::optional<llvm::SmallVector<int64_t>> findStridesOfPlace(mlir::Value value);

/// Where a result goes: it is inserted into a larger tensor, and used for nothing else.
struct Place {
  mlir::tensor::InsertSliceOp insert; ///< into the larger tensor
  llvm::SmallVector<int64_t> strides; ///< in elements, of each dim of the result
};

/// None for results that are whole tensors, and for places that are contiguous.
std::optional<Place> findPlace(mlir::Value result);

/// Whether a loop of several steps around `op` finds the same `value` in each of them.
bool isSameInEachStep(mlir::Operation *op, mlir::Value value);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_SLICES_H
