//===- Reader.h - The program of a kernel in the IR
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_READER_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_READER_H

#include "KernelBuffers.h"
#include "LinearForm.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ucmoh {

/// Goes through the loops of a kernel, as ProgramBuilder goes through those to come.
class ProgramReader {
public:
  ProgramReader(KernelOp kernel, const TargetLibrary &library) : kernel(kernel), library(library) {}
  mlir::FailureOr<Program> run();

private:
  mlir::LogicalResult read(mlir::Block &block);
  mlir::LogicalResult read(mlir::Operation *op);
  mlir::LogicalResult readLoop(mlir::Operation *op, mlir::Value iv, mlir::Value from,
                               mlir::Value to, mlir::Value step, LoopKind kind);
  mlir::LogicalResult readGuard(mlir::scf::IfOp op);
  mlir::LogicalResult readLoad(LoadOp op);
  mlir::LogicalResult readVector(mlir::Operation *op, mlir::Value buffer, mlir::ValueRange indices,
                                 mlir::VectorType type, mlir::Value mask, bool isWrite);
  mlir::LogicalResult findBuffers();

  std::optional<LinearForm> position(mlir::Value value) const;
  std::optional<LinearForm> position(mlir::AffineExpr expr, unsigned dims,
                                     mlir::ValueRange operands) const;
  /// The largest value, where it is known.
  std::optional<int64_t> bound(mlir::Value value) const;
  /// The innermost loop whose induction variable `value` is computed from.
  std::optional<unsigned> loopBehind(mlir::Value value) const;
  void append(Statement statement);
  mlir::LogicalResult add(mlir::Operation *op, Statement::Kind kind, Access access,
                          mlir::ValueRange indices);

  KernelOp kernel;
  const TargetLibrary &library;
  Program program;
  KernelBuffers buffers{program};
  llvm::DenseMap<mlir::Value, unsigned> loopOf; ///< by induction variable
  std::optional<unsigned> current;
  size_t straightLine = 0; ///< see addStatement
  bool afterStore = false;
  int64_t copied = 0; ///< elements that were read from an operand, but not written yet
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_READER_H
