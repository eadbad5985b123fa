//===- LowerFlags.cpp - Single bits in memory are bytes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ucmoh {
#define GEN_PASS_DEF_LOWERFLAGS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

/// What flags are in memory; null for anything else.
static Type bytesOf(Type type) {
  Type byte = IntegerType::get(type.getContext(), 8);
  if (!getElementTypeOrSelf(type).isInteger(1))
    return {};
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(byte)) : byte;
}

/// Gives a load the type of bytes, of which all but zero are set flags.
static void loadBytes(Operation *load, Type bytes) {
  OpBuilder builder(load->getContext());
  builder.setInsertionPointAfter(load);
  Location loc = load->getLoc();
  Value loaded = load->getResult(0);
  loaded.setType(bytes);
  Value zero = LLVM::ConstantOp::create(builder, loc, bytes, builder.getZeroAttr(bytes));
  Value flags = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, loaded, zero);
  loaded.replaceAllUsesExcept(flags, flags.getDefiningOp());
}

static Value extend(Operation *user, Value flags, Type bytes) {
  OpBuilder builder(user);
  return LLVM::ZExtOp::create(builder, user->getLoc(), bytes, flags);
}

static void lower(LLVM::LoadOp load) {
  Type bytes = bytesOf(load.getType());
  if (!bytes)
    return;
  if (!load.getAlignment())
    load.setAlignment(1);
  loadBytes(load, bytes);
}

static void lower(LLVM::StoreOp store) {
  Type bytes = bytesOf(store.getValue().getType());
  if (!bytes)
    return;
  if (!store.getAlignment())
    store.setAlignment(1);
  store.getValueMutable().assign(extend(store, store.getValue(), bytes));
}

static void lower(LLVM::MaskedLoadOp load) {
  Type bytes = bytesOf(load.getType());
  if (!bytes)
    return;
  if (Value passed = load.getPassThru())
    load.getPassThruMutable().assign(extend(load, passed, bytes));
  loadBytes(load, bytes);
}

static void lower(LLVM::MaskedStoreOp store) {
  if (Type bytes = bytesOf(store.getValue().getType()))
    store.getValueMutable().assign(extend(store, store.getValue(), bytes));
}

namespace {
struct LowerFlagsPass : ucmoh::impl::LowerFlagsBase<LowerFlagsPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<LLVM::LoadOp, LLVM::StoreOp, LLVM::MaskedLoadOp, LLVM::MaskedStoreOp>(
              [](auto access) { lower(access); });
    });
  }
};
} // namespace
