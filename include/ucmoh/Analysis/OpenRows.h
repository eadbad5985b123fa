//===- OpenRows.h - Products of which not all rows are wanted
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_OPENROWS_H
#define UCMOH_ANALYSIS_OPENROWS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <optional>

namespace ucmoh {

/// On a product of static size whose last rows may be padding: how many are wanted at least.
constexpr llvm::StringLiteral leastRowsMark = "ucmoh.least_rows";

/// The rows that are wanted of a result.
struct OpenRows {
  mlir::tensor::ExtractSliceOp slice; ///< these rows, all that is read of the result
  unsigned dim = 0;                   ///< along which the rows lie

  /// How many of them there are.
  mlir::OpFoldResult count() { return slice.getMixedSizes()[dim]; }
  /// How many elements a row has.
  int64_t rowElements();
};

/// None for a result that is read otherwise.
std::optional<OpenRows> findOpenRows(mlir::Operation *op);

/// `value` as it was before rows of padding were added to it. Elementwise ops and reshapes in
/// between are done again, on fewer rows. `value` itself where no such rows were added.
mlir::Value withoutPaddedRows(mlir::OpBuilder &builder, mlir::Value value);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_OPENROWS_H
