//===- WideFloats.cpp - Narrow floats of elementwise ops are rounded once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "ucmoh/Analysis/ElementType.h"

using namespace mlir;
using namespace ucmoh;

/// Whether the op computes with narrow floats. Conversions of floats are not computed with.
static bool computesNarrow(Operation &op) {
  return isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) && op.getNumResults() == 1 &&
         !isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp>(op) &&
         llvm::any_of(op.getOperandTypes(), isFloat16) &&
         llvm::all_of(op.getOperandTypes(),
                      [](Type type) { return isFloat16(type) || type.isInteger(1); });
}

/// The value in f32: what it was rounded from, if it was.
static Value widen(OpBuilder &builder, Value value) {
  if (!isFloat16(value.getType()))
    return value;
  if (auto rounding = value.getDefiningOp<arith::TruncFOp>())
    if (rounding.getIn().getType().isF32())
      return rounding.getIn();
  return builder.createOrFold<arith::ExtFOp>(value.getLoc(), builder.getF32Type(), value);
}

static void computeWide(Operation &op) {
  OpBuilder builder(&op);
  SmallVector<Value> operands =
      llvm::map_to_vector(op.getOperands(), [&](Value value) { return widen(builder, value); });
  Operation *wide = builder.clone(op);
  wide->setOperands(operands);
  Value result = wide->getResult(0);
  if (Type narrow = result.getType(); isFloat16(narrow)) {
    result.setType(builder.getF32Type());
    result = arith::TruncFOp::create(builder, op.getLoc(), narrow, result);
  }
  op.replaceAllUsesWith(ValueRange(result));
  op.erase();
}

static void computeWide(linalg::GenericOp generic) {
  Block &body = *generic.getBody();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    if (computesNarrow(op))
      computeWide(op);
    else if (auto extension = dyn_cast<arith::ExtFOp>(op);
             extension && extension.getType().isF32()) {
      OpBuilder builder(extension);
      extension.replaceAllUsesWith(widen(builder, extension.getIn()));
    }
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void ucmoh::roundOnce(Operation *root) {
  root->walk([](linalg::GenericOp op) {
    if (op.getNumReductionLoops() == 0 && llvm::any_of(*op.getBody(), computesNarrow))
      computeWide(op);
  });
}
