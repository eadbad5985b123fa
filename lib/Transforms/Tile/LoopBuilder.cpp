//===- LoopBuilder.cpp - Loops and addresses over the variables of a nest
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopBuilder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ucmoh;

Value LoopBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value LoopBuilder::asValue(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(builder, loc, value);
}

OpFoldResult LoopBuilder::apply(AffineExpr expr, ArrayRef<OpFoldResult> extra) {
  SmallVector<OpFoldResult> operands = values;
  llvm::append_range(operands, extra);
  return affine::makeComposedFoldedAffineApply(builder, loc,
                                               AffineMap::get(operands.size(), 0, expr), operands);
}

static OpFoldResult combine(LoopBuilder &b, AffineExpr expr, ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(b.builder, b.loc,
                                               AffineMap::get(operands.size(), 0, expr), operands);
}

OpFoldResult LoopBuilder::add(OpFoldResult a, OpFoldResult b) {
  return combine(*this, builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1), {a, b});
}

OpFoldResult LoopBuilder::sub(OpFoldResult a, OpFoldResult b) {
  return combine(*this, builder.getAffineDimExpr(0) - builder.getAffineDimExpr(1), {a, b});
}

OpFoldResult LoopBuilder::mul(OpFoldResult a, int64_t factor) {
  return combine(*this, builder.getAffineDimExpr(0) * factor, {a});
}

OpFoldResult LoopBuilder::divide(OpFoldResult a, int64_t factor) {
  return combine(*this, builder.getAffineDimExpr(0).floorDiv(factor), {a});
}

OpFoldResult LoopBuilder::remainder(OpFoldResult a, int64_t factor) {
  return combine(*this, builder.getAffineDimExpr(0) % factor, {a});
}

OpFoldResult LoopBuilder::min(OpFoldResult a, OpFoldResult b) {
  AffineMap map = AffineMap::getMultiDimIdentityMap(2, builder.getContext());
  return affine::makeComposedFoldedAffineMin(builder, loc, map, {a, b});
}

OpFoldResult LoopBuilder::max(OpFoldResult a, OpFoldResult b) {
  AffineMap map = AffineMap::getMultiDimIdentityMap(2, builder.getContext());
  return affine::makeComposedFoldedAffineMax(builder, loc, map, {a, b});
}

/// A kernel's operand may begin anywhere in its memory; where it does is known when it is a buffer.
Value LoopBuilder::view(Value buffer, OpFoldResult at, ArrayRef<OpFoldResult> shape,
                        ArrayRef<int64_t> strides) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getStridesAndOffset().second != 0) {
    auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
    buffer = metadata.getBaseBuffer();
    at = add(OpFoldResult(metadata.getOffset()), at);
  }
  auto layout = StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, strides);
  SmallVector<int64_t> extents = decomposeMixedValues(shape).first;
  auto viewType = MemRefType::get(extents, type.getElementType(), layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(builder, loc, viewType, buffer, at, shape,
                                           getAsIndexOpFoldResult(builder.getContext(), strides));
}

void LoopBuilder::loop(OpFoldResult from, OpFoldResult to, int64_t step,
                       function_ref<void(const OpFoldResult &)> body) {
  std::optional<int64_t> first = getConstantIntValue(from), end = getConstantIntValue(to);
  if (first && end && *end <= *first)
    return;
  if (first && end && *end - *first <= step)
    return body(from);
  auto forOp = scf::ForOp::create(builder, loc, asValue(from), asValue(to), index(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  body(OpFoldResult(forOp.getInductionVar()));
}

void LoopBuilder::parallelLoop(int64_t extent, int64_t step,
                               function_ref<void(const OpFoldResult &)> body) {
  auto loop =
      scf::ParallelOp::create(builder, loc, index(0), index(extent), index(step), ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(OpFoldResult(loop.getInductionVars().front()));
}

/// `body` in a branch.
static void emitIf(LoopBuilder &b, Value condition, function_ref<void()> body) {
  auto ifOp = scf::IfOp::create(b.builder, b.loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(ifOp.thenBlock());
  body();
}

void LoopBuilder::ifAtLeast(OpFoldResult a, int64_t b, function_ref<void()> body) {
  if (std::optional<int64_t> known = getConstantIntValue(a)) {
    if (*known >= b)
      body();
    return;
  }
  emitIf(*this,
         arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, asValue(a), index(b)),
         body);
}

void LoopBuilder::ifBetween(OpFoldResult a, int64_t least, int64_t most,
                            function_ref<void()> body) {
  if (std::optional<int64_t> known = getConstantIntValue(a)) {
    if (*known >= least && *known <= most)
      body();
    return;
  }
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, asValue(a), index(bound));
  };
  Value condition = arith::AndIOp::create(builder, loc, compare(arith::CmpIPredicate::sge, least),
                                          compare(arith::CmpIPredicate::sle, most));
  emitIf(*this, condition, body);
}
