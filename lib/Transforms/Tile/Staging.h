//===- Staging.h - Copies of operands to shared memory by a block of threads
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_STAGING_H
#define UCMOH_LIB_TRANSFORMS_TILE_STAGING_H

#include "LoopBuilder.h"
#include "ucmoh/Analysis/KernelShape.h"

namespace ucmoh {

/// Emits how the threads of a block together copy one block of the reduction, from `kFrom` on, into
/// a slot: chunk by chunk, chunk i by thread i modulo their number. What lies behind the end of an
/// operand becomes zero. Asynchronously where the target has copies of the chunk's size and no
/// conversion is due; `barriers` (null for none) count those that have them, one for each slot.
class Staging {
public:
  Staging(LoopBuilder &builder, const KernelShape &shape, mlir::Value thread, mlir::Value slot,
          mlir::Value kFrom, mlir::Value barriers)
      : b(builder), shape(shape), workload(shape.workload), nest(shape.nest),
        candidate(shape.candidate), shared(shape.shared), thread(thread), slot(slot), kFrom(kFrom),
        barriers(barriers) {}

  void copyLhs(mlir::Value source, mlir::Value target, mlir::OpFoldResult mFrom);
  void copyRhs(mlir::Value source, mlir::Value target, mlir::OpFoldResult nFrom);
  /// Copies a rhs that is prepacked; `before` counts the panels of other batches.
  void copyPanels(mlir::Value source, mlir::Value target, mlir::OpFoldResult nFrom,
                  mlir::OpFoldResult before);
  /// Returns the engine that waits for the copies emitted so far that no barrier counts. Where none
  /// of them was asynchronous any engine of the target does: it knows what else it takes until
  /// computing threads see them. Null without one, or where barriers count all copies.
  mlir::SymbolRefAttr getEngine() const;

private:
  struct Copy {
    mlir::Value source, target;
    ElementType have, want;
    int64_t elements;
  };
  /// A position that exists if each `value` lies below its `bound`.
  struct Bound {
    mlir::OpFoldResult value;
    int64_t bound;
    bool isCertain;
    bool isAlong = false; ///< the chunk runs along it, and may end inside
  };

  void forEachChunk(int64_t count, llvm::function_ref<void(mlir::OpFoldResult)> body);
  /// The parts of a chunk's number: how often `sizes` fit into it, outermost first.
  llvm::SmallVector<mlir::OpFoldResult> split(mlir::OpFoldResult number,
                                              llvm::ArrayRef<int64_t> sizes);
  void copyChunk(const Copy &copy, mlir::OpFoldResult from, mlir::OpFoldResult to,
                 llvm::ArrayRef<Bound> bounds);
  void copyRun(const Copy &copy, AsyncCopyOp found, mlir::OpFoldResult from, mlir::Value to,
               llvm::ArrayRef<Bound> bounds);
  void clear(const Copy &copy, mlir::Value to, mlir::Value valid, int64_t unit);
  mlir::Value countValid(const Copy &copy, llvm::ArrayRef<Bound> bounds);
  void copyBySteps(const Copy &copy, mlir::Value from, mlir::Value to, mlir::Value exists);
  mlir::Value all(llvm::ArrayRef<Bound> bounds);
  mlir::SymbolRefAttr nameOf(AsyncCopyOp found) const;
  bool endsWithStage() const { return nest.k.extent % candidate.cacheK == 0; }

  LoopBuilder &b;
  const KernelShape &shape;
  const Workload &workload;
  const Nest &nest;
  const Candidate &candidate;
  const SharedLayout &shared;
  mlir::Value thread, slot, kFrom, barriers;
  mlir::SymbolRefAttr engine;
  bool copiesBySteps = false;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_STAGING_H
