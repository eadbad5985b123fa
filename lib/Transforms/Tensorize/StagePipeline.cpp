//===- StagePipeline.cpp - Blocks of the reduction on their way through shared memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagePipeline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ucmoh;

StagePipeline::StagePipeline(OpBuilder &builder, PipelineOp op)
    : b(builder), loc(op.getLoc()), op(op), extent(op.getExtent()), slots(op.getDepth()) {
  op.getCopy().walk([&](CopyOp copy) {
    if (copy.getBarriers())
      counted = copy;
  });
}

Value StagePipeline::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

void StagePipeline::initBarriers() {
  if (!counted)
    return;
  auto launch = op->getParentOfType<gpu::LaunchOp>();
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  Value first = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, index(0));
  auto guarded = scf::IfOp::create(b, loc, first, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    for (int64_t slot = 0; slot < slots; ++slot)
      InitOp::create(b, loc, counted.getEngine(), counted.getBarriers(), index(slot),
                     *getConstantIntValue(launch.getBlockSizeX()));
  }
  BarrierOp::create(b, loc);
}

void StagePipeline::copy(Value slot, Value from) {
  IRMapping mapping;
  mapping.map(op.getCopy().getArguments(), ValueRange{slot, from});
  for (Operation &nested : op.getCopy().front().without_terminator())
    b.clone(nested, mapping);
  if (counted)
    CommitOp::create(b, loc, counted.getEngine(), counted.getBarriers(), slot);
}

void StagePipeline::copyIfLeft(Value block, int64_t trips) {
  Value left = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, block, index(trips));
  auto guarded = scf::IfOp::create(b, loc, left, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(guarded.thenBlock());
  copy(arith::RemUIOp::create(b, loc, block, index(slots)),
       arith::MulIOp::create(b, loc, block, index(extent)));
}

void StagePipeline::commit() {
  if (std::optional<SymbolRefAttr> engine = op.getEngine())
    CommitOp::create(b, loc, *engine, /*barriers=*/Value(), /*slot=*/Value());
}

/// For block `t`, which uses its slot for the (t / slots)th time.
void StagePipeline::wait(int64_t pending, Value t) {
  if (std::optional<SymbolRefAttr> engine = op.getEngine())
    WaitOp::create(b, loc, *engine, pending, /*barriers=*/Value(), /*slot=*/Value(),
                   /*parity=*/Value());
  if (!counted)
    return;
  Value slot = arith::RemUIOp::create(b, loc, t, index(slots));
  Value use = arith::DivUIOp::create(b, loc, t, index(slots));
  Value parity = arith::RemUIOp::create(b, loc, use, index(2));
  WaitOp::create(b, loc, counted.getEngine(), /*pending=*/0, counted.getBarriers(), slot, parity);
}

Value StagePipeline::next(Value t, int64_t trips) {
  if (slots == 1) {
    BarrierOp::create(b, loc);
    copyIfLeft(t, trips);
    commit();
    wait(0, t);
    BarrierOp::create(b, loc);
    return index(0);
  }
  Value ahead = arith::AddIOp::create(b, loc, t, index(slots - 1));
  wait(slots - 2, t);
  BarrierOp::create(b, loc);
  copyIfLeft(ahead, trips);
  commit();
  return arith::RemUIOp::create(b, loc, t, index(slots));
}
