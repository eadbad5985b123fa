//===- StagePipeline.h - Blocks of the reduction on their way through shared memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TENSORIZE_STAGEPIPELINE_H
#define UCMOH_LIB_TRANSFORMS_TENSORIZE_STAGEPIPELINE_H

#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// Emits what goes on around the loop over the blocks of the reduction: block t is computed from
/// slot t modulo the number of slots while later blocks arrive. Copies that no barrier counts are
/// waited for by their groups, the others by the phases of their slot's barrier.
class StagePipeline {
public:
  StagePipeline(mlir::OpBuilder &builder, PipelineOp op);

  /// Before all copies, by one thread.
  void initBarriers();
  /// Copies the block of the reduction that begins at `from` into the slot.
  void copy(mlir::Value slot, mlir::Value from);
  /// Ends a group of copies, even an empty one: groups are waited for by their number.
  void commit();
  /// When block `t` of `trips` has arrived, for all threads; the slot that the threads have just
  /// left is filled anew. Returns block t's slot.
  mlir::Value next(mlir::Value t, int64_t trips);

private:
  mlir::Value index(int64_t value);
  void copyIfLeft(mlir::Value block, int64_t trips);
  void wait(int64_t pending, mlir::Value t);

  mlir::OpBuilder &b;
  mlir::Location loc;
  PipelineOp op;
  int64_t extent, slots;
  CopyOp counted; ///< one whose barrier counts it, or null
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TENSORIZE_STAGEPIPELINE_H
