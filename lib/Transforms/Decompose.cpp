//===- Decompose.cpp - Ops that stand for several loops become those
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ucmoh {
#define GEN_PASS_DEF_DECOMPOSE
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

namespace {
/// A part of a tensor, such as that of a tensor.pad's result where its source is.
struct Slice {
  SmallVector<int64_t> offsets, sizes;
};
} // namespace

static SmallVector<OpFoldResult> toAttributes(OpBuilder &builder, ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(builder.getContext(), values);
}

static Value fillSlice(OpBuilder &builder, Location loc, Value value, Value into,
                       const Slice &slice) {
  auto offsets = toAttributes(builder, slice.offsets), sizes = toAttributes(builder, slice.sizes);
  SmallVector<OpFoldResult> ones(offsets.size(), builder.getIndexAttr(1));
  Value old = tensor::ExtractSliceOp::create(builder, loc, into, offsets, sizes, ones);
  Value filled = linalg::FillOp::create(builder, loc, value, old).getResult(0);
  return tensor::InsertSliceOp::create(builder, loc, filled, into, offsets, sizes, ones);
}

/// Two slabs for each dim that is padded; none of them overlap.
static Value fillBorder(OpBuilder &builder, Location loc, Value value, Value into,
                        const Slice &inside) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(into.getType()).getShape();
  Slice slab{SmallVector<int64_t>(shape.size(), 0), SmallVector<int64_t>(shape)};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t first = inside.offsets[dim], end = first + inside.sizes[dim];
    for (auto [from, to] : {std::pair(int64_t(0), first), std::pair(end, shape[dim])}) {
      slab.offsets[dim] = from;
      slab.sizes[dim] = to - from;
      if (from < to)
        into = fillSlice(builder, loc, value, into, slab);
    }
    slab.offsets[dim] = first;
    slab.sizes[dim] = inside.sizes[dim];
  }
  return into;
}

/// The constant that pads, outside of the pad's body.
static Value paddingValue(IRRewriter &rewriter, tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  if (value.getParentRegion() != &pad.getRegion())
    return value;
  return rewriter.clone(*value.getDefiningOp())->getResult(0);
}

/// Bufferization would fill the whole result and then copy the source into it: a pass more over
/// what is often an image. It still does where something is not known yet.
static void decomposePad(IRRewriter &rewriter, tensor::PadOp pad) {
  Slice inside{SmallVector<int64_t>(pad.getStaticLow()),
               SmallVector<int64_t>(pad.getSourceType().getShape())};
  if (!pad.getConstantPaddingValue() || !pad.getSourceType().hasStaticShape() ||
      !pad.getResultType().hasStaticShape() ||
      llvm::any_of(inside.offsets, [](int64_t low) { return low < 0; }) || // or not known
      llvm::any_of(pad.getStaticHigh(), [](int64_t high) { return high < 0; }))
    return;
  Location loc = pad.getLoc();
  Value empty = tensor::EmptyOp::create(rewriter, loc, pad.getResultType().getShape(),
                                        pad.getResultType().getElementType());
  Value bordered = fillBorder(rewriter, loc, paddingValue(rewriter, pad), empty, inside);
  SmallVector<OpFoldResult> ones(inside.sizes.size(), rewriter.getIndexAttr(1));
  rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(pad, pad.getSource(), bordered,
                                                     toAttributes(rewriter, inside.offsets),
                                                     toAttributes(rewriter, inside.sizes), ones);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Upstream's verifier accepts a softmax of integers, and its decomposition ends the process.
static LogicalResult checkElements(Operation *op) {
  auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
  if (!softmax || isa<FloatType>(getElementTypeOrSelf(softmax.getOutput())))
    return success();
  return op->emitOpError("needs elements of a float type; convert its operand first");
}

/// Upstream's decompositions, but for padding; an op that has none as it is stays, and
/// bufferization says so.
static void decompose(IRRewriter &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tensor::PadOp pad) { decomposePad(rewriter, pad); })
      .Case([&](linalg::PackOp pack) { (void)linalg::lowerPack(rewriter, pack); })
      .Case([&](linalg::UnPackOp unpack) { (void)linalg::lowerUnPack(rewriter, unpack); })
      .Case([&](linalg::AggregatedOpInterface aggregate) {
        FailureOr<SmallVector<Value>> parts = aggregate.decomposeOperation(rewriter);
        if (succeeded(parts))
          rewriter.replaceOp(op, *parts);
      });
}

namespace {
struct DecomposePass : ucmoh::impl::DecomposeBase<DecomposePass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<tensor::PadOp, linalg::PackOp, linalg::UnPackOp, linalg::AggregatedOpInterface>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      if (failed(checkElements(op)))
        return signalPassFailure();
      decompose(rewriter, op);
    }
  }
};
} // namespace
