//===- LowerCopies.cpp - Copies between buffers become loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_LOWERCOPIES
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

/// Groups of dims that are contiguous in both buffers, such as width and channels of an image and
/// of the inside of its padded form.
static SmallVector<ReassociationIndices> contiguousDims(MemRefType source, MemRefType target) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    groups.push_back({dim});
  for (size_t i = groups.size(); i-- > 1;) {
    SmallVector<ReassociationIndices> merged = groups;
    merged[i - 1].append(merged[i]);
    merged.erase(merged.begin() + i);
    if (memref::CollapseShapeOp::isGuaranteedCollapsible(source, merged) &&
        memref::CollapseShapeOp::isGuaranteedCollapsible(target, merged))
      groups = merged;
  }
  return groups;
}

static bool isOfCaller(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Whoever calls may pass the memory of an argument as that of a result.
static void leaveOutIfSame(memref::CopyOp copy) {
  OpBuilder builder(copy);
  auto addressOf = [&](Value buffer) -> Value {
    return memref::ExtractAlignedPointerAsIndexOp::create(builder, copy.getLoc(), buffer);
  };
  Value source = addressOf(copy.getSource()), target = addressOf(copy.getTarget());
  Value differ =
      arith::CmpIOp::create(builder, copy.getLoc(), arith::CmpIPredicate::ne, source, target);
  auto branch = scf::IfOp::create(builder, copy.getLoc(), differ);
  copy->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
}

static void lower(memref::CopyOp copy) {
  if (isOfCaller(copy.getSource()) && isOfCaller(copy.getTarget()))
    leaveOutIfSame(copy);
  auto source = dyn_cast<MemRefType>(copy.getSource().getType());
  auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
  // Equal layouts become one call of memcpy anyway.
  if (!source || !target || (source.getLayout().isIdentity() && target.getLayout().isIdentity()))
    return;
  OpBuilder builder(copy);
  SmallVector<ReassociationIndices> groups = contiguousDims(source, target);
  auto collapse = [&](Value value) {
    return memref::CollapseShapeOp::create(builder, copy.getLoc(), value, groups);
  };
  linalg::makeMemRefCopyOp(builder, copy.getLoc(), collapse(copy.getSource()),
                           collapse(copy.getTarget()));
  copy.erase();
}

namespace {
struct LowerCopiesPass : ucmoh::impl::LowerCopiesBase<LowerCopiesPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([](memref::CopyOp copy) { lower(copy); });
  }
};
} // namespace
