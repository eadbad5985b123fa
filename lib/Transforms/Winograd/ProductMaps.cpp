//===- ProductMaps.cpp - The loops of the product of a convolution's tiles
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductMaps.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// The loops of a product, which stand for those of a convolution.
struct ProductLoops {
  MLIRContext *context;
  SmallVector<utils::IteratorType> types;
  DenseMap<AffineExpr, AffineExpr> replaced;

  explicit ProductLoops(MLIRContext *context) : context(context) {}

  AffineExpr add(utils::IteratorType type) {
    types.push_back(type);
    return getAffineDimExpr(types.size() - 1, context);
  }
  /// Those that stand for the indices of an operand and have none yet.
  void addAll(ArrayRef<AffineExpr> indices, utils::IteratorType type) {
    for (AffineExpr index : indices)
      if (!replaced.contains(index))
        replaced[index] = add(type);
  }
  SmallVector<AffineExpr> of(ArrayRef<AffineExpr> indices) const {
    return llvm::map_to_vector(indices, [&](AffineExpr index) { return index.replace(replaced); });
  }
};
} // namespace

/// What the weights' sums are indexed by, beside the number of the product.
static SmallVector<AffineExpr> keptOfWeights(const WinogradConvolution &conv) {
  SmallVector<AffineExpr> kept;
  for (AffineExpr index : conv.weights.map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(index).getPosition();
    if (loop != conv.windowRow && loop != conv.windowColumn)
      kept.push_back(index);
  }
  return kept;
}

ProductMaps ucmoh::mapProduct(const WinogradConvolution &conv) {
  constexpr auto parallel = utils::IteratorType::parallel,
                 reduction = utils::IteratorType::reduction;
  MLIRContext *context = conv.image.map.getContext();
  linalg::LinalgOp op = conv.op;
  ArrayRef<AffineExpr> image = conv.image.map.getResults(),
                       result = op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults();
  size_t outer = conv.shape.hasVolumes() ? conv.shape.outer.size() : 0;
  size_t inner = conv.shape.outer.size() + 2; // behind rows and columns
  ProductLoops loops(context);
  AffineExpr number = loops.add(parallel);
  loops.addAll(result.take_front(outer), parallel);
  AffineExpr tile = loops.add(parallel);
  loops.addAll(result.drop_front(inner), parallel);
  SmallVector<AffineExpr> weights = keptOfWeights(conv);
  loops.addAll(weights, reduction);
  auto withTiles = [&](ArrayRef<AffineExpr> indices) {
    SmallVector<AffineExpr> all = {number};
    llvm::append_range(all, loops.of(indices.take_front(outer)));
    all.push_back(tile);
    llvm::append_range(all, loops.of(indices.drop_front(inner)));
    return all;
  };
  weights = loops.of(weights);
  weights.push_back(number);
  return {AffineMap::inferFromExprList({withTiles(image), weights, withTiles(result)}, context),
          loops.types};
}
