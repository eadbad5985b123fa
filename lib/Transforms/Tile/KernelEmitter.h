//===- KernelEmitter.h - The loop nest of one contraction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_KERNELEMITTER_H
#define UCMOH_LIB_TRANSFORMS_TILE_KERNELEMITTER_H

#include "Epilogue.h"
#include "LoopBuilder.h"
#include "Packing.h"
#include "ucmoh/Analysis/ScratchLayout.h"
#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// All that the kernel of one contraction is made of. Operands are converted already.
struct KernelPlan {
  Workload workload;
  Candidate candidate;
  Nest nest;
  Epilogue epilogue;
  std::optional<Operand> init;        ///< first value of the accumulator, if not zero
  llvm::SmallVector<Operand> addends; ///< added to the first value: corrections
  bool streamsResult = false;         ///< past the caches

  /// What the kernel reads beside lhs and rhs: init, addends, the epilogue's extras.
  llvm::SmallVector<Operand> extras() const;
};

/// Emits the body of the kernel at the builder's insertion point. The buffers are flat; with
/// Packing::Ahead `rhs` is what `emitPackAhead` wrote.
class KernelEmitter {
public:
  KernelEmitter(mlir::OpBuilder &builder, mlir::Location loc, const KernelPlan &plan,
                mlir::Value lhs, mlir::Value rhs, mlir::ValueRange extras,
                mlir::ValueRange outputs);
  void emit();

private:
  struct Tile {
    int64_t rows, columns;
  };
  /// Where one block of the reduction begins, its extent, and whether it is the first or last.
  struct ReductionBlock {
    mlir::OpFoldResult from;
    int64_t extent;
    bool isFirst, isLast;
  };
  /// A buffer with the position of a tile's first element in it and its strides.
  struct Placed {
    mlir::Value buffer, base;
    llvm::SmallVector<int64_t> strides;
  };
  struct PlacedList {
    llvm::SmallVector<mlir::Value> buffers, bases;
    llvm::SmallVector<int64_t> strides;
    void add(const Placed &placed) {
      buffers.push_back(placed.buffer);
      bases.push_back(placed.base);
      llvm::append_range(strides, placed.strides);
    }
  };

  // Blocks of threads on a device.
  void emitGrid();
  void emitBlock(mlir::ValueRange blockIds, mlir::Value thread);
  TileOp emitWarpTile(mlir::Value thread);
  void emitStage(TileOp op, mlir::Value thread);
  mlir::Value scratchView(int64_t offsetBytes, mlir::Type type, llvm::ArrayRef<int64_t> shape);

  void emitPart();
  void emitOuterLoops(unsigned level);
  void emitBlockLoops(llvm::StringRef order);
  void emitReductionBlocks();
  void emitReductionBlock(const ReductionBlock &block);
  int64_t restRows();
  void emitTileLoops(llvm::StringRef order, Tile tile, const ReductionBlock &block);
  void emitTile(Tile tile, const ReductionBlock &block);

  Range &rangeOf(char letter) { return letter == 'm' ? m : n; }
  mlir::Value allocate(mlir::Type element, int64_t elements);
  void packLhsBlock(mlir::OpFoldResult kFrom, int64_t kExtent);
  void packRhsBlock(mlir::OpFoldResult kFrom, int64_t kExtent);
  bool reductionIsSplit() const;

  Placed placeInput(mlir::Value buffer, const Operand &operand, unsigned tiled);
  Placed placeLhs(const ReductionBlock &block);
  Placed placeRhs(const ReductionBlock &block);
  Placed placeElement(mlir::Value buffer, const Operand &operand);
  Placed placeAccumulators();
  mlir::OpFoldResult panelsBefore();
  void fillPrologue(TileOp op, const ReductionBlock &block);
  void fillEpilogue(TileOp op, const ReductionBlock &block);

  LoopBuilder b;
  const KernelPlan &plan;
  PackedLayout layout;
  mlir::Value lhs, rhs;
  llvm::SmallVector<mlir::Value> extras, outputs;
  mlir::Value packedLhs, packedRhs, accumulators; ///< scratch, or null
  mlir::Value exchange;                           ///< scratch of a device, or null
  mlir::Value barriers;                           ///< of copies to scratch, or null
  std::optional<ParallelLoop> parallel;
  Range m, n; ///< the current cache block
};

/// Emits the copy of the whole rhs into `packed`.
void emitPackAhead(mlir::OpBuilder &builder, mlir::Location loc, const KernelPlan &plan,
                   mlir::Value rhs, mlir::Value packed);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_KERNELEMITTER_H
