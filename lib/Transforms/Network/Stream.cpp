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

#include "../VectorBody.h"
#include "Rest.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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

/// Whether vectors of neighbours are loaded and stored as they are.
static bool hasVectors(Value operand) {
  Type element = getElementTypeOrSelf(operand);
  return element.isF32() || element.isInteger(8) || element.isInteger(32);
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
static bool isStreamed(linalg::LinalgOp op, OpOperand &output, const StreamShape &shape,
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

bool ucmoh::isStreamed(linalg::LinalgOp op, const StreamShape &shape, const Machine &machine) {
  unsigned last = op.getNumLoops() - 1;
  if (op.getNumReductionLoops() || op.hasDynamicShape() ||
      !llvm::all_of(op.getBlock()->without_terminator(), isElementwiseOnVectors) ||
      !llvm::all_of(op->getOperands(), hasVectors))
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<int64_t> stride = strideOf(op, operand, last);
        !stride || *stride < op.isDpsInit(&operand) || *stride > 1)
      return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &output) {
    return op.getMatchingBlockArgument(&output).use_empty() &&
           ::isStreamed(op, output, shape, machine);
  });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// Emits the innermost iterations of an op on vectors.
class StreamEmitter {
public:
  StreamEmitter(OpBuilder &builder, linalg::LinalgOp op, const StreamShape &shape)
      : b(builder), loc(op.getLoc()), op(op), shape(shape) {}
  void emit();

private:
  SmallVector<Value> placeOf(OpOperand &operand, int64_t vector);
  Value load(OpOperand &operand, int64_t vector);
  void store(ArrayRef<SmallVector<Value>> results);
  VectorType vectorOf(Value buffer) {
    return VectorType::get({shape.lanes}, getElementTypeOrSelf(buffer));
  }

  OpBuilder &b;
  Location loc;
  linalg::LinalgOp op;
  const StreamShape &shape;
  SmallVector<OpFoldResult> at; ///< the loops' values
};
} // namespace

/// The indices of a vector's first element.
SmallVector<Value> StreamEmitter::placeOf(OpOperand &operand, int64_t vector) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  AffineExpr innermost = b.getAffineDimExpr(map.getNumDims() - 1);
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    AffineExpr moved = expr.replace(innermost, innermost + vector * shape.lanes);
    return getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineApply(b, loc, AffineMap::get(map.getNumDims(), 0, moved),
                                              at));
  });
}

Value StreamEmitter::load(OpOperand &operand, int64_t vector) {
  Value buffer = operand.get(), scalar = buffer;
  if (isa<MemRefType>(buffer.getType())) {
    if (strideOf(op, operand, op.getNumLoops() - 1) == 1)
      return vector::LoadOp::create(b, loc, vectorOf(buffer), buffer, placeOf(operand, vector));
    scalar = memref::LoadOp::create(b, loc, buffer, placeOf(operand, vector));
  }
  return vector::BroadcastOp::create(b, loc, vectorOf(buffer), scalar);
}

void StreamEmitter::emit() {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [number, extent] : llvm::enumerate(extents)) {
    bool isInnermost = number + 1 == extents.size();
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, loc, value).getResult();
    };
    auto loop = scf::ForOp::create(b, loc, index(0), index(extent),
                                   index(isInnermost ? shape.lanes * shape.vectors : 1));
    at.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  SmallVector<SmallVector<Value>> arguments(shape.vectors);
  for (int64_t vector = 0; vector < shape.vectors; ++vector)
    for (OpOperand &operand : op->getOpOperands())
      arguments[vector].push_back(
          op.getMatchingBlockArgument(&operand).use_empty()
              ? Value(arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorOf(operand.get()))))
              : load(operand, vector));
  store(cloneOnVectors(b, loc, op->getRegion(0), arguments, shape.lanes));
}

/// Stores the results of each vector.
void StreamEmitter::store(ArrayRef<SmallVector<Value>> results) {
  for (auto [vector, values] : llvm::enumerate(results))
    for (auto [value, output] : llvm::zip_equal(values, op.getDpsInitsMutable())) {
      auto type = cast<VectorType>(value.getType());
      int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
      vector::StoreOp::create(b, loc, value, output.get(), placeOf(output, vector),
                              /*nontemporal=*/true, llvm::MaybeAlign(bytes));
    }
}

void ucmoh::emitStream(RewriterBase &rewriter, linalg::LinalgOp op, const StreamShape &shape) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  StreamEmitter(rewriter, op, shape).emit();
  rewriter.eraseOp(op);
}
