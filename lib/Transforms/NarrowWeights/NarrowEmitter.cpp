//===- NarrowEmitter.cpp - Kernels that unpack their weights in registers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Few rows, and rows of integers, stream the weights: each vector of them is unpacked in
/// registers. Many rows of floats share what is unpacked.
///
//===----------------------------------------------------------------------===//

#include "ExactRow.h"
#include "GroupTile.h"
#include "StreamedTile.h"
#include "UnpackedBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ucmoh;

namespace {
class NarrowEmitter {
public:
  NarrowEmitter(OpBuilder &builder, Location loc, const NarrowPlan &plan,
                const NarrowArguments &arguments)
      : parts(builder, loc, plan, arguments), plan(plan), arguments(arguments), b(parts.b),
        block(parts) {}

  void emit();

private:
  using Index = NarrowParts::Index;
  using EmitPanel = llvm::function_ref<void(Index, int64_t)>;

  void emitShare(Index from, Index to);
  void panels(Index from, Index to, EmitPanel emitPanel);
  bool hasParts() const { return plan.hasManyTiles && plan.groupsOfBlock() < plan.groups(); }
  void rowTiles(int64_t from, llvm::function_ref<void(Index, int64_t)> tile);
  void streamedPart(Index panel, int64_t columns, const StreamedTile::Part &part);
  void streamedPanel(Index panel, int64_t columns);
  void blockedPanel(Index panel, int64_t columns);
  void exactPanel(Index panel, int64_t columns);
  void allocate();
  void blocks(int64_t extent, llvm::function_ref<void(Index, int64_t, bool)> emit);

  NarrowParts parts;
  const NarrowPlan &plan;
  const NarrowArguments &arguments;
  LoopBuilder &b;
  UnpackedBlock block;
  Value totals; ///< sums of a panel's blocks before
};
} // namespace

/// Those from row `from` on. No tile is much shorter than others: its executions would wait for
/// each other.
void NarrowEmitter::rowTiles(int64_t from, llvm::function_ref<void(Index, int64_t)> tile) {
  int64_t rows = plan.tileRows, border = plan.wholeTiles() * rows;
  b.loop(parts.constant(from), parts.constant(border), rows,
         [&](const Index &row) { tile(row, rows); });
  b.loop(parts.constant(border), parts.constant(plan.rows), rows - 1,
         [&](const Index &row) { tile(row, rows - 1); });
}

int64_t NarrowPlan::groupsOfBlock() const {
  if (scalesTiles)
    return 1;
  int64_t bytes = group * panel * intrinsic->rhs.bits / 8;
  if (hasManyTiles && streams) // the next block is fetched meanwhile
    bytes += packedBytes(group);
  int64_t most = std::clamp<int64_t>(blockBytes / bytes, 1, groups());
  return llvm::divideCeil(groups(), llvm::divideCeil(groups(), most));
}

/// Calls `emit` for all steps of a panel, `extent` at once: with the first step, the number of
/// steps, and whether these are the first ones.
void NarrowEmitter::blocks(int64_t extent, llvm::function_ref<void(Index, int64_t, bool)> emit) {
  int64_t last = (llvm::divideCeil(plan.steps, extent) - 1) * extent;
  if (last > 0)
    emit(parts.constant(0), extent, true);
  b.loop(parts.constant(extent), parts.constant(last), extent,
         [&](const Index &from) { emit(from, extent, false); });
  emit(parts.constant(last), plan.steps - last, last == 0);
}

/// All rows times the groups of one part. If there is a block, the first tile fills it.
void NarrowEmitter::streamedPart(Index panel, int64_t columns, const StreamedTile::Part &part) {
  int64_t filling = block.getBuffer() ? plan.tileRows : 0;
  if (filling)
    StreamedTile(parts, block.getBuffer(), /*fillsBlock=*/true, totals)
        .emit({parts.constant(0), filling}, panel, columns, part);
  StreamedTile tile(parts, block.getBuffer(), /*fillsBlock=*/false, totals);
  rowTiles(filling, [&](Index row, int64_t rows) { tile.emit({row, rows}, panel, columns, part); });
}

