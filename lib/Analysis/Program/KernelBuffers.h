//===- KernelBuffers.h - The buffers of a kernel that is read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_KERNELBUFFERS_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_KERNELBUFFERS_H

#include "ucmoh/Analysis/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ucmoh {

/// The memory behind a value: views of one buffer are that buffer.
mlir::Value findBuffer(mlir::Value memref);

/// The buffers of a kernel and their roles, which follow from what the kernel does with them:
/// fragments of lhs and rhs are loaded from operands, or from buffers that the kernel itself
/// writes; sums rest in a buffer of its own.
class KernelBuffers {
public:
  explicit KernelBuffers(Program &program) : program(program) {}

  /// Finds the buffers that fragments are loaded from and results stored to. Fails with an error at
  /// the op whose buffer has no place in a program.
  mlir::LogicalResult find(mlir::Operation *root);
  /// Names the operand that a packed buffer is copied from; the first one counts.
  mlir::LogicalResult addSource(mlir::Operation *user, BufferRole packed, mlir::Value buffer);
  /// None for what a program does not speak of: operands of consumers, registers.
  std::optional<BufferRole> roleOf(mlir::Value memref) const;

private:
  mlir::LogicalResult add(mlir::Operation *user, BufferRole role, mlir::Value buffer);
  mlir::LogicalResult addOperands(KernelOp kernel);
  mlir::LogicalResult addFragments(mlir::Operation *root);
  mlir::LogicalResult addResults(mlir::Operation *root);
  bool has(BufferRole role) const { return program[role].elements != 0; }

  Program &program;
  llvm::DenseMap<mlir::Value, BufferRole> roles;
  llvm::DenseSet<mlir::Value> written;
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_KERNELBUFFERS_H
