//===- Stages.cpp - The reduction of a tile whose operands are staged through scratch
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileExpander.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// A loop over the blocks of the reduction, in which block t is computed from slot t modulo the
/// number of slots while later blocks arrive. Copies that no barrier counts are waited for by
/// their groups, the others by the phases of their slot's barrier.
class StageLoop {
public:
  StageLoop(OpBuilder &builder, TileOp op)
      : b(builder), loc(op.getLoc()), op(op), extent((*op.getStaging())[0]),
        slots((*op.getStaging())[1]), trips(llvm::divideCeil(op.getReduction().front(), extent)) {
    op.getStage().walk([&](CopyOp copy) {
      if (copy.getBarriers())
        counted = copy;
    });
  }

  int64_t getTrips() const { return trips; }

  /// Before the loop: all slots but one are on their way. Each has its group, even an empty one:
  /// groups are waited for by their number.
  void emitHead() {
    initBarriers();
    for (int64_t block = 0; block + 1 < slots; ++block) {
      if (block < trips)
        copy(index(block), index(block * extent));
      commit();
    }
  }

  /// When block `t` has arrived, for all threads; the slot that the threads have just left is
  /// filled anew. Returns block t's slot.
  Value emitTurn(Value t) {
    Value next = add(t, slots - 1);
    if (slots == 1) {
      BarrierOp::create(b, loc);
      copyIfLeft(next);
      commit();
      wait(0, t);
      BarrierOp::create(b, loc);
      return index(0);
    }
    wait(slots - 2, t);
    BarrierOp::create(b, loc);
    copyIfLeft(next);
    commit();
    return arith::RemUIOp::create(b, loc, t, index(slots));
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value add(Value value, int64_t by) {
    return by == 0 ? value : arith::AddIOp::create(b, loc, value, index(by)).getResult();
  }
  void copy(Value slot, Value from) {
    IRMapping mapping;
    mapping.map(op.getStage().getArguments(), ValueRange{slot, from});
    for (Operation &nested : op.getStage().front().without_terminator())
      b.clone(nested, mapping);
    if (counted)
      CommitOp::create(b, loc, counted.getEngine(), counted.getBarriers(), slot);
  }
  /// By one thread, before any thread copies.
  void initBarriers() {
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
  void copyIfLeft(Value block) {
    Value left = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, block, index(trips));
    auto guarded = scf::IfOp::create(b, loc, left, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    copy(arith::RemUIOp::create(b, loc, block, index(slots)),
         arith::MulIOp::create(b, loc, block, index(extent)));
  }
  void commit() {
    if (std::optional<SymbolRefAttr> engine = op.getEngine())
      CommitOp::create(b, loc, *engine, /*barriers=*/Value(), /*slot=*/Value());
  }
  /// For block `t`, which uses its slot for the (t / slots)th time.
  void wait(int64_t pending, Value t) {
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

  OpBuilder &b;
  Location loc;
  TileOp op;
  int64_t extent, slots, trips;
  CopyOp counted; ///< one whose barrier counts it, or null
};
} // namespace

SmallVector<Value> TileExpander::emitStages(ValueRange start) {
  StageLoop stages(b, op);
  stages.emitHead();
  auto loop = scf::ForOp::create(b, loc, index(0), index(stages.getTrips()), index(1), start);
  ArrayRef<int64_t> staging = *op.getStaging();
  loop->setAttr("ucmoh.stage", b.getDenseI64ArrayAttr({op.getReduction().front(), staging[0]}));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value slot = stages.emitTurn(loop.getInductionVar());
  Value lhsAt = advance(op.getLhsBase(), slot, staging[2]);
  Value rhsAt = advance(op.getRhsBase(), slot, staging[3]);
  SmallVector<Value> accumulators(loop.getRegionIterArgs());
  for (int64_t at = 0; at < staging[0]; at += k)
    accumulators = emitStep(offset(lhsAt, at * op.getLhsStrides().back()),
                            offset(rhsAt, at * op.getRhsStrides().back()), accumulators, k);
  scf::YieldOp::create(b, loc, accumulators);
  return llvm::to_vector_of<Value>(loop.getResults());
}
