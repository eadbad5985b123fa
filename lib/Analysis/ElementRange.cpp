//===- ElementRange.cpp - Between which bounds the elements of an operand lie
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/ElementRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Bounds of sign-extended values, at least one.
template <typename Values> static ConstantIntRanges boundValues(Values &&values, unsigned width) {
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width), umin = mask, umax = 0;
  int64_t smin = llvm::maxIntN(width), smax = llvm::minIntN(width);
  for (int64_t value : values) {
    smin = std::min(smin, value);
    smax = std::max(smax, value);
    umin = std::min(umin, value & mask);
    umax = std::max(umax, value & mask);
  }
  auto number = [&](uint64_t value) { return APInt(width, value & mask); };
  return {number(umin), number(umax), number(smin), number(smax)};
}

/// The bytes of weights are read as they lie in memory: there may be millions.
static std::optional<ConstantIntRanges> boundConstant(Attribute constant) {
  if (auto integer = dyn_cast<IntegerAttr>(constant))
    return ConstantIntRanges::constant(integer.getValue());
  if (auto resource = dyn_cast<DenseI8ResourceElementsAttr>(constant)) {
    std::optional<ArrayRef<int8_t>> bytes = resource.tryGetAsArrayRef();
    return bytes && !bytes->empty() ? std::optional(boundValues(*bytes, 8)) : std::nullopt;
  }
  auto dense = dyn_cast<DenseIntElementsAttr>(constant);
  auto type = dense ? dyn_cast<IntegerType>(dense.getElementType()) : IntegerType();
  if (!type || dense.empty() || type.getWidth() > 64)
    return std::nullopt;
  if (dense.isSplat())
    return ConstantIntRanges::constant(dense.getSplatValue<APInt>());
  if (type.isSignlessInteger(8))
    return boundValues(dense.getValues<int8_t>(), 8);
  auto extend = [](const APInt &value) { return value.getSExtValue(); };
  return boundValues(llvm::map_range(dense.getValues<APInt>(), extend), type.getWidth());
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

namespace {
/// Follows values, scalars or the elements of tensors, to what they are computed from.
class RangeInference {
public:
  ConstantIntRanges boundsOf(Value value, unsigned depth = 0);

private:
  /// Chains of producers beyond that are cut, which is sound.
  static constexpr unsigned largestDepth = 256;

  std::optional<ConstantIntRanges> infer(Value value, unsigned depth);
  std::optional<ConstantIntRanges> inferArgument(BlockArgument argument, unsigned depth);
  std::optional<ConstantIntRanges> inferPad(tensor::PadOp pad, unsigned depth);
  std::optional<ConstantIntRanges> inferPosition(linalg::IndexOp position);
  std::optional<ConstantIntRanges> inferElementwise(linalg::LinalgOp op, OpResult result,
                                                    unsigned depth);
  std::optional<ConstantIntRanges> inferScalar(InferIntRangeInterface op, Value result,
                                               unsigned depth);

  llvm::DenseMap<Value, ConstantIntRanges> known;
};
} // namespace

ConstantIntRanges RangeInference::boundsOf(Value value, unsigned depth) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  ConstantIntRanges all =
      ConstantIntRanges::maxRange(ConstantIntRanges::getStorageBitwidth(value.getType()));
  if (depth == largestDepth)
    return all;
  ConstantIntRanges range = infer(value, depth + 1).value_or(all);
  known.try_emplace(value, range);
  return range;
}

std::optional<ConstantIntRanges> RangeInference::infer(Value value, unsigned depth) {
  if (Attribute constant; matchPattern(value, m_Constant(&constant)))
    return boundConstant(constant);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return inferArgument(argument, depth);
  auto of = [&](Value source) { return boundsOf(source, depth); };
  using Result = std::optional<ConstantIntRanges>;
  return llvm::TypeSwitch<Operation *, Result>(value.getDefiningOp())
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto op) { return of(op.getSrc()); })
      .Case<tensor::CastOp, tensor::ExtractSliceOp>([&](auto op) { return of(op.getSource()); })
      .Case([&](tensor::PadOp op) { return inferPad(op, depth); })
      .Case([&](linalg::IndexOp op) { return inferPosition(op); })
      .Case([&](linalg::LinalgOp op) { return inferElementwise(op, cast<OpResult>(value), depth); })
      .Case([&](InferIntRangeInterface op) { return inferScalar(op, value, depth); })
      .Default(Result());
}

