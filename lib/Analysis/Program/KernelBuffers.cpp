//===- KernelBuffers.cpp - The buffers of a kernel that is read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuffers.h"

using namespace mlir;
using namespace ucmoh;

LogicalResult KernelBuffers::addOperands(KernelOp kernel) {
  if (kernel.getInputs().size() < 2 || kernel.getOutputs().empty())
    return kernel.emitError("a program needs two inputs, lhs and rhs, and an output");
  Block &body = kernel.getBody().front();
  return success(
      succeeded(add(kernel, BufferRole::Lhs, body.getArgument(0))) &&
      succeeded(add(kernel, BufferRole::Rhs, body.getArgument(1))) &&
      succeeded(add(kernel, BufferRole::Result, body.getArgument(kernel.getInputs().size()))));
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

std::optional<BufferRole> KernelBuffers::roleOf(Value buffer) const {
  auto found = roles.find(buffer);
  return found == roles.end() ? std::nullopt : std::optional(found->second);
}

bool KernelBuffers::has(BufferRole role) const {
  return llvm::any_of(roles, [&](auto &entry) { return entry.second == role; });
}
