//===- KernelTile.cpp - One register tile of a kernel
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// In place: base and strides follow from the operand's index.
KernelEmitter::Placed KernelEmitter::placeInput(Value buffer, const Operand &operand,
                                                unsigned tiled) {
  AffineExpr index = plan.nest.linearIndex(operand);
  Placed placed{buffer, b.asValue(b.apply(index)), {b.strideOf(index, tiled)}};
  for (unsigned i = 0; i <= plan.nest.outerK.size(); ++i)
    placed.strides.push_back(b.strideOf(index, b.outerKAt(i)));
  return placed;
}

KernelEmitter::Placed KernelEmitter::placeLhs(const ReductionBlock &block) {
  if (!packedLhs)
    return placeInput(lhs, plan.workload.lhs, b.mAt());
  int64_t row = layout.lhsRowElements(block.extent);
  return {packedLhs, b.asValue(b.mul(b.sub(b.values[b.mAt()], m.from), row)), {row, 1}};
}

/// How many panels lie before those of the current batch and outer columns in a rhs packed ahead.
OpFoldResult KernelEmitter::panelsBefore() {
  OpFoldResult count = b.builder.getIndexAttr(0);
  for (unsigned i = 0; i < b.mAt(); ++i)
    if (i < b.outerMAt(0) || i >= b.outerNAt(0)) // rhs has no rows
      count = b.add(b.mul(count, plan.nest.variables()[i]->extent), b.values[i]);
  return b.mul(count, layout.rhsPanels());
}

KernelEmitter::Placed KernelEmitter::placeRhs(const ReductionBlock &block) {
  const Candidate &candidate = plan.candidate;
  if (candidate.packRhs == Packing::None)
    return placeInput(rhs, plan.workload.rhs, b.nAt());
  bool ahead = candidate.packRhs == Packing::Ahead;
  int64_t k = ahead ? plan.nest.k.extent : block.extent;
  OpFoldResult column = ahead ? b.values[b.nAt()] : b.sub(b.values[b.nAt()], n.from);
  OpFoldResult panel =
      b.apply(b.builder.getAffineDimExpr(b.variableCount()).floorDiv(candidate.tileN), {column});
  if (ahead)
    panel = b.add(panelsBefore(), panel);
  OpFoldResult base = b.mul(panel, layout.rhsPanelElements(k));
  if (ahead)
    base = b.add(base, b.mul(block.from, candidate.tileN));
  Placed placed{ahead ? rhs : packedRhs, b.asValue(base), {}};
  placed.strides = {candidate.intrinsic->rhsPack};
  for (unsigned level = 0; level < plan.nest.outerK.size(); ++level)
    placed.strides.push_back(layout.rhsSlabStride(level, k));
  placed.strides.push_back(candidate.tileN);
  return placed;
}

KernelEmitter::Placed KernelEmitter::placeElement(Value buffer, const Operand &operand) {
  AffineExpr index = plan.nest.linearIndex(operand);
  return {
      buffer, b.asValue(b.apply(index)), {b.strideOf(index, b.mAt()), b.strideOf(index, b.nAt())}};
}

/// The tile's part of the scratch buffer that accumulators rest in between reduction blocks.
KernelEmitter::Placed KernelEmitter::placeAccumulators() {
  int64_t row = layout.accumulatorRowElements();
  OpFoldResult base = b.mul(b.sub(b.values[b.mAt()], m.from), row);
  return {accumulators, b.asValue(b.add(base, b.sub(b.values[b.nAt()], n.from))), {row, 1}};
}

