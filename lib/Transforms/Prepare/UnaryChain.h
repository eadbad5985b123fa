//===- UnaryChain.h - Functions of the elements of one tensor
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_PREPARE_UNARYCHAIN_H
#define UCMOH_TRANSFORMS_PREPARE_UNARYCHAIN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ucmoh {

/// Elementwise ops one after the other, each of which reads the result of the one before at the
/// same place and nothing else that varies. The first one reads integers of 8 bits.
struct UnaryChain {
  mlir::Value source;                             ///< the operand of the first op
  llvm::SmallVector<mlir::linalg::GenericOp> ops; ///< the first one first

  /// The values that the chain makes of all 256 values of the source, beginning with 0; nothing if
  /// one of them cannot be computed at compile time.
  std::optional<llvm::SmallVector<mlir::Attribute>> evaluate() const;
};

/// The one tensor that an elementwise op reads, at the place where it writes; null if it reads
/// another one as well, or if its body depends on more than its elements.
mlir::OpOperand *findUnaryInput(mlir::linalg::GenericOp op);

/// The ops that compute `result` from elements of 8 bits; nothing if there are none, or if others
/// read what is between. Who reads the result does not matter.
std::optional<UnaryChain> findUnaryChain(mlir::Value result);

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_PREPARE_UNARYCHAIN_H
