//===- WinogradEmitter.h - Writes a convolution as products of sums
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_WINOGRAD_WINOGRADEMITTER_H
#define UCMOH_LIB_TRANSFORMS_WINOGRAD_WINOGRADEMITTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Winograd.h"

namespace ucmoh {

/// A convolution that minimal filtering can compute, and the elementwise op that alone reads it.
struct WinogradConvolution {
  mlir::linalg::LinalgOp op;
  mlir::linalg::GenericOp consumer; ///< may be null
  /// Images x (rows + 2) x (columns + 2) x channels. It has no zero point that is a value, nor have
  /// the weights.
  ContractionBody::Input image;
  ContractionBody::Input weights;
  /// The dims of the weights: the window's rows and columns, channels, filters.
  unsigned windowRows, windowColumns, channels, filters;
  WinogradShape shape;

  /// The op whose result is computed in another way.
  mlir::linalg::LinalgOp root() const;
};

/// Writes the ops in front of the root. Everything but the product is elementwise, on slices: an
/// op computes one element of each tile from elements at the same places of other tiles.
class WinogradEmitter {
public:
  WinogradEmitter(mlir::OpBuilder &builder, WinogradConvolution convolution);

  /// Computes so many rows of tiles at once. Where that does not divide all rows of the result, the
  /// last block begins earlier. Returns the value that stands for the result of the root.
  mlir::Value emit(int64_t tileRows);

private:
  /// Part of a tensor, without `dropped` dims of extent 1 in front.
  struct Place {
    llvm::SmallVector<int64_t> offsets, sizes, strides;
    unsigned dropped = 0;
  };
  /// What the root computes with, beside the sum of a tile's products.
  struct Surrounding {
    mlir::Value value;
    mlir::AffineMap map; ///< from images, rows, columns and filters
  };
  /// Returns the input (a, b) of a sum of inputs.
  using Input = llvm::function_ref<mlir::Value(int64_t, int64_t)>;
  /// Returns what is made of the elements of an op's summed inputs, and of its further ones.
  using Body =
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange, mlir::ValueRange)>;

  mlir::Value emitBlocks(mlir::Value weights, mlir::Value result, int64_t rows);
  mlir::Value emitBlock(mlir::Value weights, mlir::Value result, mlir::OpFoldResult first,
                        int64_t rows);
  mlir::Value compute(mlir::Value weights, mlir::Value result);
  mlir::Value transformImage();
  mlir::Value transformWeights();
  mlir::Value multiply(mlir::Value pixels, mlir::Value weights);
  mlir::Value addPart(mlir::Value products, mlir::Value result, int64_t row, int64_t column);
  mlir::Value combine(llvm::ArrayRef<double> rows, llvm::ArrayRef<double> columns, Input input,
                      mlir::AffineMap map, llvm::ArrayRef<Surrounding> others, mlir::Value init,
                      Body body);
  mlir::Value widen(mlir::OpBuilder &builder, const ContractionBody::Input &from,
                    mlir::Value element);
  mlir::Value multiplyWide(mlir::OpBuilder &builder, mlir::Value pixels, mlir::Value weights);
  mlir::Value finishSum(mlir::OpBuilder &builder, mlir::Value sum);
  mlir::Value zeroLastTiles(mlir::Value pixels);

  void findSurroundings();
  mlir::Value surround(mlir::OpBuilder &builder, mlir::Value sum, mlir::ValueRange others);
  mlir::Value destination();

  mlir::Value cut(mlir::Value tensor, const Place &place);
  mlir::Value put(mlir::Value part, mlir::Value tensor, const Place &place);
  mlir::Value allocate(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value zeros(mlir::Value tensor);

  mlir::OpBuilder &b;
  mlir::Location loc;
  WinogradConvolution conv;
  mlir::Type sums, results; ///< elements of both operands of the product, and of its result
  // What is written: the whole, or a block.
  WinogradShape shape;
  mlir::Value image;
  llvm::SmallVector<Surrounding> surroundings;
  bool hasInit = false; ///< the first of the surroundings is added to the sum
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_WINOGRAD_WINOGRADEMITTER_H
