//===- KernelEmitter.h - The walk over a kernel's nest as IR
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_KERNELEMITTER_H
#define UCMOH_LIB_TRANSFORMS_TILE_KERNELEMITTER_H

#include "KernelPlan.h"
#include "LoopBuilder.h"
#include "ucmoh/Analysis/KernelWalk.h"

namespace ucmoh {

/// The buffers of a kernel, all of them flat. A prepacked rhs is what `emitPrepack` wrote. Where a
/// producer makes an operand, its inputs stand for it.
struct KernelArguments {
  mlir::Value lhs, rhs;
  mlir::ValueRange extras, outputs, partials;                    ///< partials of reductions
  mlir::OpFoldResult rows;                                       ///< that are wanted; null: all
  llvm::SmallVector<mlir::Value> lhsInputs = {}, rhsInputs = {}; ///< what producers read
};

/// Emits the body of a kernel at the builder's insertion point. The sink of KernelWalk, which says
/// what its members stand for.
class KernelEmitter {
public:
  using Index = mlir::OpFoldResult;
  struct Part {
    mlir::OpFoldResult from, to;
    int64_t end; ///< where the whole variable ends
  };
  using Body = llvm::function_ref<void(const Index &)>;
  using Tile = KernelWalk<KernelEmitter>::Tile;

  KernelEmitter(mlir::OpBuilder &builder, mlir::Location loc, const KernelPlan &plan,
                const KernelArguments &arguments);
  void emit() {
    clearPartials();
    KernelWalk<KernelEmitter>(shape, *this).run();
  }
  /// Instead of the kernel, the copy of the whole rhs into `packed`.
  void emitPrepack(mlir::Value packed);

  // Arithmetic.
  Index constant(int64_t value) { return b.builder.getIndexAttr(value); }
  Index add(const Index &x, const Index &y) { return b.add(x, y); }
  Index sub(const Index &x, const Index &y) { return b.sub(x, y); }
  Index mul(const Index &x, int64_t factor) { return b.mul(x, factor); }
  Index divide(const Index &x, int64_t factor) { return b.divide(x, factor); }
  Index remainder(const Index &x, int64_t factor) { return b.remainder(x, factor); }
  Index position(const Operand &operand, llvm::ArrayRef<Index> values);

  // Parts and loops.
  Part whole(int64_t extent) { return {constant(0), constant(extent), extent}; }
  Part wanted(int64_t extent) {
    return arguments.rows ? Part{constant(0), arguments.rows, extent} : whole(extent);
  }
  Part part(const Part &of, const Index &from, int64_t step) {
    return {from, b.min(b.add(from, constant(step)), of.to), of.end};
  }
  Index begin(const Part &part) const { return part.from; }
  void loop(int64_t from, int64_t to, int64_t step, Body body) {
    b.loop(constant(from), constant(to), step, body);
  }
  void loopOver(const Part &part, int64_t end, int64_t step, Body body);
  void loopOverWanted(const Part &part, int64_t step,
                      llvm::function_ref<void(const Index &, int64_t)> body);
  void ifReached(const Part &part, int64_t end, llvm::function_ref<void()> body) {
    b.ifAtLeast(part.to, end, body);
  }
  void parallelLoop(int64_t extent, int64_t step, Body body) { b.parallelLoop(extent, step, body); }

  // Statements.
  void allocate(BufferRole role, int64_t elements);
  void copy(BufferRole role, const Index &from, const Index &to, int64_t count);
  void clear(BufferRole role, const Index &to, int64_t count);
  void interleave(llvm::ArrayRef<Index> rows, int64_t columns, const Index &to);
  void transpose(llvm::ArrayRef<Index> columns, const Index &to, int64_t step);
  void tile(const Tile &what);
  void
  launch(int64_t gridX, int64_t gridY, int64_t gridZ,
         llvm::function_ref<void(const Index &, const Index &, const Index &, const Index &)> body);
  void warpTile(const Tile &what, const Index &rowFrom, const Index &columnFrom,
                const Index &panelsBefore);

private:
  mlir::Value asRun(mlir::Value buffer);

  /// The memory that a tile reads and writes.
  struct Views {
    mlir::Value lhs, rhs, next; ///< `next` may be null
    llvm::SmallVector<mlir::Value> reads, writes, partials;
  };
  Views viewsOf(const Tile &what);
  /// For each row of a tile, where it begins to read the image, and the end; empty if all read
  /// nothing else.
  llvm::SmallVector<int64_t> stepsOf(int64_t firstRow, int64_t rows) const;
  void emitTile(const Tile &what, const Views &views, llvm::ArrayRef<int64_t> steps = {});
  /// The iterations of each outer loop of the reduction that a tile goes through.
  struct Iterations {
    mlir::OpFoldResult from, count;
  };
  llvm::SmallVector<Iterations> iterationsOf(const Tile &what);
  mlir::OpFoldResult enter(llvm::ArrayRef<Iterations> iterations, mlir::OpFoldResult at,
                           llvm::ArrayRef<int64_t> strides,
                           llvm::SmallVectorImpl<mlir::OpFoldResult> &extents);
  mlir::Value viewOfLhs(const Tile &what, llvm::ArrayRef<Iterations> iterations);
  mlir::Value viewOfRhs(const Tile &what, llvm::ArrayRef<Iterations> iterations);
  mlir::Value viewOfNext(const Tile &what, llvm::ArrayRef<Iterations> iterations);
  mlir::Value viewOfResults(const Tile &what, mlir::Value buffer, const Operand &operand);
  mlir::Value viewOfSums(const Tile &what);
  mlir::Value viewOfPartials(const Tile &what, mlir::Value buffer, const Operand &partials);
  void clearPartials();
  void fillPrologue(TileOp op, const Tile &what);
  void fillEpilogue(TileOp op, const Tile &what);

  /// Where a buffer of this role is, and the types that elements have before and after packing.
  struct Packed {
    mlir::Value source, target;
    ElementType have, want;
    const PackedProducer &producer;
    llvm::ArrayRef<mlir::Value> inputs; ///< what the producer reads
  };
  Packed packedOf(BufferRole role) const;
  mlir::Value zeros(mlir::Value buffer, int64_t count);
  mlir::Value loadNeighbours(mlir::Value buffer, const Index &at, int64_t count, int64_t valid);
  mlir::Value loadInput(const PackedProducer::Input &input, mlir::Value buffer, const Index &at,
                        int64_t count, int64_t valid);
  mlir::Value loadOperand(const Packed &packed, const Index &at, int64_t count, int64_t valid);

  // Grids of blocks of threads.
  mlir::Value sharedView(int64_t offsetBytes, mlir::Type type, llvm::ArrayRef<int64_t> shape);
  void allocateShared();
  int64_t epilogueStagingWidth();
  mlir::Value viewOfStaging();
  void fillCopy(PipelineOp op, const Index &rowFrom, const Index &columnFrom,
                const Index &panelsBefore);

  const KernelPlan &plan;
  KernelShape shape;
  LoopBuilder b;
  KernelArguments arguments;
  mlir::Value packedLhs, packedRhs, accumulators; ///< the kernel's buffers, or null
  ElementType wantedRhs;                          ///< that copies of rhs have
  // A device's shared memory, or null.
  mlir::Value epilogueStaging;
  mlir::Value barriers; ///< they count copies
  mlir::Value thread;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_KERNELEMITTER_H
