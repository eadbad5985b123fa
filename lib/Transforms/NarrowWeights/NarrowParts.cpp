//===- NarrowParts.cpp - What all tiles of a kernel with narrow weights share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Value NarrowParts::splat(VectorType type, double value) {
  auto element = builder.getFloatAttr(type.getElementType(), value);
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, element));
}

Value NarrowParts::splatInteger(VectorType type, int64_t value) {
  auto element = builder.getIntegerAttr(type.getElementType(), value);
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, element));
}

Value NarrowParts::load(Value buffer, Index at, int64_t lanes) {
  auto type = VectorType::get({lanes}, cast<MemRefType>(buffer.getType()).getElementType());
  return vector::LoadOp::create(builder, loc, type, buffer, b.asValue(at));
}

void NarrowParts::fetch(Value buffer, Index at) {
  memref::PrefetchOp::create(builder, loc, buffer, b.asValue(at), /*isWrite=*/false,
                             /*localityHint=*/3, /*isDataCache=*/true);
}

Value NarrowParts::broadcast(Value buffer, Index at) {
  auto type = VectorType::get({intrinsic.n}, cast<MemRefType>(buffer.getType()).getElementType());
  Value element = memref::LoadOp::create(builder, loc, buffer, b.asValue(at));
  return vector::BroadcastOp::create(builder, loc, type, element);
}

Value NarrowParts::toFloats(Value values) {
  auto type = cast<VectorType>(values.getType());
  if (!type.getElementType().isInteger())
    return values;
  return arith::SIToFPOp::create(builder, loc, floats(type.getNumElements()), values);
}

NarrowParts::Values NarrowParts::reduce(Index extent, int64_t step, Values first,
                                        llvm::function_ref<Values(Index, Values)> body) {
  std::optional<int64_t> known = getConstantIntValue(extent);
  if (known && *known <= step)
    return body(constant(0), std::move(first));
  auto loop = scf::ForOp::create(builder, loc, b.index(0), b.asValue(extent), b.index(step), first);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Values carried(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  scf::YieldOp::create(builder, loc, body(Index(loop.getInductionVar()), std::move(carried)));
  return Values(loop.result_begin(), loop.result_end());
}

NarrowParts::Values NarrowParts::ifEqual(Index a, Index b, llvm::function_ref<Values()> then,
                                         llvm::function_ref<Values()> otherwise) {
  auto yield = [](llvm::function_ref<Values()> values) {
    return
        [values](OpBuilder &inside, Location loc) { scf::YieldOp::create(inside, loc, values()); };
  };
  Value isEqual = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, this->b.asValue(a),
                                        this->b.asValue(b));
  auto either = scf::IfOp::create(builder, loc, isEqual, yield(then), yield(otherwise));
  return Values(either.result_begin(), either.result_end());
}

//===----------------------------------------------------------------------===//
// Unpacking
//===----------------------------------------------------------------------===//

Value NarrowParts::unpackBytes(Value bytes, int64_t half) {
  auto type = cast<VectorType>(bytes.getType());
  if (plan.bits == 8)
    return bytes;
  if (half == 0)
    return arith::AndIOp::create(builder, loc, bytes, splatInteger(type, 15));
  return arith::ShRUIOp::create(builder, loc, bytes, splatInteger(type, 4));
}

/// Packed integers as wider ones.
Value NarrowParts::extended(Value integers, unsigned bits) {
  auto type = cast<VectorType>(integers.getType());
  if (type.getElementTypeBitWidth() >= bits)
    return integers;
  auto wide = VectorType::get(type.getShape(), builder.getIntegerType(bits));
  if (plan.bits == 4 || plan.isUnsigned)
    return arith::ExtUIOp::create(builder, loc, wide, integers);
  return arith::ExtSIOp::create(builder, loc, wide, integers);
}

Value NarrowParts::convert(Value integers) {
  if (intrinsic.rhs.isInteger())
    return extended(integers, intrinsic.rhs.bits);
  Value numbers = toFloats(extended(integers, 32));
  Type want = intrinsic.rhs.getType(builder.getContext());
  if (want.isF32())
    return numbers;
  auto type = VectorType::get(cast<VectorType>(integers.getType()).getShape(), want);
  return arith::TruncFOp::create(builder, loc, type, numbers);
}

Value NarrowParts::exactFloats(Value integers) {
  Value wide = extended(integers, 32);
  if (plan.low)
    wide = arith::AddIOp::create(builder, loc, wide,
                                 splatInteger(cast<VectorType>(wide.getType()), plan.low));
  return toFloats(wide);
}

Value NarrowParts::loadForSteps(Value scales, Index panel, Index group, int64_t fragment) {
  Index at = b.add(scalesAt(panel, group), constant(fragment * intrinsic.n));
  Value values = load(scales, at, intrinsic.n);
  for (int64_t width = 1; width < intrinsic.kInterleave; width *= 2)
    values = vector::InterleaveOp::create(builder, loc, values, values);
  return values;
}

NarrowParts::Index NarrowParts::weightsAt(Index panel, Index step, int64_t fragment) {
  Index inPanel = b.divide(b.mul(step, plan.panel), plan.perByte());
  Index at = b.add(b.mul(panel, plan.packedBytes(plan.steps)), inPanel);
  return b.add(at, constant(fragment * intrinsic.n * intrinsic.kInterleave));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value NarrowParts::firstLanes(int64_t count) {
  return vector::ConstantMaskOp::create(
      builder, loc, VectorType::get({intrinsic.n}, builder.getI1Type()), ArrayRef<int64_t>{count});
}

Value NarrowParts::firstValue(Index rowAt, Index panel, int64_t fragment, int64_t columns) {
  VectorType type = floats(intrinsic.n);
  int64_t valid = std::min(intrinsic.n, columns - fragment * intrinsic.n);
  if (!arguments.init || valid <= 0)
    return splat(type, 0);
  Index at = b.add(b.mul(columnAt(panel, fragment), plan.initColumn), rowAt);
  if (plan.initColumn == 0)
    return broadcast(arguments.init, at);
  return vector::MaskedLoadOp::create(builder, loc, type, arguments.init, b.asValue(at),
                                      firstLanes(valid), splat(type, 0));
}

void NarrowParts::storeRow(Index rowAt, Index panel, int64_t columns, ArrayRef<Value> values) {
  for (auto [j, value] : llvm::enumerate(values)) {
    int64_t valid = std::min<int64_t>(intrinsic.n, columns - int64_t(j) * intrinsic.n);
    if (valid <= 0)
      return;
    Value at = b.asValue(b.add(rowAt, columnAt(panel, j)));
    if (valid == intrinsic.n)
      vector::StoreOp::create(builder, loc, value, arguments.result, at);
    else
      vector::MaskedStoreOp::create(builder, loc, arguments.result, at, firstLanes(valid), value);
  }
}
