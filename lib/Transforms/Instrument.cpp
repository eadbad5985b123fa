//===- Instrument.cpp - Clock calls around the ops that are to be timed
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_INSTRUMENT
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

static func::FuncOp declareClock(ModuleOp module, StringRef name) {
  if (auto found = module.lookupSymbol<func::FuncOp>(name))
    return found;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = builder.getFunctionType(builder.getI64Type(), {});
  auto clock = func::FuncOp::create(builder, module.getLoc(), name, type);
  clock.setPrivate();
  return clock;
}

namespace {
struct InstrumentPass : ucmoh::impl::InstrumentBase<InstrumentPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> timed;
    getOperation().walk([&](Operation *op) {
      if (op->hasAttrOfType<IntegerAttr>("ucmoh.op"))
        timed.push_back(op);
    });
    if (timed.empty())
      return;
    func::FuncOp begin = declareClock(getOperation(), "ucmoh_op_begin");
    func::FuncOp end = declareClock(getOperation(), "ucmoh_op_end");
    for (Operation *op : timed) {
      OpBuilder builder(op);
      Value id = arith::ConstantOp::create(builder, op->getLoc(),
                                           op->getAttrOfType<IntegerAttr>("ucmoh.op"));
      func::CallOp::create(builder, op->getLoc(), begin, id);
      builder.setInsertionPointAfter(op);
      func::CallOp::create(builder, op->getLoc(), end, id);
    }
  }
};
} // namespace