/// Reads the range that the caller promises.
static std::optional<ConstantIntRanges> readPromise(FunctionOpInterface function,
                                                    BlockArgument argument) {
  auto bounds =
      function.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), "ucmoh.range");
  if (!bounds)
    return std::nullopt;
  unsigned width = getElementTypeOrSelf(argument.getType()).getIntOrFloatBitWidth();
  bool isSigned = bounds[0] < 0;
  return ConstantIntRanges::range(APInt(width, bounds[0], isSigned),
                                  APInt(width, bounds[1], isSigned), isSigned);
}

/// In the body of a linalg op an argument stands for the elements of an operand.
std::optional<ConstantIntRanges> RangeInference::inferArgument(BlockArgument argument,
                                                               unsigned depth) {
  if (auto function = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return argument.getOwner()->isEntryBlock() ? readPromise(function, argument) : std::nullopt;
  auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
  if (!op || op.getNumReductionLoops())
    return std::nullopt;
  return boundsOf(op.getMatchingOpOperand(argument)->get(), depth);
}

std::optional<ConstantIntRanges> RangeInference::inferPad(tensor::PadOp pad, unsigned depth) {
  Value padding = pad.getConstantPaddingValue();
  if (!padding)
    return std::nullopt;
  return boundsOf(pad.getSource(), depth).rangeUnion(boundsOf(padding, depth));
}

/// From 0 to the last iteration of the loop.
std::optional<ConstantIntRanges> RangeInference::inferPosition(linalg::IndexOp position) {
  auto op = dyn_cast<linalg::LinalgOp>(position->getParentOp());
  int64_t extent = op ? op.getStaticLoopRanges()[position.getDim()] : ShapedType::kDynamic;
  if (ShapedType::isDynamic(extent) || extent == 0)
    return std::nullopt;
  unsigned width = ConstantIntRanges::getStorageBitwidth(position.getType());
  return ConstantIntRanges::fromSigned(APInt(width, 0), APInt(width, extent - 1));
}

/// Infers the range that the body yields, if it does so for each element of the result.
std::optional<ConstantIntRanges> RangeInference::inferElementwise(linalg::LinalgOp op,
                                                                  OpResult result, unsigned depth) {
  OpOperand *init = op.getTiedOpOperand(result);
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() ||
      !op.getMatchingIndexingMap(init).isPermutation())
    return std::nullopt;
  return boundsOf(op.getBlock()->getTerminator()->getOperand(result.getResultNumber()), depth);
}

std::optional<ConstantIntRanges> RangeInference::inferScalar(InferIntRangeInterface op,
                                                             Value result, unsigned depth) {
  auto isInteger = [](Type type) { return getElementTypeOrSelf(type).isIntOrIndex(); };
  if (!isInteger(result.getType()) || !llvm::all_of(op->getOperandTypes(), isInteger))
    return std::nullopt;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands())
    operands.push_back(boundsOf(operand, depth));
  std::optional<ConstantIntRanges> inferred;
  op.inferResultRanges(operands, [&](Value value, const ConstantIntRanges &range) {
    if (value == result)
      inferred = range;
  });
  return inferred;
}

//===----------------------------------------------------------------------===//
// Bounds of a type's values
//===----------------------------------------------------------------------===//

ElementRange ucmoh::fullRange(ElementType type) {
  if (type.kind == ElementType::UnsignedInt)
    return {0, static_cast<int64_t>(llvm::maxUIntN(type.bits))};
  return {llvm::minIntN(type.bits), llvm::maxIntN(type.bits)};
}

/// The next power of two, or 0.
static int64_t roundUp(int64_t magnitude) {
  return magnitude <= 0 ? 0 : static_cast<int64_t>(llvm::PowerOf2Ceil(magnitude));
}

ElementRange ucmoh::boundElements(Value tensor, ElementType type) {
  ElementRange all = fullRange(type);
  if (type.bits > 32) // a range is of no use, and what follows must not overflow
    return all;
  ConstantIntRanges bounds = RangeInference().boundsOf(tensor);
  if (type.kind == ElementType::UnsignedInt)
    return {0, std::min(all.high, roundUp(bounds.umax().getZExtValue()))};
  return {std::max(all.low, -roundUp(-bounds.smin().getSExtValue())),
          std::min(all.high, roundUp(bounds.smax().getSExtValue()))};
}

