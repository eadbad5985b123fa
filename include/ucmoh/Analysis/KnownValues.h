//===- KnownValues.h - Values of a body that are known to be constants
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_KNOWNVALUES_H
#define UCMOH_ANALYSIS_KNOWNVALUES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace ucmoh {

/// Whether the value is a constant, a scalar or a splat, that is zero; -0.0 is.
bool isZero(mlir::Value value);

/// Computes what the ops of a body yield if some of its arguments are constants.
class KnownValues {
public:
  /// Says that the value, an argument of the body, is the constant.
  void set(mlir::Value value, mlir::Attribute constant) { known[value] = constant; }
  /// Null if the value is not known.
  mlir::Attribute lookup(mlir::Value value) const;
  /// Notes the op's result if its operands are known and it folds; whether they are and it does.
  bool fold(mlir::Operation &op);

private:
  llvm::DenseMap<mlir::Value, mlir::Attribute> known;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_KNOWNVALUES_H
