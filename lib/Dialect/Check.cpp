//===- Check.cpp - ucmoh.check: effects, bufferization, verifier
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace ucmoh;

void CheckOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Write::get()); // what it finds is kept
  for (OpOperand &operand : (*this)->getOpOperands())
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

bool CheckOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) { return true; }

bool CheckOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) { return false; }

AliasingValueList CheckOp::getAliasingValues(OpOperand &, const AnalysisState &) { return {}; }

LogicalResult CheckOp::bufferize(RewriterBase &rewriter, const BufferizationOptions &options,
                                 BufferizationState &state) {
  FailureOr<Value> actual = getBuffer(rewriter, getActual(), options, state);
  FailureOr<Value> expected = getBuffer(rewriter, getExpected(), options, state);
  if (failed(actual) || failed(expected))
    return failure();
  rewriter.replaceOpWithNewOp<CheckOp>(*this, *actual, *expected, getNumberAttr(), getTypesAttr(),
                                       getRoundsAttr());
  return success();
}

LogicalResult CheckOp::verify() {
  auto actual = cast<ShapedType>(getActual().getType());
  auto expected = cast<ShapedType>(getExpected().getType());
  if (actual.getElementType() != expected.getElementType() ||
      actual.getShape() != expected.getShape())
    return emitOpError("compares ")
           << actual << " with " << expected << "; both must have the same shape and element type";
  return success();
}
