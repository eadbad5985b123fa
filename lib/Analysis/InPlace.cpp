//===- InPlace.cpp - Results that may lie in the memory of an argument
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/InPlace.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ucmoh;

static Value replacedBy(Value value);

/// The first value of what a loop carries, if each step only replaces parts of it.
static Value replacedBy(scf::ForOp loop, unsigned position) {
  Value changed = loop.getYieldedValues()[position];
  while (changed && changed != loop.getRegionIterArgs()[position])
    changed = replacedBy(changed);
  return changed ? loop.getInitArgs()[position] : Value();
}

/// The tensor in which parts were replaced to get this one; null if it is another kind of value.
static Value replacedBy(Value value) {
  if (auto insertion = value.getDefiningOp<tensor::InsertSliceOp>())
    return insertion.getDest();
  if (auto loop = value.getDefiningOp<scf::ForOp>())
    return replacedBy(loop, cast<OpResult>(value).getResultNumber());
  return {};
}

/// Whether only one op reads the elements of a value.
static bool isReadOnce(Value value) {
  return llvm::count_if(value.getUses(),
                        [](OpOperand &use) { return !isa<tensor::DimOp>(use.getOwner()); }) == 1;
}

static std::optional<unsigned> argumentOf(Value result) {
  Value value = replacedBy(result);
  while (Value before = value ? replacedBy(value) : Value())
    value = before;
  auto argument = dyn_cast_or_null<BlockArgument>(value);
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  if (argument.getType() != result.getType() || !isReadOnce(argument))
    return std::nullopt;
  return argument.getArgNumber();
}

SmallVector<std::optional<unsigned>> ucmoh::findInPlace(func::FuncOp function) {
  SmallVector<std::optional<unsigned>> found(function.getNumResults());
  if (function.isExternal())
    return found;
  auto end = cast<func::ReturnOp>(function.getBody().back().getTerminator());
  for (auto [position, result] : llvm::zip_equal(found, end.getOperands()))
    position = argumentOf(result);
  return found;
}
