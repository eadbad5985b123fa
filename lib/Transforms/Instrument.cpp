//===- Instrument.cpp - Clock calls around the ops that are to be timed
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RestDescription.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace ucmoh {
#define GEN_PASS_DEF_INSTRUMENT
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// How often each name occurs, in the order of their numbers.
using Counts = llvm::MapVector<StringRef, int64_t>;

static func::FuncOp declareClock(ModuleOp module, StringRef name) {
  if (auto found = module.lookupSymbol<func::FuncOp>(name))
    return found;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = builder.getFunctionType(builder.getI64Type(), {});
  auto clock = func::FuncOp::create(builder, module.getLoc(), name, type);
  clock.setPrivate();
  clock->setAttr(clockMark, builder.getUnitAttr());
  return clock;
}

/// A dictionary per number.
static ArrayAttr describe(MLIRContext *context, const Counts &counts) {
  Builder builder(context);
  SmallVector<Attribute> rows;
  for (auto [name, count] : counts)
    rows.push_back(builder.getDictionaryAttr(
        {{builder.getStringAttr("count"), builder.getI64IntegerAttr(count)},
         {builder.getStringAttr("name"), builder.getStringAttr(name)}}));
  return builder.getArrayAttr(rows);
}

namespace {
struct InstrumentPass : ucmoh::impl::InstrumentBase<InstrumentPass> {
  using Base::Base;
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (auto first = function->getAttrOfType<IntegerAttr>("ucmoh.ops"))
        timeRest(function, first.getInt());
    SmallVector<Operation *> timed;
    getOperation().walk([&](Operation *op) {
      if (op->hasAttrOfType<IntegerAttr>("ucmoh.op"))
        timed.push_back(op);
    });
    for (Operation *op : timed)
      time(op, op, op->getAttrOfType<IntegerAttr>("ucmoh.op"));
  }

private:
  /// Calls the clock before `first` and after `last`.
  void time(Operation *first, Operation *last, IntegerAttr number) {
    func::FuncOp begin = declareClock(getOperation(), "ucmoh_op_begin");
    func::FuncOp end = declareClock(getOperation(), "ucmoh_op_end");
    OpBuilder builder(first);
    Value id = arith::ConstantOp::create(builder, first->getLoc(), number);
    func::CallOp::create(builder, first->getLoc(), begin, id);
    builder.setInsertionPointAfter(last);
    func::CallOp::create(builder, last->getLoc(), end, id);
  }

  /// Numbers what is no contraction from `firstNumber` on. Equal names share a number, so that
  /// their times are added up.
  void timeRest(func::FuncOp function, int64_t firstNumber) {
    Builder builder(&getContext());
    Counts counts;
    SmallVector<RestPiece> pieces = findRestPieces(function);
    for (const RestPiece &piece : pieces) {
      auto *found = counts.insert({piece.name, 0}).first;
      ++found->second;
      time(piece.first, piece.last,
           builder.getI64IntegerAttr(firstNumber + std::distance(counts.begin(), found)));
    }
    function->setAttr("ucmoh.rest", describe(&getContext(), counts));
  }
};
} // namespace
