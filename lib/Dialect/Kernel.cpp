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

/// Whether views of a flat buffer, which take its elements for neighbours, would miss them: one
/// column of a matrix is such a buffer.
static bool isSpread(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || type.getRank() != 1 || type.getDimSize(0) == 1)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return failed(type.getStridesAndOffset(strides, offset)) || strides.front() != 1;
}

/// A buffer of the same shape whose elements lie one behind the other.
static FailureOr<Value> allocateDense(RewriterBase &rewriter, Value buffer,
                                      const BufferizationOptions &options) {
  auto type = cast<MemRefType>(buffer.getType());
  return options.createAlloc(rewriter, buffer.getLoc(),
                             MemRefType::get(type.getShape(), type.getElementType(),
                                             MemRefLayoutAttrInterface(), type.getMemorySpace()),
                             ValueRange());
}

/// The buffer of an operand.
static FailureOr<Value> bufferOf(RewriterBase &rewriter, Value operand,
                                 const BufferizationOptions &options, BufferizationState &state) {
  if (isa<TensorType>(operand.getType()))
    return getBuffer(rewriter, operand, options, state);
  return operand;
}

LogicalResult KernelOp::bufferize(RewriterBase &rewriter, const BufferizationOptions &options,
                                  BufferizationState &state) {
  rewriter.setInsertionPoint(*this);
  SmallVector<Value> inputs, outputs, results;
  for (OpOperand &operand : (*this)->getOpOperands()) {
    FailureOr<Value> buffer = bufferOf(rewriter, operand.get(), options, state);
    if (failed(buffer))
      return failure();
    FailureOr<Value> dense = isSpread(*buffer) ? allocateDense(rewriter, *buffer, options) : buffer;
    if (failed(dense))
      return failure();
    if (isDpsInit(&operand)) {
      results.push_back(*buffer);
    } else if (*dense != *buffer &&
               failed(options.createMemCpy(rewriter, getLoc(), *buffer, *dense))) {
      return failure();
    }
    (isDpsInit(&operand) ? outputs : inputs).push_back(*dense);
  }
  auto kernel = KernelOp::create(rewriter, getLoc(), TypeRange(), inputs, outputs, getKindAttr(),
                                 getChoiceAttr(), getWorkloadAttr());
  kernel->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  kernel.getBody().takeBody(getBody());
  for (auto [arg, buffer] : llvm::zip_equal(kernel.getBody().getArguments(), kernel.getOperands()))
    arg.setType(buffer.getType());
  for (auto [dense, buffer] : llvm::zip_equal(outputs, results))
    if (dense != buffer && failed(options.createMemCpy(rewriter, getLoc(), dense, buffer)))
      return failure();
  replaceOpWithBufferizedValues(rewriter, getOperation(), results);
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
