//===- QuantizedFactor.h - Operands of products that were dequantized
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_QUANTIZEDFACTOR_H
#define UCMOH_ANALYSIS_QUANTIZEDFACTOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ucmoh/Analysis/ElementRange.h"
#include "ucmoh/Analysis/Formula.h"

namespace ucmoh {

/// An operand of a product whose elements are `(integer - zero) * scale`.
struct QuantizedFactor {
  mlir::Value integers;    ///< a tensor of i8
  mlir::AffineMap map;     ///< from the loops of the product to indices of what the moves make
  bool isUnsigned = false; ///< how the bits of an integer are read
  /// The same number for all elements: a constant or a number that the program computes. Null: 0.
  FormulaRef zero;
  /// Over the loops of the product, of which it uses parallel ones alone. Null: 1.
  FormulaRef scale;
  /// What moves elements between the dequantization and the product, from the latter on: pads,
  /// slices, insertions of slices into zeros, transposes and reshapes.
  llvm::SmallVector<mlir::Operation *> moves;

  /// The zero point, if it is known.
  std::optional<int64_t> constantZero() const;
  /// The numbers that `integer - zero` may be.
  ElementRange range() const;
};

/// What an input of a product of floats was dequantized from; nothing if it was not, if it has more
/// than one zero point, or if its scale depends on a step of the reduction.
std::optional<QuantizedFactor> findQuantizedFactor(mlir::linalg::LinalgOp product,
                                                   mlir::OpOperand &input);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_QUANTIZEDFACTOR_H
