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
/// are dropped. Where its steps are almost as long, each band of the result (the rows and columns
/// that meet pixels with the same elements) becomes a convolution of its own without a border. A
/// transposed one is imported as a convolution of an image with zeros between its pixels. Each
/// phase of its result (the rows and columns that leave the same remainder by the stride) is a
/// convolution of the image itself with those elements of the kernel that meet pixels.
///
//===----------------------------------------------------------------------===//

#include "PatternConfig.h"
#include "Prepare/Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace ucmoh {
#define GEN_PASS_DEF_DROPZEROS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

static constexpr unsigned firstSpatial = 2; // batch and channels are in front of the image

static SmallVector<int64_t> valuesOf(DenseIntElementsAttr attribute) {
  return llvm::to_vector(attribute.getValues<int64_t>());
}

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// Calls `visit` with one index for each dim, each of which is less than the dim's extent.
static void forEachPoint(ArrayRef<int64_t> extents, function_ref<void(ArrayRef<int64_t>)> visit) {
  for (int64_t point = 0, end = computeProduct(extents); point < end; ++point)
    visit(delinearize(point, computeStrides(extents)));
}

static bool isStatic(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || tensor.hasStaticShape();
  });
}

namespace {
/// A box of a tensor: static offsets, sizes and strides.
struct Box {
  explicit Box(ArrayRef<int64_t> shape)
      : offsets(shape.size(), 0), sizes(shape), strides(shape.size(), 1) {}
  SmallVector<int64_t> offsets, sizes, strides;
};
} // namespace

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

static Value insert(OpBuilder &builder, Location loc, Value part, Value tensor, const Box &box) {
  return tensor::InsertSliceOp::create(builder, loc, part, tensor, attributes(builder, box.offsets),
                                       attributes(builder, box.sizes),
                                       attributes(builder, box.strides));
}

