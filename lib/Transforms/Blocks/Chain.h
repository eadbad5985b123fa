//===- Chain.h - Two contractions with rows between them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_BLOCKS_CHAIN_H
#define UCMOH_LIB_TRANSFORMS_BLOCKS_CHAIN_H

#include "../Extents/Piece.h"
#include "llvm/ADT/SetVector.h"

namespace ucmoh {

/// A contraction, ops that compute each row of its result for itself, and a contraction that reads
/// the rows: scores, softmax and values of an attention. Nothing else uses what lies between.
struct Chain {
  mlir::linalg::LinalgOp first, second;
  /// The elementwise op that alone reads the result of `second`, else `second`.
  mlir::linalg::LinalgOp root;
  llvm::SetVector<mlir::Operation *> members; ///< with `first`, without `second`
  /// Loops of `second`, and those of `first` that they are.
  llvm::SmallVector<unsigned> batches, batchesOfFirst;
  unsigned rows = 0, rowsOfFirst = 0;
  /// The result of `first`, with its consumer, and the operand of `second`.
  mlir::Value scores, operand;

  /// Whether the number of rows is open. Otherwise all extents are static.
  bool isOpen() const;
};

/// The chain that ends with `second`, if there is one.
std::optional<Chain> findChain(mlir::linalg::LinalgOp second);

/// Computes the chain in loops over batches and blocks of `rows` rows. Where `rows` does not divide
/// the extent, the last block begins earlier; of an open number of rows, it has those that are
/// left.
void computeInBlocks(mlir::RewriterBase &rewriter, const Chain &chain, int64_t rows);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_BLOCKS_CHAIN_H
