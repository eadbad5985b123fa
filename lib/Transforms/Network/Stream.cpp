//===- Stream.cpp - Results that no cache holds are written past the caches
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A store to a line that is in no cache reads the line first. A result that is larger than the
/// last-level cache has left it before it is read again, so nothing is lost if it never comes in.
/// LLVM's vectorizer knows no alignment of rows, without which there are no such stores: the loops
/// are vector code from the start here.
///
//===----------------------------------------------------------------------===//

#include "Rest.h"
#include "VectorLoops.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "ucmoh/Analysis/BodySlice.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Which results
//===----------------------------------------------------------------------===//

static int64_t bytesOf(MemRefType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// The allocation that a buffer is a part of, if each row of the part begins at a multiple of
/// `alignment` bytes.
static memref::AllocOp findAligned(Value buffer, int64_t alignment) {
  if (auto alloc = buffer.getDefiningOp<memref::AllocOp>())
    return alloc.getAlignment().value_or(1) % alignment == 0 ? alloc : memref::AllocOp();
  auto view = buffer.getDefiningOp<ViewLikeOpInterface>();
  SmallVector<int64_t> strides;
  int64_t offset;
  auto source = view ? dyn_cast<MemRefType>(view.getViewSource().getType()) : MemRefType();
  if (!source || failed(source.getStridesAndOffset(strides, offset)))
    return {};
  if (auto part = dyn_cast<memref::SubViewOp>(view.getOperation()))
    for (auto [stride, from] : llvm::zip_equal(strides, part.getStaticOffsets())) {
      int64_t step = ShapedType::isDynamic(from) ? stride : stride * from;
      if (ShapedType::isDynamic(stride) || step * source.getElementTypeBitWidth() / 8 % alignment)
        return {};
    }
  return findAligned(view.getViewSource(), alignment);
}

/// Whether each row of the result is whole vectors at aligned places.
static bool isAligned(MemRefType result, int64_t extent, int64_t step, int64_t alignment) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return extent % step == 0 && succeeded(result.getStridesAndOffset(strides, offset)) &&
         llvm::all_of(ArrayRef(strides).drop_back(), [&](int64_t stride) {
           return !ShapedType::isDynamic(stride) &&
                  stride * result.getElementTypeBitWidth() / 8 % alignment == 0;
         });
}

/// Whether the op reads a part of what the buffer is a part of.
static bool reads(linalg::LinalgOp op, memref::AllocOp whole) {
  return llvm::any_of(op.getDpsInputs(),
                      [&](Value input) { return wholeOf(input) == whole.getResult(); });
}

void ucmoh::loadAhead(linalg::LinalgOp op) {
  auto isOutside = [&](Value value) { return value.getParentBlock() != op.getBlock(); };
  for (auto load : llvm::make_early_inc_range(op.getBlock()->getOps<memref::LoadOp>())) {
    auto own = wholeOf(load.getMemRef()).getDefiningOp();
    bool isApart = isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(own) &&
                   llvm::all_of(op.getDpsInits(), [&](Value output) {
                     return wholeOf(output).getDefiningOp<memref::AllocOp>() &&
                            wholeOf(output).getDefiningOp() != own;
                   });
    if (isApart && llvm::all_of(load->getOperands(), isOutside))
      load->moveBefore(op);
  }
}

/// Whether an output is one that no cache holds, and that vectors at aligned places write.
static bool isStreamed(linalg::LinalgOp op, OpOperand &output, const VectorShape &shape,
                       const Machine &machine) {
  constexpr int64_t fewestBytes = 16; // in a store past the caches
  auto type = cast<MemRefType>(output.get().getType());
  int64_t bytes = shape.lanes * type.getElementTypeBitWidth() / 8;
  memref::AllocOp whole = findAligned(output.get(), bytes);
  return bytes >= fewestBytes && whole && whole.getType().hasStaticShape() &&
         bytesOf(whole.getType()) > machine.l3Bytes && !reads(op, whole) &&
         op.getMatchingIndexingMap(&output).isPermutation() &&
         isAligned(type, op.getStaticLoopRanges().back(), shape.lanes * shape.vectors, bytes);
}

bool ucmoh::isStreamed(linalg::LinalgOp op, const VectorShape &shape, const Machine &machine) {
  if (op.getNumReductionLoops() || op.hasDynamicShape() ||
      !llvm::all_of(op.getBlock()->without_terminator(), isElementwiseOnVectors) ||
      !VectorLoops::reachAll(op))
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &output) {
    return op.getMatchingBlockArgument(&output).use_empty() &&
           ::isStreamed(op, output, shape, machine);
  });
}

void ucmoh::emitStream(RewriterBase &rewriter, linalg::LinalgOp op, const VectorShape &shape) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  VectorLoops(rewriter, op, shape).streamed().emit();
  rewriter.eraseOp(op);
}
