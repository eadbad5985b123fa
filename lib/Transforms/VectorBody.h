//===- VectorBody.h - Scalar code on vectors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_VECTORBODY_H
#define UCMOH_LIB_TRANSFORMS_VECTORBODY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/Alignment.h"

namespace ucmoh {

/// The bytes of a vector in memory, where an i1 takes one.
inline llvm::MaybeAlign alignmentOf(mlir::VectorType type) {
  return llvm::MaybeAlign(type.getNumElements() *
                          llvm::divideCeil(type.getElementTypeBitWidth(), 8));
}

/// Clones scalar code on `width` elements of rows: elementwise ops keep their meaning on vectors.
/// Each op is cloned for all rows before the next one is, so that none waits for the one before.
/// `arguments` has vectors for those of the region's arguments that are used, for each row. Returns
/// what the terminator yields, for each row. `special` may put something else in the place of an
/// op, and then returns true.
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
cloneOnVectors(mlir::OpBuilder &builder, mlir::Location loc, mlir::Region &region,
               llvm::ArrayRef<llvm::SmallVector<mlir::Value>> arguments, int64_t width,
               llvm::function_ref<bool(mlir::Operation &, mlir::IRMapping &)> special = {});

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_VECTORBODY_H
