//===- Winograd.h - Whether a convolution is computed with fewer products
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_WINOGRAD_H
#define UCMOH_ANALYSIS_WINOGRAD_H

#include "ucmoh/Analysis/BestKernels.h"

namespace ucmoh {

/// Pins the rows of tiles that are computed at once, on a convolution; 0 leaves it alone.
constexpr llvm::StringLiteral winogradName = "ucmoh.winograd";

/// A convolution with windows of 3 x 3 pixels that are one pixel apart. Winograd's minimal
/// filtering F(2x2, 3x3) computes tiles of 2 x 2 results with 16 products instead of 36: sums of
/// the tile's 4 x 4 pixels, times sums of the window's weights, and sums of these.
/// S. Winograd, Arithmetic Complexity of Computations, 1980; for convolutions A. Lavin and S. Gray,
/// https://arxiv.org/abs/1509.09308.
///
/// Outer dimensions stand before rows and columns: the number of the image, and the depth of a
/// volume. A window may have several slices of a volume, whose products are added up.
struct WinogradShape {
  /// One outer dimension of the image and of the result.
  struct Outer {
    int64_t image, result; ///< extents
    int64_t window;        ///< slices of the image that a result depends on, one apart
  };
  llvm::SmallVector<Outer, 2> outer; ///< outermost first
  int64_t rows, columns;             ///< extents of the result
  int64_t groups;                    ///< channels have so many, each with filters of its own
  int64_t channels, filters;         ///< channels of a group of the image, and of the result
  ElementType sums, results;         ///< what is multiplied, and what is computed

  /// An odd number of rows has a last tile of one.
  int64_t tileRows() const { return (rows + 1) / 2; }
  int64_t tileColumns() const { return (columns + 1) / 2; }
  int64_t tilesOfSlice() const { return tileRows() * tileColumns(); }
  /// Tiles of pixels, and of results.
  int64_t pixelTiles() const;
  int64_t tiles() const;
  /// Products that are added up for each element of the product's result.
  int64_t depth() const;
  /// Whether results depend on several slices, so that these cannot be rows of one matrix.
  bool hasVolumes() const;
};

/// The products of all tiles: 16 matrices of tiles by channels for each group, times as many of
/// channels by filters, which are constant. In volumes, several such products are added up.
Workload winogradProduct(mlir::MLIRContext *context, const WinogradShape &shape);

/// How a convolution is computed.
struct WinogradPlan {
  double direct;      ///< seconds that it is predicted to take as it is
  double transformed; ///< and with fewer products
  /// Rows of tiles that are computed at once: those of the least time, or so many that what lies
  /// between stays in L2.
  int64_t tileRows;

  /// Whether fewer products save more than what predictions err by.
  bool isWorthIt() const;
};

/// Predicts the convolution, which is `direct`, and the products of blocks of rows with the sums in
/// front of them and behind.
WinogradPlan planWinograd(BestKernels &kernels, const Workload &direct, const WinogradShape &shape);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_WINOGRAD_H
