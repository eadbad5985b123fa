//===- Kernel.cpp - ucmoh.kernel: effects, bufferization, verifier
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/PatternMatch.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace ucmoh;

void KernelOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // On tensors the op computes values; only on buffers it reads and writes.
  for (OpOperand &operand : (*this)->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

bool KernelOp::bufferizesToMemoryRead(OpOperand &operand, const AnalysisState &) {
  return !isDpsInit(&operand);
}

bool KernelOp::bufferizesToMemoryWrite(OpOperand &operand, const AnalysisState &) {
  return isDpsInit(&operand);
}

AliasingValueList KernelOp::getAliasingValues(OpOperand &operand, const AnalysisState &) {
  if (!isDpsInit(&operand))
    return {};
  return {{getTiedOpResult(&operand), BufferRelation::Equivalent}};
}

LogicalResult KernelOp::bufferize(RewriterBase &rewriter, const BufferizationOptions &options,
                                  BufferizationState &state) {
  SmallVector<Value> inputs, outputs;
  for (OpOperand &operand : (*this)->getOpOperands()) {
    Value buffer = operand.get();
    if (isa<TensorType>(buffer.getType())) {
      FailureOr<Value> found = getBuffer(rewriter, buffer, options, state);
      if (failed(found))
        return failure();
      buffer = *found;
    }
    (isDpsInit(&operand) ? outputs : inputs).push_back(buffer);
  }
  rewriter.setInsertionPoint(*this);
  auto kernel = KernelOp::create(rewriter, getLoc(), TypeRange(), inputs, outputs, getKindAttr(),
                                 getChoiceAttr(), getWorkloadAttr());
  kernel->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  kernel.getBody().takeBody(getBody());
  for (auto [arg, buffer] : llvm::zip_equal(kernel.getBody().getArguments(), kernel.getOperands()))
    arg.setType(buffer.getType());
  replaceOpWithBufferizedValues(rewriter, getOperation(), outputs);
  return success();
}

LogicalResult KernelOp::canonicalize(KernelOp op, PatternRewriter &rewriter) {
  Block &body = op.getBody().front();
  llvm::SmallDenseMap<Value, BlockArgument> firstUse;
  for (auto [input, argument] : llvm::zip(op.getInputs(), body.getArguments())) {
    auto [first, isNew] = firstUse.try_emplace(input, argument);
    if (!isNew)
      rewriter.replaceAllUsesWith(argument, first->second);
  }
  llvm::BitVector unused(op.getInputs().size());
  for (unsigned index : llvm::seq(op.getInputs().size()))
    unused[index] = body.getArgument(index).use_empty();
  if (unused.none())
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    for (int index = unused.find_last(); index >= 0; index = unused.find_prev(index)) {
      op.getInputsMutable().erase(index);
      body.eraseArgument(index);
    }
  });
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getNumOperands())
    return emitOpError("body takes ")
           << body.getNumArguments() << " buffers, expected one for each of the "
           << getNumOperands() << " operands";
  for (auto [index, arg, operand] : llvm::enumerate(body.getArguments(), getOperands())) {
    auto buffer = dyn_cast<MemRefType>(arg.getType());
    auto shaped = cast<ShapedType>(operand.getType());
    if (!buffer || buffer.getShape() != shaped.getShape() ||
        buffer.getElementType() != shaped.getElementType())
      return emitOpError("body argument ")
             << index << " is " << arg.getType()
             << ", expected a memref of the shape and element type of " << shaped;
  }
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield || !yield.getResults().empty())
    return emitOpError("body must end in a 'ucmoh.yield' without operands");
  return success();
}
