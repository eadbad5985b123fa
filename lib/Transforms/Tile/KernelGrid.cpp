//===- KernelGrid.cpp - A kernel as a grid of blocks of threads
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "Staging.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// What the ids of blocks and threads stand for, for those who read the kernel (see
/// docs/program.md): for each variable of the nest down to n its extent, the step from block to
/// block, in which of the three ids that shows, and by how much it grows; then what warps divide.
static void describeGrid(gpu::LaunchOp launch, const KernelPlan &plan, unsigned outerCount) {
  Builder builder(launch.getContext());
  const Candidate &candidate = plan.candidate;
  bool rowsInside = candidate.order[1] == 'm';
  SmallVector<Attribute> axes = {
      builder.getDenseI64ArrayAttr({plan.nest.m.extent, candidate.cacheM, rowsInside ? 0 : 1, 1}),
      builder.getDenseI64ArrayAttr({plan.nest.n.extent, candidate.cacheN, rowsInside ? 1 : 0, 1})};
  int64_t inner = 1;
  for (unsigned i = outerCount; i-- > 0;) {
    int64_t extent = plan.nest.variables()[i]->extent;
    axes.insert(axes.begin(), builder.getDenseI64ArrayAttr({extent, 1, 2, inner}));
    inner *= extent;
  }
  launch->setAttr("ucmoh.grid", builder.getArrayAttr(axes));
  launch->setAttr("ucmoh.warps",
                  builder.getDenseI64ArrayAttr({candidate.cacheM, candidate.tileM, candidate.cacheN,
                                                candidate.tileN, candidate.intrinsic->lanes}));
}

/// Blocks along n, along m, and one for each combination of the outer dims; which of n and m
/// neighbouring blocks run along is for the order to say.
void KernelEmitter::emitGrid() {
  const Candidate &candidate = plan.candidate;
  ScratchLayout scratch(plan.workload, candidate);
  int64_t outer = 1;
  for (unsigned i = 0; i < b.mAt(); ++i)
    outer *= plan.nest.variables()[i]->extent;
  int64_t alongM = llvm::divideCeil(plan.nest.m.extent, candidate.cacheM);
  int64_t alongN = llvm::divideCeil(plan.nest.n.extent, candidate.cacheN);
  bool rowsInside = candidate.order[1] == 'm';
  Value bytes =
      arith::ConstantOp::create(b.builder, b.loc, b.builder.getI32IntegerAttr(scratch.bytes()));
  auto launch = gpu::LaunchOp::create(b.builder, b.loc, b.index(rowsInside ? alongM : alongN),
                                      b.index(rowsInside ? alongN : alongM), b.index(outer),
                                      b.index(scratch.threads()), b.index(1), b.index(1), bytes);
  describeGrid(launch, plan, b.mAt());
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(&launch.getBody().front());
  gpu::KernelDim3 block = launch.getBlockIds();
  Value blockM = rowsInside ? block.x : block.y, blockN = rowsInside ? block.y : block.x;
  emitBlock({blockM, blockN, block.z}, launch.getThreadIds().x);
  gpu::TerminatorOp::create(b.builder, b.loc);
}

