//===- FormulaEmitter.h - Formulas as ops in the body of a linalg op
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_FORMULAEMITTER_H
#define UCMOH_LIB_TRANSFORMS_FORMULAEMITTER_H

#include "mlir/IR/Builders.h"
#include "ucmoh/Analysis/Formula.h"

namespace ucmoh {

/// Emits a formula in the body of a linalg op.
class FormulaEmitter {
public:
  /// `elements` has what the body gets for each element of the formula, in order.
  FormulaEmitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange elements)
      : b(builder), loc(loc), elements(elements) {}

  /// The number in its own type; the formula is not null.
  mlir::Value emit(const FormulaRef &formula);
  /// The number in f32; integers have a sign.
  mlir::Value emitFloat(const FormulaRef &formula);

private:
  mlir::Value arithmetic(const Formula &formula);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::ValueRange elements;
  unsigned next = 0;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_FORMULAEMITTER_H
