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
  bool unpacksPanels() const;

  NarrowParts parts;
  const NarrowPlan &plan;
  const NarrowArguments &arguments;
  LoopBuilder &b;
  UnpackedBlock block;
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

/// Whether a panel of integers is unpacked once for all its register tiles: it pays for itself
/// where there are some, and a panel is not larger than a block may be.
bool NarrowEmitter::unpacksPanels() const {
  constexpr int64_t fewestTiles = 4;
  return plan.bits == 4 && plan.rows > fewestTiles * plan.tileRows &&
         UnpackedBlock::steps(plan) == plan.steps;
}

void NarrowEmitter::streamedPanel(Index panel, int64_t columns) {
  if (block.getBuffer())
    block.unpack(panel, parts.constant(0), plan.steps);
  StreamedTile tile(parts, block.getBuffer());
  rowTiles([&](Index row, int64_t rows) { tile.emit({row, rows}, panel, columns); });
}

void NarrowEmitter::blockedPanel(Index panel, int64_t columns) {
  int64_t extent = UnpackedBlock::steps(plan), rest = plan.steps % extent;
  auto compute = [&](Index from, int64_t of, bool isFirst) {
    block.unpack(panel, from, of);
    rowTiles([&](Index row, int64_t rows) {
      block.emitTile(row, rows, panel, columns, from, of, isFirst);
    });
  };
  compute(parts.constant(0), extent, true);
  b.loop(parts.constant(extent), parts.constant(plan.steps - rest), extent,
         [&](const Index &from) { compute(from, extent, false); });
  if (rest)
    compute(parts.constant(plan.steps - rest), rest, false);
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

/// The panels of one thread.
void NarrowEmitter::emitShare(Index from, Index to) {
  if (!plan.streams || unpacksPanels())
    block.allocate();
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
