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
  mlir::Value joined;               ///< its result, or that with groups and filters as one dim
  mlir::linalg::GenericOp consumer; ///< reads `joined`; may be null
  /// Outer dims x (rows + 2) x (columns + 2) x channels, which may be groups x channels. It has no
  /// zero point that is a value, nor have the weights.
  ContractionBody::Input image;
  ContractionBody::Input weights;
  /// Loops of the op.
  unsigned windowRow, windowColumn, channel, filter;
  WinogradShape shape;

  /// The op whose result is computed in another way.
  mlir::linalg::LinalgOp root() const;
};

/// The dims of a tensor of results whose groups are one dim with what a group has.
llvm::SmallVector<mlir::ReassociationIndices> joinedGroups(const WinogradShape &shape);

/// Writes the ops in front of the root. Everything but the product is elementwise, on slices: an
/// op computes one element of each tile from elements at the same places of other tiles.
class WinogradEmitter {
public:
  WinogradEmitter(mlir::OpBuilder &builder, WinogradConvolution convolution);

  /// Computes so many rows of tiles at once. Where that does not divide all rows of the result, the
  /// last block begins earlier. Returns the value that stands for the result of the root.
  mlir::Value emit(int64_t tileRows);

private:
  using Extents = llvm::SmallVector<int64_t>;
  /// Part of a tensor, without `dropped` dims of extent 1 in front.
  struct Place {
    Extents offsets, sizes, strides;
    unsigned dropped = 0;
  };
  /// What the root computes with, beside the sum of a tile's products.
  struct Surrounding {
    mlir::Value value;
    mlir::AffineMap map; ///< from outer dims, rows, columns and filters
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
  mlir::Value addSum(mlir::Value made, int64_t i, int64_t j);
  mlir::Value transformWeights();
  mlir::Value sumOfWeights(llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<mlir::AffineMap> maps,
                           llvm::ArrayRef<mlir::utils::IteratorType> loops);
  mlir::Value multiply(mlir::Value pixels, mlir::Value weights);
  mlir::Value matricesOf(mlir::Value pixels);
  mlir::Value tilesOf(mlir::Value products);
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
  mlir::Value joinGroups(mlir::Value tensor);
  mlir::Value splitGroups(mlir::Value tensor, int64_t channels);
  mlir::Value allocate(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value zeros(mlir::Value tensor);

  // Extents and places of tensors: what they have of outer dims, then the rest.
  Extents outerOfImage() const;
  Extents outerOfResult() const;
  Extents behindOuter(int64_t each, llvm::ArrayRef<int64_t> rest) const;
  Place elementOf(int64_t i, int64_t j, llvm::ArrayRef<int64_t> sizes) const;
  static Place indexed(const Place &place, mlir::AffineMap map);
  llvm::SmallVector<mlir::ReassociationIndices> matrices() const;
  int64_t allChannels() const { return shape.groups * shape.channels; }
  int64_t allFilters() const { return shape.groups * shape.filters; }
  unsigned rank() const { return shape.outer.size() + 3; } ///< that of images and of results

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
