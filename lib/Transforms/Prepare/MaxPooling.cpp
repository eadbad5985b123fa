//===- MaxPooling.cpp - A maximum of dequantized values is one of integers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Quantized networks dequantize an image in front of a pooling, which then reads and compares four
/// times as many bytes. Where dequantization never decreases, the integers are pooled and the
/// result, a few pixels, is dequantized.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "UnaryChain.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// A maximum over windows, with what it reads.
struct MaxPooling {
  OpOperand *image;
  tensor::PadOp pad; ///< pads the image by the least value; or null
};
} // namespace

static bool isLeastFloat(Value value) {
  APFloat constant(0.0f);
  return value && matchPattern(value, m_ConstantFloat(&constant)) && constant.isInfinity() &&
         constant.isNegative();
}

/// Whether each window has at least one element that is no padding: there are at most as many
/// elements of padding at an end as the window has beside one.
static bool seesImage(linalg::GenericOp op, OpOperand &image, tensor::PadOp pad) {
  AffineMap map = op.getMatchingIndexingMap(&image);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [expr, low, high] :
       llvm::zip_equal(map.getResults(), pad.getStaticLow(), pad.getStaticHigh())) {
    int64_t window = 1;
    for (unsigned loop = 0; loop < extents.size(); ++loop)
      if (op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction &&
          expr.isFunctionOfDim(loop))
        window = extents[loop];
    if (low < 0 || high < 0 || low >= window || high >= window)
      return false;
  }
  return true;
}

/// Whether the body is the maximum of the result so far and an element of the image.
static OpOperand *findMaximum(linalg::GenericOp op) {
  auto maximum = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::MaximumFOp>();
  if (!maximum || op.getBody()->getOperations().size() != 2 || op.getNumReductionLoops() == 0)
    return nullptr;
  BlockArgument result = op.getRegionOutputArgs()[0];
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value element = op.getMatchingBlockArgument(input);
    if ((maximum.getLhs() == result && maximum.getRhs() == element) ||
        (maximum.getRhs() == result && maximum.getLhs() == element))
      return input;
  }
  return nullptr;
}

static std::optional<MaxPooling> matchMaxPooling(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumDpsInits() != 1)
    return std::nullopt;
  OpOperand *image = findMaximum(op);
  auto init = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!image || !init || !isLeastFloat(init.getInputs()[0]))
    return std::nullopt;
  auto pad = image->get().getDefiningOp<tensor::PadOp>();
  if (pad && (!pad->hasOneUse() || !isLeastFloat(pad.getConstantPaddingValue()) ||
              !seesImage(op, *image, pad)))
    return std::nullopt;
  return MaxPooling{image, pad};
}

/// Whether the values never decrease, as integers with a sign or without one count.
static bool neverDecreases(ArrayRef<Attribute> values, bool isSigned) {
  auto at = [&](unsigned rank) {
    return cast<FloatAttr>(values[(rank + (isSigned ? 128 : 0)) % 256]).getValue();
  };
  for (unsigned rank = 0; rank < 255; ++rank)
    if (auto order = at(rank).compare(at(rank + 1));
        order != APFloat::cmpLessThan && order != APFloat::cmpEqual)
      return false;
  return true;
}

namespace {
/// pool(pad(f(x))) = f(pool(pad(x))).
struct PoolIntegers : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    std::optional<MaxPooling> pooling = matchMaxPooling(op);
    if (!pooling)
      return failure();
    Value read = pooling->pad ? pooling->pad.getSource() : pooling->image->get();
    std::optional<UnaryChain> chain = findUnaryChain(read);
    std::optional<SmallVector<Attribute>> values;
    if (!chain || !(values = chain->evaluate()) || !isa<FloatAttr>(values->front()))
      return failure();
    for (bool isSigned : {false, true})
      if (neverDecreases(*values, isSigned)) {
        Value pooled = pool(rewriter, op, *pooling, chain->source, isSigned);
        rewriter.replaceOp(op, apply(rewriter, *chain, pooled, op));
        return success();
      }
    return failure();
  }

private:
  /// The same maximum of the integers.
  static Value pool(PatternRewriter &rewriter, linalg::GenericOp op, const MaxPooling &pooling,
                    Value source, bool isSigned) {
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(source);
    Value least = arith::ConstantOp::create(rewriter, loc,
                                            rewriter.getIntegerAttr(element, isSigned ? -128 : 0));
    if (tensor::PadOp pad = pooling.pad)
      source = tensor::PadOp::create(rewriter, loc, pad.getResultType().clone(element), source,
                                     pad.getMixedLowPad(), pad.getMixedHighPad(), least);
    SmallVector<Value> inputs = op.getDpsInputs();
    inputs[pooling.image->getOperandNumber()] = source;
    auto type = cast<RankedTensorType>(op->getResult(0).getType()).clone(element);
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), element);
    Value init = linalg::FillOp::create(rewriter, loc, least, empty).getResult(0);
    unsigned image = pooling.image->getOperandNumber(), result = inputs.size();
    auto body = [&](OpBuilder &b, Location at, ValueRange arguments) {
      Value x = arguments[image], y = arguments[result];
      Value larger = isSigned ? Value(arith::MaxSIOp::create(b, at, y, x))
                              : Value(arith::MaxUIOp::create(b, at, y, x));
      linalg::YieldOp::create(b, at, larger);
    };
    return linalg::GenericOp::create(rewriter, loc, type, inputs, init, op.getIndexingMapsArray(),
                                     op.getIteratorTypesArray(), body)
        .getResult(0);
  }

  /// The chain again, of what was pooled.
  static Value apply(PatternRewriter &rewriter, const UnaryChain &chain, Value value,
                     linalg::GenericOp pooling) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(shape.size()));
    SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
    for (linalg::GenericOp op : chain.ops) {
      Type element = getElementTypeOrSelf(op->getResult(0));
      Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape, element);
      BlockArgument argument = op.getMatchingBlockArgument(findUnaryInput(op));
      auto body = [&](OpBuilder &b, Location at, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(argument, arguments[0]);
        for (Operation &inner : *op.getBody())
          b.clone(inner, mapping);
      };
      value = linalg::GenericOp::create(rewriter, op.getLoc(), empty.getType(), value, empty, maps,
                                        iterators, body)
                  .getResult(0);
    }
    return value;
  }
};
} // namespace

void ucmoh::populateMaxPoolingPatterns(RewritePatternSet &patterns) {
  patterns.add<PoolIntegers>(patterns.getContext());
}
