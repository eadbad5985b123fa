//===- BodySlice.cpp - What a value in the body of a linalg op is made from
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/BodySlice.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace ucmoh;

static void markLoops(BodySlice &slice, AffineMap map) {
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
    if (map.isFunctionOfDim(loop))
      slice.loops.set(loop);
}

BodySlice ucmoh::sliceBody(linalg::LinalgOp op, Value value) {
  BodySlice slice;
  slice.value = value;
  slice.loops.resize(op.getNumLoops());
  Block *body = op.getBlock();
  SetVector<Operation *> needed;
  SmallPtrSet<Value, 8> arguments;
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner() == body && arguments.insert(argument).second)
        markLoops(slice, op.getMatchingIndexingMap(op.getMatchingOpOperand(argument)));
      continue;
    }
    Operation *definition = next.getDefiningOp();
    if (definition->getBlock() != body || !needed.insert(definition))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(definition))
      slice.loops.set(index.getDim());
    llvm::append_range(pending, definition->getOperands());
  }
  for (BlockArgument argument : body->getArguments())
    if (arguments.contains(argument))
      slice.arguments.push_back(argument);
  for (Operation &operation : *body)
    if (needed.contains(&operation))
      slice.ops.push_back(&operation);
  return slice;
}

Value ucmoh::getInvariant(linalg::LinalgOp op, Value value) {
  Operation *definition = value.getDefiningOp();
  if (definition && definition->getBlock() == op.getBlock() &&
      !definition->hasTrait<OpTrait::ConstantLike>())
    return {};
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock())
    return value;
  Value operand = op.getMatchingOpOperand(argument)->get();
  return isa<ShapedType>(operand.getType()) ? Value() : operand;
}

bool ucmoh::isElementwiseOnVectors(Operation &op) {
  return isPure(&op) && op.getNumRegions() == 0 &&
         (op.hasTrait<OpTrait::ConstantLike>() || OpTrait::hasElementwiseMappableTraits(&op));
}

bool ucmoh::computesOnVectors(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(), [&](Operation &inner) {
    return isElementwiseOnVectors(inner) && llvm::all_of(inner.getOperands(), [&](Value operand) {
             return operand.getParentBlock() == op.getBlock() ||
                    matchPattern(operand, m_Constant());
           });
  });
}
