//===- VectorLoops.cpp - Loops over vectors of a row
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ucmoh;

/// Whether vectors of neighbours are loaded and stored as they are.
static bool hasVectors(Value operand) {
  Type element = getElementTypeOrSelf(operand);
  return element.isF32() || element.isInteger(8) || element.isInteger(32);
}

bool VectorLoops::reachAll(linalg::LinalgOp op) {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    std::optional<int64_t> stride = strideOf(op, operand, op.getNumLoops() - 1);
    return hasVectors(operand.get()) && stride && *stride >= op.isDpsInit(&operand) && *stride <= 1;
  });
}

Value VectorLoops::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

/// The indices of a vector's first element.
SmallVector<Value> VectorLoops::placeOf(OpOperand &operand, int64_t vector) {
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

Value VectorLoops::load(OpOperand &operand, int64_t vector) {
  Value buffer = operand.get(), scalar = buffer;
  VectorType type = vectorOf(buffer);
  if (op.getMatchingBlockArgument(&operand).use_empty())
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  if (isa<MemRefType>(buffer.getType())) {
    SmallVector<Value> place = placeOf(operand, vector);
    if (strideOf(op, operand, op.getNumLoops() - 1) == 1 && mask)
      return vector::MaskedLoadOp::create(
          b, loc, type, buffer, place, mask,
          arith::ConstantOp::create(b, loc, b.getZeroAttr(type)).getResult());
    if (strideOf(op, operand, op.getNumLoops() - 1) == 1)
      return vector::LoadOp::create(b, loc, type, buffer, place);
    scalar = memref::LoadOp::create(b, loc, buffer, place);
  }
  return vector::BroadcastOp::create(b, loc, type, scalar);
}

void VectorLoops::store(Value value, OpOperand &output, int64_t vector) {
  SmallVector<Value> place = placeOf(output, vector);
  if (mask) {
    vector::MaskedStoreOp::create(b, loc, output.get(), place, mask, value);
    return;
  }
  llvm::MaybeAlign alignment;
  if (isStreamed)
    alignment = alignmentOf(cast<VectorType>(value.getType()));
  vector::StoreOp::create(b, loc, value, output.get(), place, isStreamed, alignment);
}

/// So many vectors side by side, from the loops' values on.
void VectorLoops::computeVectors(int64_t count) {
  SmallVector<SmallVector<Value>> arguments(count);
  for (int64_t vector = 0; vector < count; ++vector)
    for (OpOperand &operand : op->getOpOperands())
      arguments[vector].push_back(load(operand, vector));
  auto results = cloneOnVectors(b, loc, op->getRegion(0), arguments, shape.lanes, special);
  for (auto [vector, values] : llvm::enumerate(results))
    for (auto [value, output] : llvm::zip_equal(values, op.getDpsInitsMutable()))
      store(value, output, vector);
}

/// All vectors of a row, and the rest of it.
void VectorLoops::computeRow(OpFoldResult extent) {
  int64_t step = shape.lanes * shape.vectors;
  std::optional<int64_t> known = getConstantIntValue(extent);
  AffineExpr all = b.getAffineSymbolExpr(0), full = all - all % step;
  auto apply = [&](AffineExpr expr) {
    return getValueOrCreateConstantIndexOp(
        b, loc, affine::makeComposedFoldedAffineApply(b, loc, expr, extent));
  };
  Value end = apply(full);
  auto loop = scf::ForOp::create(b, loc, index(0), end, index(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  at.push_back(loop.getInductionVar());
  computeVectors(shape.vectors);
  if (known && *known % step == 0)
    return;
  assert(shape.vectors == 1 && "one vector holds what is left");
  b.setInsertionPointAfter(loop);
  at.back() = end;
  mask = vector::CreateMaskOp::create(b, loc, VectorType::get({shape.lanes}, b.getI1Type()),
                                      apply(all % step));
  computeVectors(1);
}

void VectorLoops::emit() {
  SmallVector<Range> ranges = op.createLoopRanges(b, loc);
  for (const Range &range : ArrayRef(ranges).drop_back()) {
    Value extent = getValueOrCreateConstantIndexOp(b, loc, range.size);
    auto loop = scf::ForOp::create(b, loc, index(0), extent, index(1));
    at.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  computeRow(ranges.back().size);
}
