//===- LowerFlags.cpp - Single bits in memory are bytes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_LOWERFLAGS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

static void lower(LLVM::LoadOp load) {
  if (!load.getType().isInteger(1))
    return;
  OpBuilder builder(load);
  Location loc = load.getLoc();
  Type byte = builder.getI8Type();
  Value loaded = LLVM::LoadOp::create(builder, loc, byte, load.getAddr(), /*alignment=*/1);
  Value zero = LLVM::ConstantOp::create(builder, loc, byte, builder.getI8IntegerAttr(0));
  load.replaceAllUsesWith(
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, loaded, zero).getResult());
  load.erase();
}

static void lower(LLVM::StoreOp store) {
  if (!store.getValue().getType().isInteger(1))
    return;
  OpBuilder builder(store);
  Location loc = store.getLoc();
  Value byte = LLVM::ZExtOp::create(builder, loc, builder.getI8Type(), store.getValue());
  LLVM::StoreOp::create(builder, loc, byte, store.getAddr(), /*alignment=*/1);
  store.erase();
}

namespace {
struct LowerFlagsPass : ucmoh::impl::LowerFlagsBase<LowerFlagsPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([](LLVM::LoadOp load) { lower(load); });
    getOperation()->walk([](LLVM::StoreOp store) { lower(store); });
  }
};
} // namespace
