//===- TileTransforms.h - What is added up of tiles and of windows
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The result of a tile is A (G w G' . D x D') A', where x is 4 x 4 pixels, w the weights of a
/// window, and . multiplies element by element. Element (i, j) of a transformed matrix is a sum of
/// elements (a, b) of what is transformed, times entry (i, a) of the matrix on the left and entry
/// (j, b) of the one on the right.
///
/// Of integers all of that is exact: sums of bytes have 16 bits. Weights are multiplied by four, so
/// that they stay integers, and results are divided by four.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_WINOGRAD_TILETRANSFORMS_H
#define UCMOH_LIB_TRANSFORMS_WINOGRAD_TILETRANSFORMS_H

#include "mlir/IR/Builders.h"

namespace ucmoh {

/// Rows or columns of pixels that a tile has.
constexpr int64_t tilePixels = 4;

/// The transforms of pixels, of weights, and of products to results.
constexpr double pixelTransform[4][4] = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
constexpr double weightTransform[4][3] = {{1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}};
constexpr double resultTransform[2][4] = {{1, 1, 1, 0}, {0, 1, -1, -1}};

/// What integer weights are multiplied by along rows, and along columns: twice a half is one.
constexpr double integerScale = 2;

/// The elements of a matrix that both coefficients count, by row and column.
llvm::SmallVector<std::pair<int64_t, int64_t>> entriesOf(llvm::ArrayRef<double> rows,
                                                         llvm::ArrayRef<double> columns);

/// Returns the sum of values[i] at entriesOf(rows, columns)[i], times both coefficients, each of
/// which is 1, -1, or 0 for no value.
mlir::Value addUpMatrix(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<double> rows,
                        llvm::ArrayRef<double> columns, mlir::ValueRange values);

/// What each weight of a window is worth in each of a tile's products: 3 x 3 x 16 elements.
mlir::DenseElementsAttr weightFactors(mlir::OpBuilder &b, mlir::Type element);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_WINOGRAD_TILETRANSFORMS_H
