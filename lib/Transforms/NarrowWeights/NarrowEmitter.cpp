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
  void rowTiles(llvm::function_ref<void(Index, int64_t)> tile);
  void streamedPanel(Index panel, int64_t columns);
  void blockedPanel(Index panel, int64_t columns);
  void exactPanel(Index panel, int64_t columns);
  int64_t streamedSteps() const;
  void allocate();
  void blocks(int64_t extent, llvm::function_ref<void(Index, int64_t, bool, bool)> emit);

  NarrowParts parts;
  const NarrowPlan &plan;
  const NarrowArguments &arguments;
  LoopBuilder &b;
  UnpackedBlock block;
  Value totals; ///< of a panel's blocks before
};
} // namespace

/// Whole tiles of rows, then the rest.
void NarrowEmitter::rowTiles(llvm::function_ref<void(Index, int64_t)> tile) {
  int64_t rest = plan.rows % plan.tileRows;
  b.loop(parts.constant(0), parts.constant(plan.rows - rest), plan.tileRows,
         [&](const Index &row) { tile(row, plan.tileRows); });
  if (rest)
    tile(parts.constant(plan.rows - rest), rest);
}

/// Calls `emit` for all steps of a panel, `extent` at once: with the first step, the number of
/// steps, and whether these are the first and the last ones.
void NarrowEmitter::blocks(int64_t extent,
                           llvm::function_ref<void(Index, int64_t, bool, bool)> emit) {
  int64_t last = (llvm::divideCeil(plan.steps, extent) - 1) * extent;
  if (last > 0)
    emit(parts.constant(0), extent, true, false);
  b.loop(parts.constant(extent), parts.constant(last), extent,
         [&](const Index &from) { emit(from, extent, false, false); });
  emit(parts.constant(last), plan.steps - last, last == 0, true);
}

void NarrowEmitter::streamedPanel(Index panel, int64_t columns) {
  StreamedTile tile(parts, block.getBuffer(), totals);
  blocks(streamedSteps(), [&](Index from, int64_t steps, bool isFirst, bool isLast) {
    if (block.getBuffer())
      block.unpack(panel, from, steps);
    StreamedTile::Part part{b.divide(from, plan.group), steps / plan.group, isFirst, isLast};
    rowTiles([&](Index row, int64_t rows) { tile.emit({row, rows}, panel, columns, part); });
  });
}

void NarrowEmitter::blockedPanel(Index panel, int64_t columns) {
  blocks(UnpackedBlock::steps(plan), [&](Index from, int64_t steps, bool isFirst, bool) {
    block.unpack(panel, from, steps);
    rowTiles([&](Index row, int64_t rows) {
      block.emitTile(row, rows, panel, columns, from, steps, isFirst);
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

/// Many tiles read a block of the panel that stays in the first cache.
int64_t NarrowEmitter::streamedSteps() const {
  return plan.hasManyTiles ? UnpackedBlock::steps(plan) : plan.steps;
}

/// Buffers of one thread.
void NarrowEmitter::allocate() {
  if (!plan.streams || (plan.bits == 4 && plan.hasManyTiles))
    block.allocate();
  if (plan.streams && streamedSteps() < plan.steps)
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
