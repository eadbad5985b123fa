//===- VectorLoops.h - Loops over vectors of a row
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NETWORK_VECTORLOOPS_H
#define UCMOH_LIB_TRANSFORMS_NETWORK_VECTORLOOPS_H

#include "../VectorBody.h"
#include "Rest.h"

namespace ucmoh {

/// Emits an elementwise op on buffers as loops whose innermost one computes vectors, where LLVM's
/// vectorizer does not know enough to do so. What is left of a row behind its last full vector is
/// one vector under a mask: several vectors side by side need rows that are multiples of them.
class VectorLoops {
public:
  /// Puts something else in the place of an op of the body: see cloneOnVectors.
  using Special = llvm::function_ref<bool(mlir::Operation &, mlir::IRMapping &)>;

  VectorLoops(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op, const VectorShape &shape)
      : b(builder), loc(op.getLoc()), op(op), shape(shape) {}
  /// Stores go past the caches: places are aligned to vectors, and rows are whole ones.
  VectorLoops &streamed() {
    isStreamed = true;
    return *this;
  }
  VectorLoops &with(Special instead) {
    special = instead;
    return *this;
  }
  /// At the builder's place, which is then inside of the loops. The op stays.
  void emit();

  /// Whether along the innermost loop all operands are vectors of neighbours, or the same for all.
  static bool reachAll(mlir::linalg::LinalgOp op);

private:
  mlir::SmallVector<mlir::Value> placeOf(mlir::OpOperand &operand, int64_t vector);
  mlir::Value load(mlir::OpOperand &operand, int64_t vector);
  void store(mlir::Value value, mlir::OpOperand &output, int64_t vector);
  void computeVectors(int64_t count);
  void computeRow(mlir::OpFoldResult extent);
  mlir::Value index(int64_t value);
  mlir::VectorType vectorOf(mlir::Value buffer) {
    return mlir::VectorType::get({shape.lanes}, mlir::getElementTypeOrSelf(buffer));
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::linalg::LinalgOp op;
  VectorShape shape;
  bool isStreamed = false;
  Special special;
  mlir::SmallVector<mlir::OpFoldResult> at; ///< the loops' values
  mlir::Value mask;                         ///< the lanes of a row's last vector; null for others
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NETWORK_VECTORLOOPS_H
