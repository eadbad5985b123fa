//===- Buffers.cpp - Rows have one buffer for all steps
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Pieces.h"
#include "../StackScope.h"
#include "Rest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_PLACEROWS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Bytes of a buffer that may be on the stack: numbers of a row, not the row.
static constexpr int64_t stackBytes = 256;

/// Whether the buffer is only read and written, so that the next step may use it again.
static bool staysInStep(Value buffer) {
  return llvm::all_of(buffer.getUsers(), [](Operation *user) {
    if (isa<ViewLikeOpInterface>(user))
      return user->getNumResults() == 1 && staysInStep(user->getResult(0));
    // Nothing that has it as a result or hands it on, such as a loop or a branch; kernels that are
    // called, and what compares their results, give none.
    return !user->hasTrait<OpTrait::IsTerminator>() &&
           llvm::none_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  });
}

/// The outermost loop over rows, or over blocks of them, that one thread executes: each thread has
/// buffers of its own.
static Operation *outermostRows(Operation *op) {
  Operation *found = nullptr;
  for (Operation *parent = op->getParentOp(); parent && !isa<scf::ParallelOp>(parent);
       parent = parent->getParentOp())
    if (parent->hasAttr(rowsMark) || parent->hasAttr(piecesMark))
      found = parent;
  return found;
}

/// Whether the extents are known before the loops.
static bool isSizedOutside(memref::AllocOp alloc, Operation *rows) {
  return llvm::none_of(alloc.getDynamicSizes(), [&](Value size) {
    return rows->isAncestor(size.getParentBlock()->getParentOp());
  });
}

static void place(memref::AllocOp alloc) {
  Operation *rows = outermostRows(alloc);
  MemRefType type = alloc.getType();
  if (!rows || !type.getElementType().isIntOrFloat() || !isSizedOutside(alloc, rows) ||
      !staysInStep(alloc))
    return;
  if (!type.hasStaticShape() ||
      type.getNumElements() * type.getElementTypeBitWidth() > stackBytes * 8) {
    alloc->moveBefore(rows);
    return;
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&stackScope(rows));
  Value onStack = memref::AllocaOp::create(builder, alloc.getLoc(), type, alloc.getAlignmentAttr());
  alloc.replaceAllUsesWith(onStack);
  alloc.erase();
}

namespace {
struct PlaceRowsPass : ucmoh::impl::PlaceRowsBase<PlaceRowsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<memref::AllocOp> allocs;
    getOperation()->walk([&](memref::AllocOp op) { allocs.push_back(op); });
    for (memref::AllocOp alloc : allocs)
      place(alloc);
  }
};
} // namespace