/// Rows [from, from + count) of each spatial dim of an image, which zeros (or what stands for them)
/// continue at both ends.
static Value window(OpBuilder &builder, Location loc, Value image, ArrayRef<int64_t> from,
                    ArrayRef<int64_t> count, Value zero) {
  Box inside(shapeOf(image));
  SmallVector<int64_t> low(inside.sizes.size(), 0), high(inside.sizes.size(), 0);
  for (unsigned i = 0; i < from.size(); ++i) {
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

/// Says whether the value adds nothing to the sums of the convolution: a zero, or the image's zero
/// point.
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
  auto made =
      Conv::create(builder, conv.getLoc(), TypeRange{init.getType()}, inputs, ValueRange{init},
                   builder.getI64VectorAttr(strides), builder.getI64VectorAttr(dilations));
  copyMarks(conv, made);
  return made.getResult(0);
}

/// Returns the values that the sums of a part of the result start from. A bias is broadcast to each
/// part.
static Value initOf(OpBuilder &builder, Location loc, Value init, const Box &part) {
  auto broadcast = init.getDefiningOp<linalg::BroadcastOp>();
  auto fill = init.getDefiningOp<linalg::FillOp>();
  bool isBias = broadcast && shapeOf(broadcast.getInput()).size() == 1 &&
                !llvm::is_contained(broadcast.getDimensions(), 1); // a number for each channel
  if (!isBias && !fill)
    return extract(builder, loc, init, part);
  Value empty = tensor::EmptyOp::create(builder, loc, part.sizes, getElementTypeOrSelf(init));
  if (fill)
    return linalg::FillOp::create(builder, loc, fill.getInputs()[0], empty).getResult(0);
  return linalg::BroadcastOp::create(builder, loc, broadcast.getInput(), empty,
                                     broadcast.getDimensions())
      ->getResult(0);
}

//===----------------------------------------------------------------------===//
// Kernel elements in the border
//===----------------------------------------------------------------------===//

namespace {
/// The elements of a kernel, and the rows of an image, without those that add nothing.
struct Part {
  explicit Part(ArrayRef<int64_t> kernel) : kernel(kernel) {}
  Box kernel;
  SmallVector<int64_t> from, count; ///< along the image's spatial dims, as `window` takes them
};
} // namespace

/// The border around the channels' images; null if it is anything else, or if a choice was made for
/// the convolution as it is.
template <typename Conv> static tensor::PadOp findBorder(Conv conv) {
  auto pad = conv.getInputs()[0].template getDefiningOp<tensor::PadOp>();
  bool isBorder = pad && !conv->hasAttr("ucmoh.choice") && conv.hasPureTensorSemantics() &&
                  isStatic(conv) && isStatic(pad) && pad.getLow().empty() &&
                  pad.getHigh().empty() && isNeutral(conv, pad.getConstantPaddingValue());
  for (unsigned dim = 0; isBorder && dim < firstSpatial; ++dim)
    isBorder = pad.getStaticLow()[dim] == 0 && pad.getStaticHigh()[dim] == 0;
  return isBorder ? pad : tensor::PadOp();
}

/// The first kernel element along a dim that meets one of `pixels` behind a border of `low`, and
/// how many there are up to the last one. `span`: padded pixels that an element passes over.
static std::pair<int64_t, int64_t> findMet(int64_t extent, int64_t dilation, int64_t span,
                                           int64_t low, int64_t pixels) {
  int64_t first = std::max<int64_t>(0, llvm::divideFloorSigned(low - span, dilation) + 1);
  int64_t end = std::min(extent, llvm::divideCeilSigned(low + pixels, dilation));
  return {first, std::max<int64_t>(0, end - first)};
}

template <typename Conv> static Part findPart(Conv conv, tensor::PadOp border) {
  Part part(shapeOf(conv.getInputs()[1]));
  SmallVector<int64_t> strides = valuesOf(conv.getStrides()),
                       dilations = valuesOf(conv.getDilations());
  for (unsigned i = 0; i < strides.size(); ++i) {
    unsigned dim = firstSpatial + i;
    int64_t low = border.getStaticLow()[dim];
    int64_t span = (shapeOf(conv.getOutputs()[0])[dim] - 1) * strides[i] + 1;
    std::tie(part.kernel.offsets[dim], part.kernel.sizes[dim]) =
        findMet(part.kernel.sizes[dim], dilations[i], span, low, shapeOf(border.getSource())[dim]);
    part.from.push_back(part.kernel.offsets[dim] * dilations[i] - low);
    part.count.push_back((part.kernel.sizes[dim] - 1) * dilations[i] + span);
  }
  return part;
}

namespace {
/// Leaves out rows and columns of the kernel that meet nothing but the border.
template <typename Conv> struct DropBorder : OpRewritePattern<Conv> {
  using OpRewritePattern<Conv>::OpRewritePattern;
  LogicalResult matchAndRewrite(Conv conv, PatternRewriter &rewriter) const override {
    tensor::PadOp border = findBorder(conv);
    if (!border)
      return failure();
    Value kernel = conv.getInputs()[1];
    Part part = findPart(conv, border);
    if (llvm::is_contained(part.kernel.sizes, 0) ||
        part.kernel.sizes == SmallVector<int64_t>(shapeOf(kernel)))
      return failure();
    Location loc = conv.getLoc();
    Value image = window(rewriter, loc, border.getSource(), part.from, part.count,
                         border.getConstantPaddingValue());
    rewriter.replaceOp(conv,
                       convolve(rewriter, conv, image, extract(rewriter, loc, kernel, part.kernel),
                                conv.getOutputs()[0], valuesOf(conv.getStrides()),
                                valuesOf(conv.getDilations())));
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

namespace {
/// Rows of the result that meet pixels with the same elements of the kernel, along one dim.
struct Band {
  int64_t from, count;     ///< rows of the result
  int64_t first, elements; ///< elements of the kernel
};
} // namespace

template <typename Conv>
static SmallVector<Band> findBands(Conv conv, tensor::PadOp border, unsigned dim) {
  unsigned i = dim - firstSpatial;
  int64_t stride = valuesOf(conv.getStrides())[i], dilation = valuesOf(conv.getDilations())[i];
  SmallVector<Band> bands;
  for (int64_t row = 0; row < shapeOf(conv.getOutputs()[0])[dim]; ++row) {
    int64_t low = border.getStaticLow()[dim] - row * stride;
    auto [first, elements] = findMet(shapeOf(conv.getInputs()[1])[dim], dilation, /*span=*/1, low,
                                     shapeOf(border.getSource())[dim]);
    if (bands.empty() || bands.back().first != first || bands.back().elements != elements)
      bands.push_back({row, 0, first, elements});
    ++bands.back().count;
  }
  return bands;
}

/// The share of an element's products that are with pixels, along one dim.
static double shareOfPixels(ArrayRef<Band> bands, int64_t elements) {
  int64_t met = 0, all = 0;
  for (const Band &band : bands) {
    met += band.count * band.elements;
    all += band.count * elements;
  }
  return double(met) / all;
}

/// The part of the result in which both bands meet.
template <typename Conv>
static Value convolveBands(OpBuilder &builder, Conv conv, tensor::PadOp border,
                           ArrayRef<Band> bands, const Box &result) {
  Box kernel(shapeOf(conv.getInputs()[1]));
  SmallVector<int64_t> strides = valuesOf(conv.getStrides()),
                       dilations = valuesOf(conv.getDilations()), from, count;
  for (auto [i, band] : llvm::enumerate(bands)) {
    unsigned dim = firstSpatial + i;
    kernel.offsets[dim] = band.first;
    kernel.sizes[dim] = band.elements;
    from.push_back(band.from * strides[i] + band.first * dilations[i] - border.getStaticLow()[dim]);
    count.push_back((band.count - 1) * strides[i] + (band.elements - 1) * dilations[i] + 1);
  }
  Location loc = conv.getLoc();
  Value init = initOf(builder, loc, conv.getOutputs()[0], result);
  if (llvm::is_contained(kernel.sizes, 0))
    return init;
  Value image =
      window(builder, loc, border.getSource(), from, count, border.getConstantPaddingValue());
  return convolve(builder, conv, image, extract(builder, loc, conv.getInputs()[1], kernel), init,
                  strides, dilations);
}

namespace {
/// A convolution most of whose products are with the border becomes one for each two bands.
template <typename Conv> struct SplitBands : OpRewritePattern<Conv> {
  using OpRewritePattern<Conv>::OpRewritePattern;
  LogicalResult matchAndRewrite(Conv conv, PatternRewriter &rewriter) const override {
    constexpr double largestShare = 0.5;
    tensor::PadOp border = findBorder(conv);
    if (!border)
      return failure();
    SmallVector<SmallVector<Band>> bands; // along each spatial dim
    SmallVector<int64_t> counts;
    double share = 1;
    ArrayRef<int64_t> kernel = shapeOf(conv.getInputs()[1]);
    for (unsigned dim = firstSpatial; dim < kernel.size(); ++dim) {
      bands.push_back(findBands(conv, border, dim));
      counts.push_back(bands.back().size());
      share *= shareOfPixels(bands.back(), kernel[dim]);
    }
    if (share > largestShare)
      return failure();
    Value result = tensor::EmptyOp::create(rewriter, conv.getLoc(), shapeOf(conv.getOutputs()[0]),
                                           getElementTypeOrSelf(conv.getOutputs()[0]));
    forEachPoint(counts, [&](ArrayRef<int64_t> point) {
      SmallVector<Band> crossing;
      for (auto [dim, index] : llvm::enumerate(point))
        crossing.push_back(bands[dim][index]);
      result = insertBands(rewriter, conv, border, crossing, result);
    });
    rewriter.replaceOp(conv, result);
    return success();
  }

private:
  static Value insertBands(OpBuilder &builder, Conv conv, tensor::PadOp border,
                           ArrayRef<Band> bands, Value result) {
    Box part(shapeOf(result));
    for (auto [i, band] : llvm::enumerate(bands)) {
      part.offsets[firstSpatial + i] = band.from;
      part.sizes[firstSpatial + i] = band.count;
    }
    return insert(builder, conv.getLoc(), convolveBands(builder, conv, border, bands, part), result,
                  part);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Zeros between pixels
//===----------------------------------------------------------------------===//

/// Finds the op that puts whole channels into zeros, apart in the image; null if that is no
/// constant.
template <typename Conv> static tensor::InsertSliceOp findSpread(Conv conv) {
  auto insert = conv.getInputs()[0].template getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || !insert.getSourceType().hasStaticShape() || !isZeroTensor(insert.getDest()) ||
      insert.getSourceType().getRank() != insert.getType().getRank() ||
      llvm::any_of(insert.getStaticOffsets(), ShapedType::isDynamic) ||
      llvm::any_of(insert.getStaticStrides(), ShapedType::isDynamic))
    return {};
  ArrayRef<int64_t> strides = insert.getStaticStrides();
  bool isApart = insert.getStaticSizes().take_front(firstSpatial) ==
                     insert.getType().getShape().take_front(firstSpatial) &&
                 computeProduct(strides.drop_front(firstSpatial)) > 1;
  return isApart ? insert : tensor::InsertSliceOp();
}

namespace {
/// Rows of the result that leave the same remainder by the stride, along each spatial dim. Every
/// stride-th element of the kernel meets pixels, from one on that depends on the remainder.
struct Phase {
  Phase(linalg::LinalgOp conv, tensor::InsertSliceOp spread, ArrayRef<int64_t> remainders)
      : result(shapeOf(conv->getResult(0))), met(shapeOf(conv.getDpsInputs()[1])) {
    for (unsigned i = 0; i < remainders.size(); ++i)
      add(firstSpatial + i, remainders[i], spread.getStaticStrides()[firstSpatial + i],
          spread.getStaticOffsets()[firstSpatial + i]);
  }
  bool isEmpty() const { return llvm::is_contained(met.kernel.sizes, 0); }

  Box result;
  Part met;

private:
  void add(unsigned dim, int64_t remainder, int64_t stride, int64_t offset) {
    int64_t first = llvm::mod(offset - remainder, stride);
    int64_t extent = met.kernel.sizes[dim];
    met.kernel.offsets[dim] = first;
    met.kernel.sizes[dim] = first < extent ? llvm::divideCeil(extent - first, stride) : 0;
    result.offsets[dim] = remainder;
    result.sizes[dim] = llvm::divideCeil(result.sizes[dim] - remainder, stride);
    result.strides[dim] = met.kernel.strides[dim] = stride;
    met.from.push_back((remainder + first - offset) / stride);
    met.count.push_back(result.sizes[dim] + met.kernel.sizes[dim] - 1);
  }
};
} // namespace

template <typename Conv>
static Value computePhase(OpBuilder &builder, Conv conv, Value image, const Phase &phase) {
  Location loc = conv.getLoc();
  Value init = initOf(builder, loc, conv.getOutputs()[0], phase.result);
  if (phase.isEmpty())
    return init;
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(getElementTypeOrSelf(image)));
  SmallVector<int64_t> ones(phase.met.from.size(), 1);
  return convolve(builder, conv, window(builder, loc, image, phase.met.from, phase.met.count, zero),
                  extract(builder, loc, conv.getInputs()[1], phase.met.kernel), init, ones, ones);
}

namespace {
/// A convolution of an image with zeros between its pixels becomes one for each phase.
template <typename Conv> struct SplitPhases : OpRewritePattern<Conv> {
  using OpRewritePattern<Conv>::OpRewritePattern;
  LogicalResult matchAndRewrite(Conv conv, PatternRewriter &rewriter) const override {
    auto isOne = [](int64_t value) { return value == 1; };
    if (conv->hasAttr("ucmoh.choice") || !conv.hasPureTensorSemantics() || !isStatic(conv) ||
        !llvm::all_of(valuesOf(conv.getStrides()), isOne) ||
        !llvm::all_of(valuesOf(conv.getDilations()), isOne))
      return failure();
    tensor::InsertSliceOp spread = findSpread(conv);
    if (!spread)
      return failure();
    Location loc = conv.getLoc();
    Value result = tensor::EmptyOp::create(rewriter, loc, shapeOf(conv.getResult(0)),
                                           getElementTypeOrSelf(conv.getResult(0)));
    ArrayRef<int64_t> strides = spread.getStaticStrides().drop_front(firstSpatial);
    forEachPoint(strides, [&](ArrayRef<int64_t> remainders) {
      Phase phase(conv, spread, remainders);
      Value sums = computePhase(rewriter, conv, spread.getSource(), phase);
      result = insert(rewriter, loc, sums, result, phase.result);
    });
    rewriter.replaceOp(conv, result);
    return success();
  }
};

struct DropZerosPass : ucmoh::impl::DropZerosBase<DropZerosPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    using Line = linalg::Conv1DNcwFcwOp;
    using Image = linalg::Conv2DNchwFchwOp;
    using QuantizedImage = linalg::Conv2DNchwFchwQOp;
    using Volume = linalg::Conv3DNcdhwFcdhwOp;
    patterns
        .add<DropBorder<Line>, DropBorder<Image>, DropBorder<QuantizedImage>, DropBorder<Volume>>(
            &getContext(), /*benefit=*/2);
    patterns.add<SplitBands<Line>, SplitBands<Image>, SplitBands<QuantizedImage>,
                 SplitBands<Volume>, SplitPhases<Line>, SplitPhases<Image>, SplitPhases<Volume>>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), patternsOnly())))
      signalPassFailure();
  }
};
} // namespace
