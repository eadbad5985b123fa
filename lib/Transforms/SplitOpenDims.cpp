//===- SplitOpenDims.cpp - Several open dims out of one
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Upstream computes the strides of the dims into which a reshape splits another one from static
/// extents, of which only one may be unknown (ExpandStridedMetadata.cpp), and crashes otherwise.
///
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_SPLITOPENDIMS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

static bool splitsIntoOpenDims(memref::ExpandShapeOp op) {
  return llvm::any_of(op.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
    return llvm::count_if(group,
                          [&](int64_t dim) { return op.getResultType().isDynamicDim(dim); }) > 1;
  });
}

/// Each stride is that of the next dim times its extent; the last one is that of the source.
static SmallVector<OpFoldResult> stridesOf(OpBuilder &builder, memref::ExpandShapeOp op,
                                           ValueRange source) {
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape(), strides(sizes.size());
  auto [known, offset] = op.getResultType().getStridesAndOffset();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    Value stride = source[dim];
    for (int64_t each : llvm::reverse(group)) {
      strides[each] = ShapedType::isDynamic(known[each])
                          ? OpFoldResult(stride)
                          : OpFoldResult(builder.getIndexAttr(known[each]));
      stride =
          arith::MulIOp::create(builder, op.getLoc(), stride,
                                getValueOrCreateConstantIndexOp(builder, op.getLoc(), sizes[each]));
    }
  }
  return strides;
}

static void split(memref::ExpandShapeOp op) {
  OpBuilder builder(op);
  auto source = memref::ExtractStridedMetadataOp::create(builder, op.getLoc(), op.getSrc());
  auto [known, offset] = op.getResultType().getStridesAndOffset();
  OpFoldResult begin = ShapedType::isDynamic(offset) ? OpFoldResult(source.getOffset())
                                                     : OpFoldResult(builder.getIndexAttr(offset));
  Value made = memref::ReinterpretCastOp::create(
      builder, op.getLoc(), op.getResultType(), source.getBaseBuffer(), begin,
      op.getMixedOutputShape(), stridesOf(builder, op, source.getStrides()));
  op.getResult().replaceAllUsesWith(made);
  op.erase();
}

namespace {
struct SplitOpenDimsPass : ucmoh::impl::SplitOpenDimsBase<SplitOpenDimsPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([](memref::ExpandShapeOp op) {
      if (splitsIntoOpenDims(op))
        split(op);
    });
  }
};
} // namespace
