//===- AsyncCopies.cpp - Bodies in place of copies to shared memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"
#include "CloneBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

/// Where element `index` of a flat buffer lies.
static Value addressOf(OpBuilder &builder, Location loc, Value buffer, Value index, Type pointer) {
  int64_t bytes = cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  Value element = arith::AddIOp::create(builder, loc, metadata.getOffset(), index);
  Value size = arith::ConstantIndexOp::create(builder, loc, bytes);
  Value address =
      arith::AddIOp::create(builder, loc, base, arith::MulIOp::create(builder, loc, element, size));
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(builder, loc, pointer, integer);
}

static void lowerCopy(OpBuilder &builder, CopyOp op, AsyncCopyOp engine) {
  Location loc = op.getLoc();
  TypeRange types = engine.getCopy().getArgumentTypes();
  Value to = addressOf(builder, loc, op.getTarget(), op.getTargetIndex(), types[0]);
  Value from = addressOf(builder, loc, op.getSource(), op.getSourceIndex(), types[1]);
  int64_t bytes = cast<MemRefType>(op.getSource().getType()).getElementTypeBitWidth() / 8;
  Value size = arith::ConstantIndexOp::create(builder, loc, bytes);
  Value valid = arith::MulIOp::create(builder, loc, op.getValid(), size);
  valid = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), valid);
  SmallVector<Value> operands = {to, from, valid};
  if (op.getBarriers())
    operands.push_back(addressOf(builder, loc, op.getBarriers(), op.getSlot(), types[3]));
  cloneBody(builder, op, engine.getCopy(), operands);
}

static Value constantI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

static void lowerInit(OpBuilder &builder, InitOp op, AsyncCopyOp engine) {
  Type pointer = engine.getInit().getArgumentTypes()[0];
  Value barrier = addressOf(builder, op.getLoc(), op.getBarriers(), op.getSlot(), pointer);
  cloneBody(builder, op, engine.getInit(),
            {barrier, constantI32(builder, op.getLoc(), op.getThreads())});
}

static void lowerCommit(OpBuilder &builder, CommitOp op, AsyncCopyOp engine) {
  SmallVector<Value> operands;
  if (op.getBarriers())
    operands.push_back(addressOf(builder, op.getLoc(), op.getBarriers(), op.getSlot(),
                                 engine.getCommit().getArgumentTypes()[0]));
  cloneBody(builder, op, engine.getCommit(), operands);
}

static void lowerWait(OpBuilder &builder, WaitOp op, AsyncCopyOp engine) {
  Location loc = op.getLoc();
  if (!op.getBarriers()) {
    cloneBody(builder, op, engine.getWait(), constantI32(builder, loc, op.getPending()));
    return;
  }
  Value barrier = addressOf(builder, loc, op.getBarriers(), op.getSlot(),
                            engine.getWait().getArgumentTypes()[0]);
  Value parity = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), op.getParity());
  cloneBody(builder, op, engine.getWait(), {barrier, parity});
}

static void lower(Operation *user, AsyncCopyOp engine) {
  OpBuilder builder(user);
  llvm::TypeSwitch<Operation *>(user)
      .Case([&](CopyOp op) { lowerCopy(builder, op, engine); })
      .Case([&](InitOp op) { lowerInit(builder, op, engine); })
      .Case([&](CommitOp op) { lowerCommit(builder, op, engine); })
      .Case([&](WaitOp op) { lowerWait(builder, op, engine); });
  user->erase();
}

/// Whether a use has a barrier where the engine does.
static LogicalResult verifyBarrier(Operation *user, AsyncCopyOp engine) {
  Value barriers =
      llvm::TypeSwitch<Operation *, Value>(user).Case<CopyOp, InitOp, CommitOp, WaitOp>(
          [](auto op) { return op.getBarriers(); });
  if (bool(barriers) == engine.getBarrier().has_value())
    return success();
  return user->emitOpError("must name a barrier if and only if its engine has them");
}

static void lowerBarriers(Operation *root) {
  root->walk([](BarrierOp op) {
    OpBuilder builder(op);
    gpu::BarrierOp::create(builder, op.getLoc());
    op.erase();
  });
}

LogicalResult ucmoh::lowerAsyncCopies(Operation *root, const TargetLibrary &library) {
  SmallVector<Operation *> users;
  root->walk([&](Operation *op) {
    if (isa<CopyOp, InitOp, CommitOp, WaitOp>(op))
      users.push_back(op);
  });
  lowerBarriers(root);
  for (Operation *user : users) {
    auto symbol = user->getAttrOfType<SymbolRefAttr>("engine");
    AsyncCopyOp engine = library.lookupAsyncCopy(symbol);
    if (!engine)
      return user->emitOpError("unknown asynchronous copy ")
             << symbol << "; known targets: " << library.knownTargets();
    if (failed(verifyBarrier(user, engine)))
      return failure();
    lower(user, engine);
  }
  return success();
}