/// A part of the scratch of this block.
Value KernelEmitter::scratchView(int64_t offsetBytes, Type type, ArrayRef<int64_t> shape) {
  auto space = gpu::AddressSpaceAttr::get(b.builder.getContext(), gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get({ShapedType::kDynamic}, b.builder.getI8Type(), nullptr, space);
  auto view = MemRefType::get(shape, type, nullptr, space);
  Value all = gpu::DynamicSharedMemoryOp::create(b.builder, b.loc, bytes);
  return memref::ViewOp::create(b.builder, b.loc, view, all, b.index(offsetBytes), ValueRange());
}

void KernelEmitter::emitBlock(ValueRange blockIds, Value thread) {
  const Candidate &candidate = plan.candidate;
  const Intrinsic &intrinsic = *candidate.intrinsic;
  ScratchLayout scratch(plan.workload, candidate);
  auto typeOf = [&](ElementType type) { return type.getType(b.builder.getContext()); };
  packedLhs = scratchView(0, typeOf(intrinsic.lhs), candidate.stages * scratch.lhsSlot());
  packedRhs = scratchView(scratch.rhsOffsetBytes(), typeOf(intrinsic.rhs),
                          candidate.stages * scratch.rhsSlot());
  exchange = scratchView(scratch.exchangeOffsetBytes(), typeOf(intrinsic.acc),
                         {scratch.warps() * intrinsic.m, scratch.exchangeRow()});
  if (int64_t size = scratch.barrierBytes())
    barriers = scratchView(scratch.barriersOffsetBytes(), b.builder.getIntegerType(8 * size),
                           candidate.stages);
  AffineExpr position = b.builder.getAffineDimExpr(b.variableCount());
  int64_t inner = 1;
  for (unsigned i = b.mAt(); i-- > 0;) {
    int64_t extent = plan.nest.variables()[i]->extent;
    b.values[i] = b.apply(position.floorDiv(inner) % extent, {blockIds[2]});
    inner *= extent;
  }
  m.from = b.mul(blockIds[0], candidate.cacheM);
  n.from = b.mul(blockIds[1], candidate.cacheN);
  TileOp op = emitWarpTile(thread);
  emitStage(op, thread);
}

/// The largest power of two that all threads may move at once of the results, and of what is read
/// beside them: neighbours in memory, aligned, and none of them beyond the last column.
static int64_t exchangeWidth(const KernelPlan &plan, const LoopBuilder &b) {
  int64_t width = 128 / plan.candidate.intrinsic->acc.bits;
  SmallVector<Operand> all = plan.extras();
  all.push_back(plan.workload.acc);
  while (plan.candidate.tileN % width || plan.nest.n.extent % width)
    width /= 2;
  for (const Operand &operand : all) {
    AffineExpr index = plan.nest.linearIndex(operand);
    int64_t column = b.strideOf(index, b.nAt());
    if (column == 0)
      continue; // one value for all columns
    if (column != 1)
      return 1;
    for (unsigned i = 0; i < b.variableCount(); ++i)
      while (i != b.nAt() && b.strideOf(index, i) % width)
        width /= 2;
  }
  return width;
}

TileOp KernelEmitter::emitWarpTile(Value thread) {
  const Candidate &candidate = plan.candidate;
  ScratchLayout scratch(plan.workload, candidate);
  int64_t lanes = candidate.intrinsic->lanes, across = scratch.warpsAlongN();
  AffineExpr id = b.builder.getAffineDimExpr(b.variableCount());
  OpFoldResult warp = b.apply(id.floorDiv(lanes), {thread});
  OpFoldResult row = b.apply(id.floorDiv(lanes * across), {thread});
  OpFoldResult column = b.apply(id.floorDiv(lanes) % across, {thread});
  b.values[b.mAt()] = b.add(m.from, b.mul(row, candidate.tileM));
  b.values[b.nAt()] = b.add(n.from, b.mul(column, candidate.tileN));
  auto left = [&](int64_t extent, unsigned variable) {
    return b.asValue(b.sub(b.builder.getIndexAttr(extent), b.values[variable]));
  };
  PlacedList reads, writes;
  for (auto [operand, buffer] : llvm::zip_equal(plan.extras(), extras))
    reads.add(placeElement(buffer, operand));
  for (Value output : outputs)
    writes.add(placeElement(output, plan.workload.acc));
  Value lhsBase = b.asValue(b.mul(row, candidate.tileM * scratch.lhsRow()));
  Value rhsBase = b.asValue(b.mul(column, scratch.rhsPanel()));
  int64_t pack = candidate.intrinsic->rhsPack;
  auto op = TileOp::create(
      b.builder, b.loc, candidate.intrinsic->getSymbol(),
      ArrayRef<int64_t>{candidate.tileM, candidate.tileN}, ArrayRef<int64_t>{plan.nest.k.extent},
      /*unroll=*/1, packedLhs, lhsBase, ArrayRef<int64_t>{scratch.lhsRow(), 1}, /*padded_lhs=*/true,
      packedRhs, rhsBase, ArrayRef<int64_t>{pack, scratch.rhsRow() / pack}, reads.buffers,
      reads.bases, reads.strides, writes.buffers, writes.bases, writes.strides, /*streamed=*/false,
      ValueRange{left(plan.nest.m.extent, b.mAt()), left(plan.nest.n.extent, b.nAt())}, exchange,
      b.asValue(b.mul(warp, candidate.intrinsic->m)),
      b.builder.getI64IntegerAttr(exchangeWidth(plan, b)),
      b.builder.getDenseI64ArrayAttr(
          {candidate.cacheK, candidate.stages, scratch.lhsSlot(), scratch.rhsSlot()}),
      /*engine=*/SymbolRefAttr());
  ReductionBlock whole{b.builder.getIndexAttr(0), plan.nest.k.extent, true, true};
  fillPrologue(op, whole);
  fillEpilogue(op, whole);
  return op;
}

/// The region that copies one block of the reduction into a slot.
void KernelEmitter::emitStage(TileOp op, Value thread) {
  OpBuilder::InsertionGuard guard(b.builder);
  Type index = b.builder.getIndexType();
  Block *body = &op.getStage().emplaceBlock();
  body->addArguments({index, index}, {b.loc, b.loc});
  b.builder.setInsertionPointToEnd(body);
  Staging staging{b,
                  plan.workload,
                  plan.nest,
                  plan.candidate,
                  layout,
                  thread,
                  body->getArgument(0),
                  body->getArgument(1),
                  barriers};
  staging.copyLhs(lhs, packedLhs, m.from);
  if (plan.candidate.packRhs == Packing::Ahead)
    staging.copyPanels(rhs, packedRhs, n.from, panelsBefore());
  else
    staging.copyRhs(rhs, packedRhs, n.from);
  if (SymbolRefAttr engine = staging.getEngine())
    op.setEngineAttr(engine);
  YieldOp::create(b.builder, b.loc, ValueRange());
}
