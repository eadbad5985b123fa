//===- Borders.cpp - Borders of padded tensors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Borders.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

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
static Value paddingValue(OpBuilder &builder, tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  Operation *constant = value.getDefiningOp();
  if (value.getParentRegion() != &pad.getRegion() && !matchPattern(value, m_Constant()))
    return value;
  return builder.clone(*constant)->getResult(0);
}

bool ucmoh::hasStaticBorder(tensor::PadOp pad) {
  auto isStatic = [](ArrayRef<int64_t> sizes) { // and cuts nothing off
    return llvm::all_of(sizes, [](int64_t size) { return size >= 0; });
  };
  return pad.getConstantPaddingValue() && pad.getSourceType().hasStaticShape() &&
         pad.getResultType().hasStaticShape() && isStatic(pad.getStaticLow()) &&
         isStatic(pad.getStaticHigh());
}

Value ucmoh::createBorder(OpBuilder &builder, tensor::PadOp pad) {
  Slice inside{SmallVector<int64_t>(pad.getStaticLow()),
               SmallVector<int64_t>(pad.getSourceType().getShape())};
  Value buffer = bufferization::AllocTensorOp::create(builder, pad.getLoc(), pad.getResultType(),
                                                      ValueRange());
  return fillBorder(builder, pad.getLoc(), paddingValue(builder, pad), buffer, inside);
}
