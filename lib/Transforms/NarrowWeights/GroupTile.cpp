//===- GroupTile.cpp - A tile of a matrix unit, which scales the sums of a group
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// What lies beside the sums
//===----------------------------------------------------------------------===//

Value GroupTile::view(Value buffer, Index at, int64_t rowStride, int64_t columnStride) {
  buffers.push_back(buffer);
  return b.view(buffer, at, {place.rows, place.columns}, {rowStride, columnStride});
}

/// A number for each column.
Value GroupTile::ofGroup(Value buffer) {
  return view(buffer, parts.scalesAt(place.panel, place.group), 0, 1);
}

Value GroupTile::ofRowAndGroup(Value buffer) {
  return view(buffer, b.add(b.mul(place.row, plan.groups()), place.group), plan.groups(), 0);
}

Value GroupTile::viewOfResult() {
  Index at = b.add(b.mul(place.row, plan.resultRow), parts.columnAt(place.panel, 0));
  return view(arguments.result, at, plan.resultRow, 1);
}

GroupTile::Values GroupTile::viewsRead() {
  Values views = {ofRowAndGroup(arguments.rowScales), ofGroup(arguments.scales)};
  if (!arguments.firstSums.empty())
    views.push_back(ofRowAndGroup(arguments.firstSums.front()));
  if (arguments.offsets) {
    views.push_back(ofGroup(arguments.offsets));
    views.push_back(ofRowAndGroup(arguments.sums));
  }
  if (!place.isFirst) {
    views.push_back(viewOfResult());
    return views;
  }
  Index column = parts.columnAt(place.panel, 0);
  if (arguments.init)
    views.push_back(view(arguments.init,
                         b.add(b.mul(place.row, plan.initRow), b.mul(column, plan.initColumn)),
                         plan.initRow, plan.initColumn));
  if (arguments.rowOffsets) {
    views.push_back(view(arguments.rowOffsets, place.row, 1, 0));
    views.push_back(view(arguments.columnSums, column, 0, 1));
  }
  return views;
}

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

/// A body with the accumulator, if it is the epilogue's, and an argument for each extra.
Block *GroupTile::beginBody(Region &region) {
  Block *body = &region.emplaceBlock();
  for (Value buffer : buffers)
    body->addArgument(cast<MemRefType>(buffer.getType()).getElementType(), loc);
  builder.setInsertionPointToEnd(body);
  return body;
}

/// The argument for an operand's element; null where the tile does not read the operand.
Value GroupTile::argumentOf(Block *body, Value buffer) {
  auto *found = llvm::find(buffers, buffer);
  if (!buffer || found == buffers.end())
    return Value();
  return body->getArguments().take_back(buffers.size())[found - buffers.begin()];
}

void GroupTile::fillPrologue(TileOp op) {
  OpBuilder::InsertionGuard guard(builder);
  Block *body = beginBody(op.getPrologue());
  Value first =
      arguments.firstSums.empty() ? Value() : argumentOf(body, arguments.firstSums.front());
  if (!first)
    first = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  YieldOp::create(builder, loc, first);
}

/// What the group's sum is added to.
Value GroupTile::sumBefore(Block *body) {
  Value before = argumentOf(body, place.isFirst ? arguments.init : arguments.result);
  if (!before)
    before = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  if (Value offset = argumentOf(body, arguments.rowOffsets)) {
    Value sums = argumentOf(body, arguments.columnSums);
    before = arith::AddFOp::create(builder, loc, before,
                                   arith::MulFOp::create(builder, loc, offset, sums));
  }
  return before;
}

/// before + sum * scale + (sum of the lhs) * offset, both times the row's scale.
void GroupTile::fillEpilogue(TileOp op) {
  OpBuilder::InsertionGuard guard(builder);
  Block *body = beginBody(op.getEpilogue());
  Value sum = body->insertArgument(0u, builder.getI32Type(), loc);
  auto scaled = [&](Value integer, Value scale) -> Value {
    Value number = arith::SIToFPOp::create(builder, loc, builder.getF32Type(), integer);
    number = arith::MulFOp::create(builder, loc, number, argumentOf(body, arguments.rowScales));
    return arith::MulFOp::create(builder, loc, number, scale);
  };
  Value total = arith::AddFOp::create(builder, loc, sumBefore(body),
                                      scaled(sum, argumentOf(body, arguments.scales)));
  if (Value offset = argumentOf(body, arguments.offsets))
    total = arith::AddFOp::create(builder, loc, total,
                                  scaled(argumentOf(body, arguments.sums), offset));
  YieldOp::create(builder, loc, ValueRange{total});
}

void GroupTile::emit() {
  Values reads = viewsRead();
  Index at = b.add(b.mul(place.row, plan.resultRow), parts.columnAt(place.panel, 0));
  Value result = b.view(arguments.result, at, {place.rows, place.columns}, {plan.resultRow, 1});
  auto op = TileOp::create(builder, loc, intrinsic.getSymbol(),
                           block.viewOfLhs(place.row, place.rows, place.group, plan.group),
                           block.viewOfBlock(plan.group, place.columns), /*next=*/Value(), reads,
                           ValueRange{result}, /*partials=*/ValueRange());
  fillPrologue(op);
  fillEpilogue(op);
}