ElementRange ucmoh::boundExactly(Value value, bool isUnsigned) {
  ConstantIntRanges bounds = RangeInference().boundsOf(value);
  if (isUnsigned)
    return {static_cast<int64_t>(bounds.umin().getZExtValue()),
            static_cast<int64_t>(bounds.umax().getZExtValue())};
  return {bounds.smin().getSExtValue(), bounds.smax().getSExtValue()};
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

std::optional<double> ucmoh::findConstantFloat(Value value) {
  APFloat constant(0.0f);
  if (!matchPattern(value, m_ConstantFloat(&constant)))
    return std::nullopt;
  return constant.convertToDouble();
}

static constexpr FloatRange allFloats{-std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::infinity()};

/// Bounds of a product with a constant, and of what may be added; a little wider, as floats round.
static FloatRange scale(const FloatRange &range, double by, const FloatRange &added = {0, 0}) {
  if (!range.isFinite() || !added.isFinite() || !std::isfinite(by))
    return allFloats;
  constexpr double rounding = 0x1p-22; // that the product and the sum may have, relatively
  double low = range.low * by, high = range.high * by;
  if (by < 0)
    std::swap(low, high);
  low += added.low;
  high += added.high;
  double error = rounding * (std::max(std::abs(range.low), std::abs(range.high)) * std::abs(by) +
                             std::max(std::abs(added.low), std::abs(added.high)));
  return {low - error, high + error};
}

/// Bounds of an integer, a little wider where floats cannot hold it.
static FloatRange boundConverted(Value integer, bool isUnsigned) {
  constexpr double exact = 1 << 24; // all integers up to it are floats
  if (getElementTypeOrSelf(integer.getType()).getIntOrFloatBitWidth() > 32)
    return allFloats;
  ElementRange range = ucmoh::boundExactly(integer, isUnsigned);
  FloatRange bounds{double(range.low), double(range.high)};
  return bounds.within(-exact, exact) ? bounds : scale(bounds, 1);
}

/// Sums of integers do not round. Infinities count as such.
static bool areWhole(std::initializer_list<double> values) {
  return llvm::all_of(values, [](double value) { return std::trunc(value) == value; });
}

namespace {
/// Follows floats to what they are computed from, each once.
class FloatBounds {
public:
  FloatRange of(Value value);

private:
  FloatRange infer(Operation *op);

  llvm::DenseMap<Value, FloatRange> known;
};
} // namespace

FloatRange FloatBounds::of(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return allFloats;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  FloatRange range = infer(op);
  known.try_emplace(value, range);
  return range;
}

FloatRange FloatBounds::infer(Operation *op) {
  if (isa<math::RoundEvenOp>(op)) {
    FloatRange range = of(op->getOperand(0));
    return {std::nearbyint(range.low), std::nearbyint(range.high)};
  }
  if (isa<math::RoundOp, math::FloorOp, math::CeilOp, math::TruncOp>(op)) {
    FloatRange range = of(op->getOperand(0));
    return {std::floor(range.low), std::ceil(range.high)};
  }
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return boundConverted(op->getOperand(0), isa<arith::UIToFPOp>(op));
  if (!isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp, math::FmaOp>(op))
    return allFloats;
  std::optional<double> constant = ucmoh::findConstantFloat(op->getOperand(1));
  if (!constant)
    return allFloats;
  FloatRange range = of(op->getOperand(0));
  if (isa<math::FmaOp>(op))
    return scale(range, *constant, of(op->getOperand(2)));
  if (isa<arith::MulFOp>(op))
    return scale(range, *constant);
  if (isa<arith::AddFOp>(op) && areWhole({range.low, range.high, *constant}))
    return {range.low + *constant, range.high + *constant};
  if (isa<arith::AddFOp>(op))
    return scale(range, 1, {*constant, *constant});
  auto limit = [&](double x) {
    return isa<arith::MaximumFOp>(op) ? std::max(x, *constant) : std::min(x, *constant);
  };
  return {limit(range.low), limit(range.high)};
}

FloatRange ucmoh::boundFloat(Value value) { return FloatBounds().of(value); }
