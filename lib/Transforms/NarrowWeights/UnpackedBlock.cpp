//===- UnpackedBlock.cpp - Weights that are unpacked to a buffer
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnpackedBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

void UnpackedBlock::allocate() {
  Type element = intrinsic.rhs.getType(builder.getContext());
  buffer = memref::AllocOp::create(
      builder, loc, MemRefType::get({plan.groupsOfBlock() * plan.group * plan.panel}, element),
      ValueRange(), builder.getI64IntegerAttr(64));
}

Value UnpackedBlock::unpacked(Value integers, Value scale, Value offset) {
  if (intrinsic.rhs.isInteger())
    return parts.convert(integers);
  Value value = arith::MulFOp::create(builder, loc, parts.exactFloats(integers), scale);
  if (offset)
    value = arith::AddFOp::create(builder, loc, value, offset);
  Type element = intrinsic.rhs.getType(builder.getContext());
  if (element.isF32())
    return value;
  auto type = VectorType::get(cast<VectorType>(value.getType()).getShape(), element);
  return arith::TruncFOp::create(builder, loc, type, value);
}

/// The group of the weights that begins with step `from`, to where the block has `inBlock` steps.
void UnpackedBlock::unpackGroup(Index panel, Index from, Index inBlock) {
  int64_t interleave = intrinsic.kInterleave, lanes = intrinsic.n * interleave;
  Index group = b.divide(from, plan.group);
  Values scales(parts.fragments()), offsets(parts.fragments());
  for (int64_t j = 0; j < parts.fragments() && !intrinsic.rhs.isInteger(); ++j) {
    scales[j] = parts.loadForSteps(arguments.scales, panel, group, j);
    if (arguments.offsets)
      offsets[j] = parts.loadForSteps(arguments.offsets, panel, group, j);
  }
  b.loop(parts.constant(0), parts.constant(plan.group), interleave * plan.perByte(),
         [&](const Index &at) {
           for (int64_t j = 0; j < parts.fragments(); ++j) {
             Index packed = parts.weightsAt(panel, b.add(from, at), j);
             Value bytes = parts.load(arguments.weights, packed, lanes);
             for (int64_t half = 0; half < plan.perByte(); ++half) {
               Value value = unpacked(parts.unpackBytes(bytes, half), scales[j], offsets[j]);
               Index step = b.add(b.add(inBlock, at), parts.constant(half * interleave));
               vector::StoreOp::create(builder, loc, value, buffer,
                                       b.asValue(parts.blockAt(step, j)));
             }
           }
         });
}

void UnpackedBlock::unpack(Index panel, Index from, int64_t extent) {
  b.loop(parts.constant(0), parts.constant(extent), plan.group,
         [&](const Index &inBlock) { unpackGroup(panel, b.add(from, inBlock), inBlock); });
}

Value UnpackedBlock::viewOfBlock(int64_t extent, int64_t columns) {
  int64_t interleave = intrinsic.kInterleave, width = llvm::alignTo(columns, intrinsic.n);
  return b.view(buffer, parts.constant(0), {extent / interleave, width * interleave},
                {plan.panel * interleave, 1});
}

Value UnpackedBlock::viewOfLhs(Index row, int64_t rows, Index group, int64_t extent) {
  Index at = b.add(b.mul(row, plan.rowElements), b.mul(group, plan.groupElements));
  return b.view(arguments.lhs.front(), at, {rows, extent}, {plan.rowElements, 1});
}

Value UnpackedBlock::viewOfResult(Index row, int64_t rows, Index panel, int64_t columns) {
  Index at = b.add(b.mul(row, plan.resultRow), b.mul(panel, plan.panel));
  return b.view(arguments.result, at, {rows, columns}, {plan.resultRow, 1});
}

Value UnpackedBlock::viewOfInit(Index row, int64_t rows, Index panel, int64_t columns) {
  Index at = b.add(b.mul(row, plan.initRow), b.mul(panel, plan.panel * plan.initColumn));
  return b.view(arguments.init, at, {rows, columns}, {plan.initRow, plan.initColumn});
}

/// A block with an argument for each of these types, at whose end the builder is left.
static Block *beginBody(OpBuilder &builder, Location loc, Region &region, TypeRange types) {
  Block *block = &region.emplaceBlock();
  for (Type type : types)
    block->addArgument(type, loc);
  builder.setInsertionPointToEnd(block);
  return block;
}

static SmallVector<Type> elementTypes(ValueRange views) {
  return llvm::map_to_vector(
      views, [](Value view) { return cast<MemRefType>(view.getType()).getElementType(); });
}

void UnpackedBlock::emitTile(Index row, int64_t rows, Index panel, int64_t columns, Index from,
                             int64_t extent, bool isFirst) {
  Value result = viewOfResult(row, rows, panel, columns);
  Values extras;
  if (!isFirst)
    extras.push_back(result);
  else if (arguments.init)
    extras.push_back(viewOfInit(row, rows, panel, columns));
  auto op = TileOp::create(builder, loc, intrinsic.getSymbol(),
                           viewOfLhs(row, rows, b.divide(from, plan.group), extent),
                           viewOfBlock(extent, columns), /*next=*/Value(), extras,
                           ValueRange{result}, /*partials=*/ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types = elementTypes(extras);
  Block *prologue = beginBody(builder, loc, op.getPrologue(), types);
  Value first = extras.empty()
                    ? Value(arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0)))
                    : Value(prologue->getArgument(0));
  YieldOp::create(builder, loc, first);
  types.insert(types.begin(), builder.getF32Type());
  Block *epilogue = beginBody(builder, loc, op.getEpilogue(), types);
  YieldOp::create(builder, loc, ValueRange{epilogue->getArgument(0)});
}
