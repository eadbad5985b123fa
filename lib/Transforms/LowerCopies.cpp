//===- LowerCopies.cpp - Copies between buffers become loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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
using namespace ucmoh;

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

/// Where row `number` of a buffer begins.
static Value addressOfRow(OpBuilder &builder, Location loc, Value buffer, ValueRange number) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value index = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [at, stride] : llvm::zip(number, metadata.getStrides()))
    index =
        arith::AddIOp::create(builder, loc, index, arith::MulIOp::create(builder, loc, at, stride));
  return addressOf(builder, metadata, index, LLVM::LLVMPointerType::get(builder.getContext()));
}

/// Whether rows are contiguous, and so long that memcpy copies them sooner than a loop does: it
/// knows of large ones that nobody reads what they overwrite. A row of open length may be.
static bool hasLongRows(MemRefType source, MemRefType target) {
  auto isContiguous = [](MemRefType type) {
    return type.getStridesAndOffset().first.back() == 1 && type.getElementType().isIntOrFloat();
  };
  return source.getRank() && target.isDynamicDim(target.getRank() - 1) && isContiguous(source) &&
         isContiguous(target);
}

/// Loops over rows, which memcpy copies.
static void copyRows(OpBuilder &builder, Location loc, Value source, Value target) {
  SmallVector<Value> to =
      getValueOrCreateConstantIndexOp(builder, loc, memref::getMixedSizes(builder, loc, target));
  Value length = bytesOf(builder, loc, to.pop_back_val(), cast<MemRefType>(target.getType()));
  Value bytes = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), length);
  SmallVector<Value> from(to.size(), arith::ConstantIndexOp::create(builder, loc, 0)),
      steps(to.size(), arith::ConstantIndexOp::create(builder, loc, 1));
  scf::buildLoopNest(builder, loc, from, to, steps, [&](OpBuilder &b, Location l, ValueRange row) {
    LLVM::MemcpyOp::create(b, l, addressOfRow(b, l, target, row), addressOfRow(b, l, source, row),
                           bytes, /*isVolatile=*/false);
  });
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
  Value from = memref::CollapseShapeOp::create(builder, copy.getLoc(), copy.getSource(), groups),
        to = memref::CollapseShapeOp::create(builder, copy.getLoc(), copy.getTarget(), groups);
  if (hasLongRows(cast<MemRefType>(from.getType()), cast<MemRefType>(to.getType())))
    copyRows(builder, copy.getLoc(), from, to);
  else
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), from, to);
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
