//===- DropZeros.cpp - Convolutions without products of known zeros
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two forms of convolutions multiply zeros more often than not. A dilated one whose steps are as
/// long as the image meets nothing but the border with most elements of its kernel: these elements
/// are dropped. A transposed one is imported as a convolution of an image with zeros between its
/// pixels. Each phase of its result (the rows and columns that leave the same remainder by the
/// stride) is a convolution of the image itself with those elements of the kernel that meet pixels.
///
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace ucmoh {
#define GEN_PASS_DEF_DROPZEROS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

static constexpr unsigned firstSpatial = 2, spatialDims = 2; // of NCHW

static SmallVector<int64_t> valuesOf(DenseIntElementsAttr attribute) {
  return llvm::to_vector(attribute.getValues<int64_t>());
}

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

static bool isStatic(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || tensor.hasStaticShape();
  });
}

/// A box of a tensor: static offsets, sizes and strides.
struct Box {
  explicit Box(ArrayRef<int64_t> shape)
      : offsets(shape.size(), 0), sizes(shape), strides(shape.size(), 1) {}
  SmallVector<int64_t> offsets, sizes, strides;
};

static SmallVector<OpFoldResult> attributes(OpBuilder &builder, ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(builder.getContext(), values);
}

static Value extract(OpBuilder &builder, Location loc, Value tensor, const Box &box) {
  if (box.sizes == SmallVector<int64_t>(shapeOf(tensor)))
    return tensor;
  return tensor::ExtractSliceOp::create(builder, loc, tensor, attributes(builder, box.offsets),
                                        attributes(builder, box.sizes),
                                        attributes(builder, box.strides));
}

/// Rows [from, from + count) of each spatial dim of an image, which zeros (or what stands for them)
/// continue at both ends.
static Value window(OpBuilder &builder, Location loc, Value image, ArrayRef<int64_t> from,
                    ArrayRef<int64_t> count, Value zero) {
  Box inside(shapeOf(image));
  SmallVector<int64_t> low(inside.sizes.size(), 0), high(inside.sizes.size(), 0);
  for (unsigned i = 0; i < spatialDims; ++i) {
    unsigned dim = firstSpatial + i;
    int64_t extent = inside.sizes[dim];
    int64_t begin = std::clamp<int64_t>(from[i], 0, extent);
    int64_t end = std::clamp<int64_t>(from[i] + count[i], begin, extent);
    inside.offsets[dim] = begin;
    inside.sizes[dim] = end - begin;
    low[dim] = std::clamp<int64_t>(begin - from[i], 0, count[i]);
    high[dim] = count[i] - low[dim] - inside.sizes[dim];
  }
  Value slice = extract(builder, loc, image, inside);
  SmallVector<int64_t> shape(shapeOf(slice));
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    shape[dim] += low[dim] + high[dim];
  auto type = cast<RankedTensorType>(slice.getType()).clone(shape);
  if (type == slice.getType())
    return slice;
  return tensor::PadOp::create(builder, loc, type, slice, attributes(builder, low),
                               attributes(builder, high), zero)
      .getResult();
}

/// What adds nothing to the sums of the convolution: a zero, or the image's zero point.
template <typename Conv> static bool isNeutral(Conv conv, Value value) {
  Attribute constant;
  if (!value || !matchPattern(value, m_Constant(&constant)))
    return false;
  APInt zeroPoint;
  bool isQuantized = conv.getInputs().size() > 2;
  if (isQuantized && !matchPattern(conv.getInputs()[2], m_ConstantInt(&zeroPoint)))
    return false;
  if (auto integer = dyn_cast<IntegerAttr>(constant))
    return integer.getValue().getSExtValue() == (isQuantized ? zeroPoint.getSExtValue() : 0);
  return cast<FloatAttr>(constant).getValue().isZero();
}

