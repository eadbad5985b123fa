//===- Weights.cpp - What is the same in each call ------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Weights.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

static bool isWeightArgument(BlockArgument argument) {
  auto function = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function && function.getArgAttr(argument.getArgNumber(), "ucmoh.weight");
}

bool ucmoh::dependsOnWeightsAlone(Value value) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isWeightArgument(argument);
  if (failed(getBackwardSlice(value, &slice, options)))
    return false;
  return llvm::all_of(slice, [](Operation *op) {
    return isPure(op) && llvm::all_of(op->getOperands(), [](Value operand) {
             auto argument = dyn_cast<BlockArgument>(operand);
             // Arguments of regions inside the slice belong to ops of the slice.
             return !argument || !isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) ||
                    isWeightArgument(argument);
           });
  });
}
