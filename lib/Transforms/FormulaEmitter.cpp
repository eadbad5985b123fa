//===- FormulaEmitter.cpp - Formulas as ops in the body of a linalg op
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormulaEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ucmoh;

Value FormulaEmitter::emit(const FormulaRef &formula) {
  switch (formula->kind) {
  case Formula::Element:
    return elements[next++];
  case Formula::Constant:
    if (Operation *constant = formula->value.getDefiningOp();
        constant && constant->hasTrait<OpTrait::ConstantLike>())
      return b.clone(*constant)->getResult(0);
    return formula->value;
  case Formula::Compute: {
    Operation *op = formula->value.getDefiningOp();
    IRMapping mapping;
    for (auto [operand, made] : llvm::zip_equal(op->getOperands(), formula->operands))
      mapping.map(operand, emit(made));
    return b.clone(*op, mapping)->getResult(0);
  }
  default:
    return arithmetic(*formula);
  }
}

Value FormulaEmitter::emitFloat(const FormulaRef &formula) {
  Value value = emit(formula);
  Type want = b.getF32Type();
  if (value.getType().isInteger())
    return arith::SIToFPOp::create(b, loc, want, value);
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  if (bits < 32)
    return arith::ExtFOp::create(b, loc, want, value);
  return bits > 32 ? Value(arith::TruncFOp::create(b, loc, want, value)) : value;
}

Value FormulaEmitter::arithmetic(const Formula &formula) {
  auto operand = [&](unsigned position, float neutral) -> Value {
    if (formula.operands[position])
      return emitFloat(formula.operands[position]);
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(neutral));
  };
  bool isSum = formula.kind == Formula::Add || formula.kind == Formula::Sub;
  Value left = operand(0, isSum ? 0 : 1), right = operand(1, isSum ? 0 : 1);
  switch (formula.kind) {
  case Formula::Add:
    return arith::AddFOp::create(b, loc, left, right);
  case Formula::Sub:
    return arith::SubFOp::create(b, loc, left, right);
  case Formula::Mul:
    return arith::MulFOp::create(b, loc, left, right);
  default:
    return arith::DivFOp::create(b, loc, left, right);
  }
}