void KernelEmitter::emitTile(Tile tile, const ReductionBlock &block) {
  SmallVector<int64_t> reduction;
  for (const Nest::Group &group : plan.nest.outerK)
    reduction.push_back(group.extent);
  reduction.push_back(block.extent);

  b.values[b.kAt()] = block.from; // the tile itself runs on from here
  Placed left = placeLhs(block), right = placeRhs(block);
  b.values[b.kAt()] = b.builder.getIndexAttr(0);
  PlacedList reads, writes;
  if (!block.isFirst)
    reads.add(placeAccumulators());
  for (auto [operand, buffer] : llvm::zip_equal(plan.extras(), extras))
    reads.add(placeElement(buffer, operand));
  if (!block.isLast)
    writes.add(placeAccumulators());
  else
    for (Value output : outputs)
      writes.add(placeElement(output, plan.workload.acc));
  auto op = TileOp::create(b.builder, b.loc, plan.candidate.intrinsic->getSymbol(),
                           ArrayRef<int64_t>{tile.rows, tile.columns}, reduction,
                           plan.candidate.unroll, left.buffer, left.base, left.strides,
                           /*padded_lhs=*/bool(packedLhs), right.buffer, right.base, right.strides,
                           reads.buffers, reads.bases, reads.strides, writes.buffers, writes.bases,
                           writes.strides, /*streamed=*/plan.streamsResult && block.isLast,
                           /*limits=*/ValueRange(), /*exchange=*/Value(), /*exchange_base=*/Value(),
                           /*exchange_width=*/IntegerAttr(), /*staging=*/DenseI64ArrayAttr(),
                           /*engine=*/SymbolRefAttr());
  fillPrologue(op, block);
  fillEpilogue(op, block);
}

/// Adds one block with an argument for each type.
static Block *addBlock(OpBuilder &builder, Location loc, Region &region, ArrayRef<Type> types) {
  Block *block = &region.emplaceBlock();
  block->addArguments(types, SmallVector<Location>(types.size(), loc));
  builder.setInsertionPointToEnd(block);
  return block;
}

static SmallVector<Type> extraTypes(TileOp op) {
  return llvm::map_to_vector(op.getExtras(), [](Value buffer) -> Type {
    return cast<MemRefType>(buffer.getType()).getElementType();
  });
}

void KernelEmitter::fillPrologue(TileOp op, const ReductionBlock &block) {
  OpBuilder::InsertionGuard guard(b.builder);
  Block *body = addBlock(b.builder, b.loc, op.getPrologue(), extraTypes(op));
  Type accType = plan.candidate.intrinsic->acc.getType(b.builder.getContext());
  auto add = [&](Value x, Value y) -> Value {
    if (isa<FloatType>(accType))
      return arith::AddFOp::create(b.builder, b.loc, x, y);
    return arith::AddIOp::create(b.builder, b.loc, x, y);
  };
  Value first;
  if (!block.isFirst)
    first = body->getArgument(0); // what the block before left
  else
    for (unsigned i = 0; i < plan.addends.size() + (plan.init ? 1 : 0); ++i)
      first = first ? add(first, body->getArgument(i)) : body->getArgument(i);
  if (!first)
    first = arith::ConstantOp::create(b.builder, b.loc, b.builder.getZeroAttr(accType));
  YieldOp::create(b.builder, b.loc, first);
}

void KernelEmitter::fillEpilogue(TileOp op, const ReductionBlock &block) {
  OpBuilder::InsertionGuard guard(b.builder);
  SmallVector<Type> types = extraTypes(op);
  types.insert(types.begin(), plan.candidate.intrinsic->acc.getType(b.builder.getContext()));
  Block *body = addBlock(b.builder, b.loc, op.getEpilogue(), types);
  if (!block.isLast || !plan.epilogue.consumer) {
    YieldOp::create(b.builder, b.loc, ValueRange{body->getArgument(0)});
    return;
  }
  SmallVector<Value> arguments = {body->getArgument(0)};
  unsigned count = plan.epilogue.extras.size();
  llvm::append_range(arguments, body->getArguments().take_back(count));
  YieldOp::create(b.builder, b.loc, cloneBody(b.builder, plan.epilogue, arguments));
}
