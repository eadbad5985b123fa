//===- Kernel.cpp - ucmoh.kernel and ucmoh.check: effects, bufferization, verifiers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

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

/// Whether the elements of a buffer lie as the body takes them to: views of it miss them else. One
/// column of a matrix is no run of elements, and a part of a slice has longer rows than one of a
/// whole tensor.
static bool liesAs(Value buffer, MemRefType wanted) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  bool saysHow = wanted.getRank() == 1 || !wanted.getLayout().isIdentity();
  if (!type || !wanted.hasStaticShape() || !saysHow)
    return true;
  SmallVector<int64_t> have, want;
  int64_t offset;
  if (failed(type.getStridesAndOffset(have, offset)) ||
      failed(wanted.getStridesAndOffset(want, offset)))
    return false;
  return llvm::all_of(llvm::zip_equal(type.getShape(), have, want), [](auto dim) {
    auto [extent, has, wants] = dim;
    return extent == 1 || ShapedType::isDynamic(wants) || has == wants;
  });
}

/// A buffer whose elements lie as the body takes them to.
static FailureOr<Value> allocateAs(RewriterBase &rewriter, Location loc, MemRefType wanted,
                                   const BufferizationOptions &options) {
  auto [strides, offset] = wanted.getStridesAndOffset();
  int64_t elements = 1;
  for (auto [extent, stride] : llvm::zip_equal(wanted.getShape(), strides))
    elements += (extent - 1) * stride;
  FailureOr<Value> run = options.createAlloc(
      rewriter, loc, MemRefType::get({elements}, wanted.getElementType()), ValueRange());
  if (failed(run) || wanted.getRank() == 1)
    return run;
  auto layout = StridedLayoutAttr::get(wanted.getContext(), /*offset=*/0, strides);
  auto type = MemRefType::get(wanted.getShape(), wanted.getElementType(), layout);
  return memref::ReinterpretCastOp::create(rewriter, loc, type, *run, 0, wanted.getShape(), strides)
      .getResult();
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
    auto wanted = cast<MemRefType>(getBody().getArgument(operand.getOperandNumber()).getType());
    FailureOr<Value> dense =
        liesAs(*buffer, wanted) ? buffer : allocateAs(rewriter, getLoc(), wanted, options);
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
                                 getChoiceAttr(), getWorkloadAttr(), getOutlinedAttr());
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

//===----------------------------------------------------------------------===//
// CheckOp
//===----------------------------------------------------------------------===//

void CheckOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Write::get()); // the runtime keeps what it finds
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
