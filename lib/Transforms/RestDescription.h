//===- RestDescription.h - What an op that is no contraction does, for people
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_RESTDESCRIPTION_H
#define UCMOH_LIB_TRANSFORMS_RESTDESCRIPTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

namespace ucmoh {

/// The name of bufferized code: what it computes and its largest buffer, such as
/// "max, exp, sum, divide 12x128x128xf32".
class RestDescription {
public:
  explicit RestDescription(mlir::Operation *op);
  std::string getName() const;
  /// Of the largest buffer; without one of known shape, more than any.
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

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_RESTDESCRIPTION_H
