//===- Reader.h - The loops and statements of a kernel in the IR
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_READER_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_READER_H

#include "KernelBuffers.h"
#include "LoopValues.h"
#include "Notes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ucmoh {

/// Goes through loops and statements in the order of the code, whoever wrote them. In a launch on a
/// device it follows one thread and counts what all of them do: fragments belong to a subgroup,
/// what threads copy to their block.
class ProgramReader {
public:
  ProgramReader(mlir::Operation *root, const TargetLibrary &library)
      : root(root), library(library) {}
  mlir::FailureOr<Program> run();

private:
  // Loops and conditions.
  mlir::LogicalResult read(mlir::Region &region);
  mlir::LogicalResult read(mlir::Operation *op);
  /// The bounds of a loop; `from` is null where it is `first`.
  struct Bounds {
    mlir::Value from;
    int64_t first;
    std::optional<int64_t> end, step;
  };
  mlir::LogicalResult readLoop(mlir::LoopLikeOpInterface op, LoopKind kind);
  mlir::FailureOr<Bounds> boundsOf(mlir::LoopLikeOpInterface op);
  mlir::LogicalResult readTurns(mlir::scf::ForOp loop);
  mlir::LogicalResult readCondition(mlir::scf::IfOp op);
  int64_t countIterations(mlir::Value condition, unsigned loop);
  mlir::LogicalResult readLaunch(mlir::gpu::LaunchOp op);

  // Statements.
  mlir::LogicalResult readLoad(LoadOp op);
  mlir::LogicalResult readStore(StoreOp op);
  mlir::LogicalResult readCopy(CopyOp op);
  mlir::LogicalResult readVector(mlir::Operation *op, mlir::Value memref, mlir::ValueRange indices,
                                 mlir::VectorType type, mlir::Value mask, bool isWrite);
  void readElements(mlir::Value memref, mlir::ValueRange indices, int64_t elements);
  mlir::LogicalResult writePacked(mlir::Operation *op, BufferRole role, const Position &to,
                                  int64_t elements);
  struct Pending;
  mlir::LogicalResult notePack(mlir::Operation *op, Statement::Kind kind, int64_t count,
                               BufferRole source, const Pending &read, const NotedAccess &written);
  void writeResult(BufferRole role, const Position &to, int64_t elements);
  IntrinsicOp findIntrinsic(mlir::Operation *op, mlir::SymbolRefAttr name);

  /// The position of the first of the elements in the whole buffer; an error at `op` where it is
  /// not known.
  mlir::FailureOr<Position> positionIn(mlir::Operation *op, mlir::Value memref,
                                       mlir::ValueRange indices);
  /// How many of the first `count` threads fulfil all conditions around the op.
  int64_t countActive(int64_t count);

  mlir::Operation *root;
  const TargetLibrary &library;
  ProgramNotes notes;
  KernelBuffers buffers{notes.program};
  LoopValues values;
  struct OpenLoop {
    mlir::Value variable, from;
    mlir::Operation *op;
  };
  llvm::DenseMap<unsigned, OpenLoop> loops; ///< by number
  mlir::gpu::LaunchOp launch;               ///< around what is read, or null
  int64_t threads = 1, subgroupSize = 1;    ///< threads of a block and of a subgroup
  llvm::SmallVector<mlir::Value> threadConditions;
  /// Elements that were read, but not written to a packed buffer yet; where they begin.
  struct Pending {
    struct Read {
      llvm::SmallVector<mlir::Value, 2> indices;
      int64_t elements;
    };
    mlir::Value memref;
    llvm::SmallVector<Read, 4> reads;
    int64_t run = 0;
  };
  Pending pending;
  int64_t fragments = 0; ///< that were stored to shared memory, but not to a result yet
  int64_t fragmentColumns = 0;
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_READER_H
