//===- GridEmitter.cpp - The walk over a kernel's grid of blocks of threads as IR
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

using namespace mlir;
using namespace ucmoh;

void KernelEmitter::launch(
    int64_t gridX, int64_t gridY, int64_t gridZ,
    llvm::function_ref<void(const Index &, const Index &, const Index &, const Index &)> body) {
  Value bytes = arith::ConstantOp::create(b.builder, b.loc,
                                          b.builder.getI32IntegerAttr(shape.shared.bytes()));
  auto launch =
      gpu::LaunchOp::create(b.builder, b.loc, b.index(gridX), b.index(gridY), b.index(gridZ),
                            b.index(shape.shared.threads()), b.index(1), b.index(1), bytes);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(&launch.getBody().front());
  thread = launch.getThreadIds().x;
  allocateShared();
  gpu::KernelDim3 ids = launch.getBlockIds();
  body(ids.x, ids.y, ids.z, b.divide(thread, shape.intrinsic.subgroupSize));
  gpu::TerminatorOp::create(b.builder, b.loc);
}

/// A part of the shared memory of this block.
Value KernelEmitter::sharedView(int64_t offsetBytes, Type type, ArrayRef<int64_t> extents) {
  auto space = gpu::AddressSpaceAttr::get(b.builder.getContext(), gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get({ShapedType::kDynamic}, b.builder.getI8Type(), nullptr, space);
  auto view = MemRefType::get(extents, type, nullptr, space);
  Value all = gpu::DynamicSharedMemoryOp::create(b.builder, b.loc, bytes);
  return memref::ViewOp::create(b.builder, b.loc, view, all, b.index(offsetBytes), ValueRange());
}

void KernelEmitter::allocateShared() {
  const SharedLayout &shared = shape.shared;
  const Intrinsic &intrinsic = shape.intrinsic;
  int64_t depth = shape.candidate.pipelineDepth;
  auto typeOf = [&](ElementType type) { return type.getType(b.builder.getContext()); };
  packedLhs = sharedView(0, typeOf(intrinsic.lhs), depth * shared.lhsSlot());
  packedRhs = sharedView(shared.rhsOffsetBytes(), typeOf(intrinsic.rhs), depth * shared.rhsSlot());
  epilogueStaging = sharedView(shared.epilogueStagingOffsetBytes(), typeOf(intrinsic.acc),
                               {shared.warps() * intrinsic.m, shared.epilogueStagingRow()});
  if (int64_t size = shared.barrierBytes())
    barriers = sharedView(shared.barriersOffsetBytes(), b.builder.getIntegerType(8 * size), depth);
}

/// The largest power of two that all threads may move at once of the results, and of what is read
/// beside them: neighbours in memory, aligned, and none of them beyond the last column.
int64_t KernelEmitter::epilogueStagingWidth() {
  int64_t width = 128 / shape.intrinsic.acc.bits;
  SmallVector<Operand> all = plan.extras();
  all.push_back(plan.workload.acc);
  while (shape.candidate.tileN % width || plan.nest.n.extent % width)
    width /= 2;
  for (const Operand &operand : all) {
    AffineExpr index = plan.nest.linearIndex(operand);
    int64_t column = coefficient(index, shape.nAt());
    if (column == 0)
      continue; // one value for all columns
    if (column != 1)
      return 1;
    for (unsigned i = 0; i < shape.variableCount(); ++i)
      while (i != shape.nAt() && coefficient(index, i) % width)
        width /= 2;
  }
  return width;
}

void KernelEmitter::warpTile(const Tile &what, const Index &rowFrom, const Index &columnFrom,
                             const Index &panelsBefore) {
  Views views = viewsOf(what);
  auto left = [&](int64_t extent, const Index &from) {
    return b.asValue(b.sub(constant(extent), from));
  };
  Value rowsLeft = left(plan.nest.m.extent, what.row);
  Value columnsLeft = left(plan.nest.n.extent, what.column);
  auto op = PipelineOp::create(b.builder, b.loc, plan.nest.k.extent, views.lhs, views.rhs,
                               /*engine=*/SymbolRefAttr(), rowsLeft, columnsLeft, viewOfStaging(),
                               epilogueStagingWidth());
  OpBuilder::InsertionGuard guard(b.builder);
  Block *body = &op.getBody().emplaceBlock();
  for (Value *slots : {&views.lhs, &views.rhs})
    *slots = body->addArgument(withoutDimension(cast<MemRefType>(slots->getType()), 0), b.loc);
  b.builder.setInsertionPointToStart(body);
  emitTile(what, views);
  b.builder.setInsertionPointToEnd(body);
  YieldOp::create(b.builder, b.loc, ValueRange());
  fillCopy(op, rowFrom, columnFrom, panelsBefore);
}

/// The rows through which the results of the thread's subgroup pass.
Value KernelEmitter::viewOfStaging() {
  int64_t rows = shape.intrinsic.m;
  Index row = b.mul(b.divide(thread, shape.intrinsic.subgroupSize), rows);
  OpFoldResult one = b.builder.getIndexAttr(1);
  return memref::SubViewOp::create(
      b.builder, b.loc, epilogueStaging, {row, b.builder.getIndexAttr(0)},
      {b.builder.getIndexAttr(rows), b.builder.getIndexAttr(shape.candidate.tileN)}, {one, one});
}

/// The region that copies one block of the reduction into a slot.
void KernelEmitter::fillCopy(PipelineOp op, const Index &rowFrom, const Index &columnFrom,
                             const Index &panelsBefore) {
  Type index = b.builder.getIndexType();
  Block *body = &op.getCopy().emplaceBlock();
  body->addArguments({index, index}, {b.loc, b.loc});
  b.builder.setInsertionPointToEnd(body);
  Staging staging(b, shape, thread, body->getArgument(0), body->getArgument(1), barriers);
  staging.copyLhs(arguments.lhs, packedLhs, rowFrom);
  if (shape.candidate.packRhs == Packing::Prepacked)
    staging.copyPanels(arguments.rhs, packedRhs, columnFrom, panelsBefore);
  else
    staging.copyRhs(arguments.rhs, packedRhs, columnFrom);
  if (SymbolRefAttr engine = staging.getEngine())
    op.setEngineAttr(engine);
  YieldOp::create(b.builder, b.loc, ValueRange());
}
