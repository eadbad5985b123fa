//===- RestPieces.h - What is timed besides contractions
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_RESTPIECES_H
#define UCMOH_LIB_TRANSFORMS_RESTPIECES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ucmoh {

/// Ops of a block that are timed together, from the first to the last.
struct RestPiece {
  mlir::Operation *first, *last;
  std::string name; ///< of the largest one
  int64_t elements; ///< of its largest buffer
  /// What is written by ops that only fill or copy; null for others.
  mlir::Value filled;
};

/// The outermost ops and loops of bufferized code that are no contractions, in their order. Ops on
/// so few elements that the clock would take as long belong to a neighbour, and what fills the same
/// buffer is one piece: the borders and the inside of a padded image, or all that is concatenated.
llvm::SmallVector<RestPiece> findRestPieces(mlir::func::FuncOp function);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_RESTPIECES_H
