//===- ProductMaps.h - The loops of the product of a convolution's tiles
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_WINOGRAD_PRODUCTMAPS_H
#define UCMOH_LIB_TRANSFORMS_WINOGRAD_PRODUCTMAPS_H

#include "WinogradEmitter.h"

namespace ucmoh {

/// The loops of a linalg op, and what they index.
struct ProductMaps {
  llvm::SmallVector<mlir::AffineMap> maps; ///< those of pixels, of weights, and of the result
  llvm::SmallVector<mlir::utils::IteratorType> loops;
};

/// The product of the sums of a convolution's pixels and weights. Its first loop is over the
/// elements of a tile. Tiles are one loop; outer dims are others in volumes, else they are tiles as
/// well.
ProductMaps mapProduct(const WinogradConvolution &conv);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_WINOGRAD_PRODUCTMAPS_H