void NarrowEmitter::streamedPanel(Index panel, int64_t columns) {
  int64_t groups = plan.groups(), step = hasParts() ? plan.groupsOfBlock() : groups;
  b.loop(parts.constant(0), parts.constant(groups), step, [&](const Index &from) {
    Index count = parts.constant(step);
    if (groups % step != 0)
      count = b.min(count, b.sub(parts.constant(groups), from));
    streamedPart(panel, columns, {from, count});
  });
}

void NarrowEmitter::blockedPanel(Index panel, int64_t columns) {
  int64_t extent = plan.groupsOfBlock() * plan.group;
  blocks(extent, [&](Index from, int64_t steps, bool isFirst) {
    block.unpack(panel, from, steps);
    rowTiles(0, [&](Index row, int64_t rows) {
      if (!plan.scalesTiles)
        return block.emitTile(row, rows, panel, columns, from, steps, isFirst);
      Index group = b.divide(from, plan.group);
      GroupTile(parts, block, {row, panel, group, rows, columns, isFirst}).emit();
    });
  });
}

void NarrowEmitter::exactPanel(Index panel, int64_t columns) {
  b.loop(parts.constant(0), parts.constant(plan.rows), 1,
         [&](const Index &row) { emitExactRow(parts, row, panel, columns); });
}

void NarrowEmitter::panels(Index from, Index to, EmitPanel emitPanel) {
  int64_t rest = plan.columns % plan.panel, whole = plan.panels() - (rest != 0);
  Index end = rest ? b.min(to, parts.constant(whole)) : to;
  b.loop(from, end, 1, [&](const Index &panel) { emitPanel(panel, plan.panel); });
  if (rest)
    b.ifAtLeast(to, whole + 1, [&] { emitPanel(parts.constant(whole), rest); });
}

/// Buffers of one thread.
void NarrowEmitter::allocate() {
  if (!plan.streams || (plan.bits == 4 && plan.hasManyTiles))
    block.allocate();
  if (plan.streams && hasParts())
    totals = memref::AllocOp::create(
        b.builder, b.loc, MemRefType::get({plan.rows * plan.panel}, b.builder.getF32Type()),
        ValueRange(), b.builder.getI64IntegerAttr(64));
}

/// The panels of one thread.
void NarrowEmitter::emitShare(Index from, Index to) {
  allocate();
  auto usual = [&] {
    panels(from, to, [&](Index panel, int64_t columns) {
      plan.streams ? streamedPanel(panel, columns) : blockedPanel(panel, columns);
    });
  };
  if (!arguments.exactLhs)
    return usual();
  Value extreme = memref::LoadOp::create(b.builder, b.loc, arguments.isExtreme, b.index(0));
  Value zero = arith::ConstantOp::create(b.builder, b.loc, b.builder.getI32IntegerAttr(0));
  extreme = arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::ne, extreme, zero);
  auto either = scf::IfOp::create(b.builder, b.loc, extreme, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(either.thenBlock());
  panels(from, to, [&](Index panel, int64_t columns) { exactPanel(panel, columns); });
  b.builder.setInsertionPointToStart(either.elseBlock());
  usual();
}

void NarrowEmitter::emit() {
  int64_t count = plan.panels(), share = llvm::divideCeil(count, plan.threads);
  if (share == count)
    return emitShare(parts.constant(0), parts.constant(count));
  b.parallelLoop(count, share, [&](const Index &from) {
    emitShare(from, b.min(b.add(from, parts.constant(share)), parts.constant(count)));
  });
}

void ucmoh::emitNarrowProduct(OpBuilder &builder, Location loc, const NarrowPlan &plan,
                              const NarrowArguments &arguments) {
  NarrowEmitter(builder, loc, plan, arguments).emit();
}
