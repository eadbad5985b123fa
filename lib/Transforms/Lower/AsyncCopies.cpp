//===- AsyncCopies.cpp - Bodies in place of copies to scratch
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
  cloneBody(builder, op, engine.getCopy(), {to, from, valid});
}

static void lower(Operation *user, AsyncCopyOp engine) {
  OpBuilder builder(user);
  llvm::TypeSwitch<Operation *>(user)
      .Case([&](CopyOp op) { lowerCopy(builder, op, engine); })
      .Case([&](CommitOp op) { cloneBody(builder, op, engine.getCommit(), {}); })
      .Case([&](WaitOp op) {
        Value pending = arith::ConstantOp::create(builder, op.getLoc(),
                                                  builder.getI32IntegerAttr(op.getPending()));
        cloneBody(builder, op, engine.getWait(), pending);
      });
  user->erase();
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
    if (isa<CopyOp, CommitOp, WaitOp>(op))
      users.push_back(op);
  });
  lowerBarriers(root);
  for (Operation *user : users) {
    auto symbol = user->getAttrOfType<SymbolRefAttr>("engine");
    AsyncCopyOp engine = library.lookupAsyncCopy(symbol);
    if (!engine)
      return user->emitOpError("unknown asynchronous copy ")
             << symbol << "; known targets: " << library.knownTargets();
    lower(user, engine);
  }
  return success();
}
