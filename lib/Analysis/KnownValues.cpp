//===- KnownValues.cpp - Values of a body that are known to be constants
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/KnownValues.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ucmoh;

bool ucmoh::isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

Attribute KnownValues::lookup(Value value) const {
  Attribute constant = known.lookup(value);
  if (!constant)
    matchPattern(value, m_Constant(&constant));
  return constant;
}

bool KnownValues::fold(Operation &op) {
  SmallVector<Attribute> operands =
      llvm::map_to_vector(op.getOperands(), [&](Value operand) { return lookup(operand); });
  SmallVector<OpFoldResult> folded;
  if (op.getNumResults() != 1 || llvm::is_contained(operands, Attribute()) ||
      failed(op.fold(operands, folded)) || folded.size() != 1)
    return false;
  auto value = dyn_cast<Value>(folded.front()); // an operand, such as x of x * 1
  set(op.getResult(0), value ? lookup(value) : cast<Attribute>(folded.front()));
  return true;
}