template <typename Conv>
static Value convolve(OpBuilder &builder, Conv conv, Value image, Value kernel, Value init,
                      ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations) {
  SmallVector<Value> inputs(conv.getInputs());
  inputs[0] = image;
  inputs[1] = kernel;
  return Conv::create(builder, conv.getLoc(), TypeRange{init.getType()}, inputs, ValueRange{init},
                      builder.getI64VectorAttr(strides), builder.getI64VectorAttr(dilations))
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Kernel elements in the border
//===----------------------------------------------------------------------===//

namespace {
/// The elements of a kernel, along one dim, that meet pixels.
struct Taps {
  int64_t first, count;
};

/// Leaves out rows and columns of the kernel that meet nothing but the border.
template <typename Conv> struct DropBorder : OpRewritePattern<Conv> {
  using OpRewritePattern<Conv>::OpRewritePattern;
  LogicalResult matchAndRewrite(Conv conv, PatternRewriter &rewriter) const override {
    auto pad = conv.getInputs()[0].template getDefiningOp<tensor::PadOp>();
    if (!pad || !conv.hasPureTensorSemantics() || !isStatic(conv) || !isStatic(pad) ||
        !isNeutral(conv, pad.getConstantPaddingValue()) || !pad.getLow().empty() ||
        !pad.getHigh().empty())
      return failure();
    SmallVector<int64_t> strides = valuesOf(conv.getStrides()),
                         dilations = valuesOf(conv.getDilations()), from, count;
    Box kernel(shapeOf(conv.getInputs()[1]));
    ArrayRef<int64_t> image = shapeOf(pad.getSource()), result = shapeOf(conv.getOutputs()[0]);
    bool drops = false;
    for (unsigned i = 0; i < spatialDims; ++i) {
      unsigned dim = firstSpatial + i;
      int64_t low = pad.getStaticLow()[dim], span = (result[dim] - 1) * strides[i] + 1;
      Taps taps = tapsOf(kernel.sizes[dim], dilations[i], span, low, image[dim]);
      if (taps.count == 0)
        return failure();
      drops |= taps.count < kernel.sizes[dim];
      kernel.offsets[dim] = taps.first;
      kernel.sizes[dim] = taps.count;
      from.push_back(taps.first * dilations[i] - low);
      count.push_back((taps.count - 1) * dilations[i] + span);
    }
    if (!drops || pad.getStaticLow()[0] || pad.getStaticLow()[1] || pad.getStaticHigh()[0] ||
        pad.getStaticHigh()[1])
      return failure();
    Location loc = conv.getLoc();
    Value part = window(rewriter, loc, pad.getSource(), from, count, pad.getConstantPaddingValue());
    Value met = extract(rewriter, loc, conv.getInputs()[1], kernel);
    rewriter.replaceOp(
        conv, convolve(rewriter, conv, part, met, conv.getOutputs()[0], strides, dilations));
    return success();
  }

  /// `span`: rows of the padded image that one element passes over.
  static Taps tapsOf(int64_t extent, int64_t dilation, int64_t span, int64_t low, int64_t image) {
    Taps taps{0, extent};
    auto meets = [&](int64_t tap) {
      return tap * dilation < low + image && tap * dilation + span > low;
    };
    while (taps.count > 0 && !meets(taps.first))
      ++taps.first, --taps.count;
    while (taps.count > 0 && !meets(taps.first + taps.count - 1))
      --taps.count;
    return taps;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Zeros between pixels
//===----------------------------------------------------------------------===//

namespace {
/// One phase of a transposed convolution along one dim.
struct Phase {
  Phase(int64_t phase, int64_t stride, int64_t offset, int64_t kernel, int64_t result)
      : firstTap(llvm::mod(offset - phase, stride)), rows(llvm::divideCeil(result - phase, stride)),
        taps(firstTap < kernel ? llvm::divideCeil(kernel - firstTap, stride) : 0),
        from((phase + firstTap - offset) / stride) {}
  int64_t firstTap; ///< of the kernel, which every stride-th element follows
  int64_t rows;     ///< of the result
  int64_t taps;     ///< elements of the kernel
  int64_t from;     ///< row of the image that the first element meets first
};

/// A convolution of an image with zeros between its pixels becomes one for each phase.
template <typename Conv> struct SplitPhases : OpRewritePattern<Conv> {
  using OpRewritePattern<Conv>::OpRewritePattern;
  LogicalResult matchAndRewrite(Conv conv, PatternRewriter &rewriter) const override {
    auto insert = conv.getInputs()[0].template getDefiningOp<tensor::InsertSliceOp>();
    if (!insert || !conv.hasPureTensorSemantics() || !isStatic(conv) || !isSpread(insert))
      return failure();
    auto isOne = [](int64_t value) { return value == 1; };
    if (!llvm::all_of(valuesOf(conv.getStrides()), isOne) ||
        !llvm::all_of(valuesOf(conv.getDilations()), isOne) || conv.getInputs().size() > 2)
      return failure();
    ArrayRef<int64_t> stride = insert.getStaticStrides();
    Value result = tensor::EmptyOp::create(rewriter, conv.getLoc(), shapeOf(conv.getResult(0)),
                                           getElementTypeOrSelf(conv.getResult(0)));
    for (int64_t row = 0; row < stride[firstSpatial]; ++row)
      for (int64_t column = 0; column < stride[firstSpatial + 1]; ++column)
        result = insertPhase(rewriter, conv, insert, {row, column}, result);
    rewriter.replaceOp(conv, result);
    return success();
  }

  /// Whether whole channels are put into zeros, apart in the image.
  static bool isSpread(tensor::InsertSliceOp insert) {
    ArrayRef<int64_t> strides = insert.getStaticStrides(), sizes = insert.getStaticSizes();
    bool isConstant =
        llvm::none_of(insert.getStaticOffsets(), ShapedType::isDynamic) &&
        insert.getSourceType().hasStaticShape() && insert.getType().hasStaticShape() &&
        llvm::none_of(strides, ShapedType::isDynamic) && insert.getSourceType().getRank() == 4;
    return isConstant && isZeroTensor(insert.getDest()) && strides[0] == 1 && strides[1] == 1 &&
           sizes[0] == insert.getType().getDimSize(0) &&
           sizes[1] == insert.getType().getDimSize(1) && strides[2] * strides[3] > 1;
  }

  static Value insertPhase(PatternRewriter &rewriter, Conv conv, tensor::InsertSliceOp insert,
                           std::array<int64_t, spatialDims> phase, Value result) {
    Location loc = conv.getLoc();
    Box kernel(shapeOf(conv.getInputs()[1])), part(shapeOf(result));
    SmallVector<int64_t> from, count;
    for (unsigned i = 0; i < spatialDims; ++i) {
      unsigned dim = firstSpatial + i;
      int64_t stride = insert.getStaticStrides()[dim];
      Phase along(phase[i], stride, insert.getStaticOffsets()[dim], kernel.sizes[dim],
                  part.sizes[dim]);
      kernel.offsets[dim] = along.firstTap;
      kernel.sizes[dim] = along.taps;
      part.offsets[dim] = phase[i];
      part.sizes[dim] = along.rows;
      part.strides[dim] = kernel.strides[dim] = stride;
      from.push_back(along.from);
      count.push_back(along.rows + along.taps - 1);
    }
    Value init = initOf(rewriter, conv, part), sums = init;
    if (kernel.sizes[firstSpatial] > 0 && kernel.sizes[firstSpatial + 1] > 0) {
      Value zero = arith::ConstantOp::create(
          rewriter, loc, rewriter.getZeroAttr(getElementTypeOrSelf(insert.getSource())));
      Value image = window(rewriter, loc, insert.getSource(), from, count, zero);
      Value met = extract(rewriter, loc, conv.getInputs()[1], kernel);
      sums = convolve(rewriter, conv, image, met, init, {1, 1}, {1, 1});
    }
    return tensor::InsertSliceOp::create(
        rewriter, loc, sums, result, attributes(rewriter, part.offsets),
        attributes(rewriter, part.sizes), attributes(rewriter, part.strides));
  }

  /// What a phase's sums start from. A bias is broadcast to each phase.
  static Value initOf(PatternRewriter &rewriter, Conv conv, const Box &part) {
    Value init = conv.getOutputs()[0];
    Location loc = conv.getLoc();
    Type element = getElementTypeOrSelf(init);
    auto broadcast = init.getDefiningOp<linalg::BroadcastOp>();
    auto fill = init.getDefiningOp<linalg::FillOp>();
    bool isChannels =
        broadcast && llvm::equal(broadcast.getDimensions(), ArrayRef<int64_t>{0, 2, 3});
    if (!isChannels && !fill)
      return extract(rewriter, loc, init, part);
    Value empty = tensor::EmptyOp::create(rewriter, loc, part.sizes, element);
    if (fill)
      return linalg::FillOp::create(rewriter, loc, fill.getInputs()[0], empty).getResult(0);
    return linalg::BroadcastOp::create(rewriter, loc, broadcast.getInput(), empty,
                                       broadcast.getDimensions())
        ->getResult(0);
  }
};

struct DropZerosPass : ucmoh::impl::DropZerosBase<DropZerosPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DropBorder<linalg::Conv2DNchwFchwOp>, DropBorder<linalg::Conv2DNchwFchwQOp>,
                 SplitPhases<linalg::Conv2DNchwFchwOp>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
