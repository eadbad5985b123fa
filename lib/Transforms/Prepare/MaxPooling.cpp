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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "ucmoh/Analysis/KnownValues.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Elementwise ops one after the other, each of which reads the result of the one before at the
/// same place and nothing else that varies.
struct UnaryChain {
  mlir::Value source;                             ///< the operand of the first op
  llvm::SmallVector<mlir::linalg::GenericOp> ops; ///< the first one first

  /// The values that the chain makes of all 256 values of a source of 8 bits, beginning with 0;
  /// nothing if one of them cannot be computed at compile time.
  std::optional<llvm::SmallVector<mlir::Attribute>> evaluate() const;
};
} // namespace

/// Whether the body depends on nothing but its arguments and constants.
static bool isFunctionOfElements(linalg::GenericOp op) {
  return llvm::all_of(*op.getBody(), [&](Operation &inner) {
    return inner.getNumRegions() == 0 && (isPure(&inner) || isa<linalg::YieldOp>(inner)) &&
           !isa<linalg::IndexOp>(inner) && llvm::all_of(inner.getOperands(), [&](Value operand) {
             return operand.getParentBlock() == op.getBody() || matchPattern(operand, m_Constant());
           });
  });
}

/// The one tensor that an elementwise op reads, at the place where it writes; null if it reads
/// another one as well, or if its body depends on more than its elements.
static OpOperand *findUnaryInput(linalg::GenericOp op) {
  if (op.getNumReductionLoops() || op.getNumDpsInits() != 1 || op.hasDynamicShape() ||
      !op.hasPureTensorSemantics() || !op.getRegionOutputArgs()[0].use_empty() ||
      !isFunctionOfElements(op))
    return nullptr;
  OpOperand *found = nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (op.getMatchingBlockArgument(input).use_empty())
      continue;
    if (found || !op.getMatchingIndexingMap(input).isPermutation() ||
        op.getMatchingIndexingMap(input) != op.getMatchingIndexingMap(op.getDpsInitOperand(0)))
      return nullptr;
    found = input;
  }
  return found;
}

/// A chain is looked for behind each op: without a limit, a graph of thousands takes minutes.
static constexpr size_t longestChain = 64;

/// The ops that compute `result` from elements of 8 bits; nothing if there is none, or if others
/// read what is between.
static std::optional<UnaryChain> findUnaryChain(Value result) {
  UnaryChain chain{result, {}};
  while (auto op = chain.source.getDefiningOp<linalg::GenericOp>()) {
    OpOperand *input = chain.source.hasOneUse() ? findUnaryInput(op) : nullptr;
    if (!input || chain.ops.size() == longestChain)
      return std::nullopt;
    chain.source = input->get();
    chain.ops.insert(chain.ops.begin(), op);
    if (getElementTypeOrSelf(chain.source).isInteger(8))
      return chain;
  }
  return std::nullopt;
}

/// Evaluates the body of one op for an element; null if some op of it does not fold.
static Attribute evaluate(linalg::GenericOp op, Attribute element) {
  KnownValues known;
  known.set(op.getMatchingBlockArgument(findUnaryInput(op)), element);
  for (Operation &inner : op.getBody()->without_terminator())
    if (!known.fold(inner))
      return {};
  return known.lookup(op.getBody()->getTerminator()->getOperand(0));
}

std::optional<SmallVector<Attribute>> UnaryChain::evaluate() const {
  Type element = getElementTypeOrSelf(source);
  SmallVector<Attribute> values;
  for (unsigned i = 0; i < 256; ++i) {
    Attribute value = IntegerAttr::get(element, APInt(8, i));
    for (linalg::GenericOp op : ops)
      value = value ? ::evaluate(op, value) : value;
    if (!value)
      return std::nullopt;
    values.push_back(value);
  }
  return values;
}

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
