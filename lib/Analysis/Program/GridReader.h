//===- GridReader.h - The program of a kernel that is a grid of blocks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_GRIDREADER_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_GRIDREADER_H

#include "GridPoint.h"
#include "KernelBuffers.h"
#include "LinearForm.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ucmoh {

/// Goes through what one thread executes, and counts what all of them do. Which loops blocks and
/// warps stand for is read from the launch's attributes (see KernelOp's description); everything
/// else from the ops: how far an access moves with a loop is the difference between two points.
class GridReader {
public:
  GridReader(KernelOp kernel, mlir::gpu::LaunchOp launch, const TargetLibrary &library)
      : kernel(kernel), launch(launch), library(library) {}
  mlir::FailureOr<Program> run();

private:
  /// What makes a step of a loop: a block's id or the thread grows.
  struct Axis {
    mlir::Value id; ///< null: the thread
    int64_t advance;
  };

  mlir::LogicalResult findBuffers();
  mlir::LogicalResult readThreads();
  mlir::LogicalResult readAxes();
  void enter(LoopKind kind, int64_t extent, int64_t step, Axis axis);
  void enterWarps();
  mlir::LogicalResult checkAhead();

  mlir::LogicalResult read(mlir::Block &block);
  mlir::LogicalResult read(mlir::Operation *op);
  mlir::LogicalResult readStages(mlir::scf::ForOp loop);
  mlir::LogicalResult readTurns(mlir::scf::ForOp loop);
  mlir::LogicalResult readGuard(mlir::scf::IfOp guard);
  mlir::LogicalResult readLoad(LoadOp load);
  mlir::LogicalResult readStore(mlir::Operation *op, mlir::Value buffer, mlir::ValueRange indices,
                                int64_t elements);
  mlir::LogicalResult addPack(mlir::Operation *op, BufferRole role, mlir::Value index,
                              int64_t elements);
  /// Access::strides of `index` in the current loop. Slots of scratch take turns: what is there
  /// does not move with the stages.
  std::optional<std::vector<int64_t>> strides(mlir::Value index);
  std::optional<int64_t> at(const Axis &axis, mlir::Value index);

  KernelOp kernel;
  mlir::gpu::LaunchOp launch;
  const TargetLibrary &library;
  Program program;
  KernelBuffers buffers{program};
  llvm::SmallVector<Axis> axes; ///< by loop
  GridPoint point;
  std::optional<unsigned> current;
  std::optional<int64_t> active; ///< how many threads, of a block or warp, do what is read; or all
  int64_t threads = 1;           ///< of a block
  int64_t lanes = 1;
  int64_t fragments = 0; ///< that were stored to scratch, but not to a result yet
  bool inStages = false;
  size_t straightLine = 0;             ///< see addStatement
  int64_t ahead[bufferRoleCount] = {}; ///< copies before the loop over the stages
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_GRIDREADER_H
