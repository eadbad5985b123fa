//===- KernelBuffers.h - The buffers of a kernel that is read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_KERNELBUFFERS_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_KERNELBUFFERS_H

#include "ucmoh/Analysis/Program.h"

namespace ucmoh {

/// Whose roles follow from what a kernel does with them.
class KernelBuffers {
public:
  explicit KernelBuffers(Program &program) : program(program) {}

  /// Lhs, rhs and the result; an error when the kernel has no such operands.
  mlir::LogicalResult addOperands(KernelOp kernel);
  /// An error at `user` when the size or the elements of the buffer are not known.
  mlir::LogicalResult add(mlir::Operation *user, BufferRole role, mlir::Value buffer);
  std::optional<BufferRole> roleOf(mlir::Value buffer) const;
  bool has(BufferRole role) const;

private:
  Program &program;
  llvm::DenseMap<mlir::Value, BufferRole> roles;
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_KERNELBUFFERS_H
