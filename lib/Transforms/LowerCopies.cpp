//===- LowerCopies.cpp - Copies between buffers become loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// How many bytes so many elements have.
static Value bytesOf(OpBuilder &builder, Location loc, Value elements, MemRefType type) {
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return arith::MulIOp::create(builder, loc, elements,
                               arith::ConstantIndexOp::create(builder, loc, bytes));
}

/// Where the elements of a buffer begin.
static Value addressOf(OpBuilder &builder, Location loc, Value buffer) {
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  Value offset = memref::ExtractStridedMetadataOp::create(builder, loc, buffer).getOffset();
  Value place = arith::AddIOp::create(
      builder, loc, base, bytesOf(builder, loc, offset, cast<MemRefType>(buffer.getType())));
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), place),
      LLVM::DereferenceableAttr());
}

/// Row `number` of a buffer.
static Value rowOf(OpBuilder &builder, Location loc, Value buffer, ValueRange number,
                   OpFoldResult length) {
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(number);
  SmallVector<OpFoldResult> ones(offsets.size() + 1, builder.getIndexAttr(1)), sizes = ones;
  offsets.push_back(builder.getIndexAttr(0));
  sizes.back() = length;
  return memref::SubViewOp::create(builder, loc, buffer, ArrayRef(offsets), sizes, ones);
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
  auto type = cast<MemRefType>(target.getType());
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, target);
  SmallVector<Value> to = getValueOrCreateConstantIndexOp(builder, loc, sizes);
  Value bytes = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                           bytesOf(builder, loc, to.pop_back_val(), type));
  SmallVector<Value> from(to.size(), arith::ConstantIndexOp::create(builder, loc, 0)),
      steps(to.size(), arith::ConstantIndexOp::create(builder, loc, 1));
  scf::buildLoopNest(builder, loc, from, to, steps, [&](OpBuilder &b, Location l, ValueRange row) {
    Value into = addressOf(b, l, rowOf(b, l, target, row, sizes.back()));
    LLVM::MemcpyOp::create(b, l, into, addressOf(b, l, rowOf(b, l, source, row, sizes.back())),
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
