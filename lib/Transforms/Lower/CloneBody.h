//===- CloneBody.h - The ops of a target file in place of a use
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_LOWER_CLONEBODY_H
#define UCMOH_LIB_TRANSFORMS_LOWER_CLONEBODY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace ucmoh {

/// A fragment's type in a body, and the one with fewer rows that a use has.
struct Retyping {
  mlir::Type whole, used;
};

/// Clones a body with `operands` in place of its arguments; returns what it yields. Results of type
/// `types.whole` become `types.used`. Later errors point at the line of the target file.
inline llvm::SmallVector<mlir::Value> cloneBody(mlir::OpBuilder &builder, mlir::Operation *user,
                                                mlir::Region &body, mlir::ValueRange operands,
                                                Retyping types = {}) {
  mlir::IRMapping mapping;
  mapping.map(body.getArguments(), operands);
  for (mlir::Operation &op : body.front().without_terminator()) {
    mlir::Operation *copy = builder.clone(op, mapping);
    copy->setLoc(mlir::CallSiteLoc::get(op.getLoc(), user->getLoc()));
    for (mlir::OpResult result : copy->getResults())
      if (result.getType() == types.whole)
        result.setType(types.used);
  }
  return llvm::map_to_vector(body.front().getTerminator()->getOperands(),
                             [&](mlir::Value value) { return mapping.lookupOrDefault(value); });
}

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_LOWER_CLONEBODY_H
