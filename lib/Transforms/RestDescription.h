//===- RestDescription.h - What an op that is no contraction does, for people
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_RESTDESCRIPTION_H
#define UCMOH_LIB_TRANSFORMS_RESTDESCRIPTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

namespace ucmoh {

/// On declarations of functions that generated code calls to be timed.
constexpr llvm::StringLiteral clockMark = "ucmoh.clock";

/// The name of bufferized code: what it computes and its largest buffer, such as
/// "max, exp, sum, divide 12x128x128xf32".
class RestDescription {
public:
  explicit RestDescription(mlir::Operation *op);
  std::string getName() const;
  /// The elements of the largest buffer; without one of known shape, more than any.
  int64_t getElements() const;

private:
  using Words = llvm::SetVector<llvm::StringRef>;
  void addLinalg(mlir::linalg::LinalgOp op);
  void addReductions(mlir::linalg::LinalgOp op);
  void addBodyOp(mlir::Operation &op);
  void addBuffer(mlir::Value value);

  mlir::Operation *op;
  mlir::MemRefType buffer; ///< null: none
  Words notable, plain, moves;
};

/// Ops of a block that are timed together, from the first to the last.
struct RestPiece {
  mlir::Operation *first, *last;
  std::string name; ///< the name of the largest op
  int64_t elements; ///< the elements of its largest buffer
  /// The value that ops write which only fill or copy; null for others.
  mlir::Value filled;
};

/// The outermost ops and loops of bufferized code that are no contractions, in their order. Ops on
/// so few elements that the clock would take as long belong to a neighbour, and what fills the same
/// buffer is one piece: the borders and the inside of a padded image, or all that is concatenated.
llvm::SmallVector<RestPiece> findRestPieces(mlir::func::FuncOp function);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_RESTDESCRIPTION_H
