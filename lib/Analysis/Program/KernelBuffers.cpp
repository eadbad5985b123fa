//===- KernelBuffers.cpp - The buffers of a kernel that is read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuffers.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

Value ucmoh::findBuffer(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::SubViewOp, memref::ReinterpretCastOp, memref::ExtractStridedMetadataOp,
             memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

LogicalResult KernelBuffers::add(Operation *user, BufferRole role, Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return user->emitError(
               "a buffer of a program needs static shape, of integers or floats, but is ")
           << buffer.getType();
  roles[buffer] = role;
  program[role] = {type.getNumElements(), type.getElementTypeBitWidth()};
  return success();
}

/// The operands of a kernel say what they are.
LogicalResult KernelBuffers::addOperands(KernelOp kernel) {
  if (kernel.getInputs().size() < 2 || kernel.getOutputs().empty())
    return kernel.emitError("a program needs two inputs, lhs and rhs, and an output");
  Block &body = kernel.getBody().front();
  return success(
      succeeded(add(kernel, BufferRole::Lhs, body.getArgument(0))) &&
      succeeded(add(kernel, BufferRole::Rhs, body.getArgument(1))) &&
      succeeded(add(kernel, BufferRole::Result, body.getArgument(kernel.getInputs().size()))));
}

LogicalResult KernelBuffers::addFragments(Operation *root) {
  WalkResult walked = root->walk([&](LoadOp op) {
    Value buffer = findBuffer(op.getView());
    if (op.getRole() == Role::acc || roles.contains(buffer))
      return WalkResult::advance();
    bool isLhs = op.getRole() == Role::lhs;
    BufferRole role = written.contains(buffer)
                          ? (isLhs ? BufferRole::PackedLhs : BufferRole::PackedRhs)
                          : (isLhs ? BufferRole::Lhs : BufferRole::Rhs);
    return WalkResult(add(op, role, buffer));
  });
  return failure(walked.wasInterrupted());
}

/// Sums rest in what the kernel allocates, or pass through a device's shared memory; else what is
/// written first is the result.
LogicalResult KernelBuffers::addResults(Operation *root) {
  WalkResult walked = root->walk([&](Operation *op) {
    Value target = llvm::TypeSwitch<Operation *, Value>(op)
                       .Case([](StoreOp store) { return store.getView(); })
                       .Case<vector::StoreOp, vector::MaskedStoreOp>(
                           [](auto store) { return store.getBase(); })
                       .Default([](Operation *) { return Value(); });
    Value buffer = target ? findBuffer(target) : Value();
    if (!buffer || roles.contains(buffer) || buffer.getDefiningOp<memref::AllocaOp>())
      return WalkResult::advance();
    bool isOwn = isa_and_nonnull<memref::AllocOp, memref::ViewOp>(buffer.getDefiningOp());
    if (!isOwn && has(BufferRole::Result))
      return WalkResult::advance();
    return WalkResult(add(op, isOwn ? BufferRole::Accumulators : BufferRole::Result, buffer));
  });
  return failure(walked.wasInterrupted());
}

LogicalResult KernelBuffers::find(Operation *root) {
  root->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<vector::StoreOp, vector::MaskedStoreOp>(
            [&](auto store) { written.insert(findBuffer(store.getBase())); })
        .Case([&](CopyOp copy) { written.insert(findBuffer(copy.getTarget())); })
        .Case([&](memref::StoreOp store) { written.insert(findBuffer(store.getMemref())); });
  });
  if (auto kernel = dyn_cast<KernelOp>(root); kernel && failed(addOperands(kernel)))
    return failure();
  return success(succeeded(addFragments(root)) && succeeded(addResults(root)));
}

LogicalResult KernelBuffers::addSource(Operation *user, BufferRole packed, Value buffer) {
  BufferRole role = packed == BufferRole::PackedLhs ? BufferRole::Lhs : BufferRole::Rhs;
  if (has(role) || roles.contains(buffer))
    return success();
  return add(user, role, buffer);
}

std::optional<BufferRole> KernelBuffers::roleOf(Value memref) const {
  auto found = roles.find(findBuffer(memref));
  return found == roles.end() ? std::nullopt : std::optional(found->second);
}
