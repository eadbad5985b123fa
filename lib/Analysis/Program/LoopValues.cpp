//===- LoopValues.cpp - Values of the IR as functions of loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopValues.h"
#include "KernelBuffers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

bool LoopValues::isThread(Value value) const {
  if (thread && value == thread)
    return true;
  auto id = value.getDefiningOp<gpu::ThreadIdOp>();
  return id && id.getDimension() == gpu::Dimension::x;
}

std::optional<SmallVector<int64_t>> LoopValues::evaluateAll(ValueRange values) {
  SmallVector<int64_t> found;
  for (Value each : values) {
    std::optional<int64_t> number = evaluate(each);
    if (!number)
      return std::nullopt;
    found.push_back(*number);
  }
  return found;
}

std::optional<int64_t> LoopValues::evaluateMap(AffineMap map, ValueRange operands, bool smallest) {
  std::optional<SmallVector<int64_t>> inputs = evaluateAll(operands);
  if (!inputs)
    return std::nullopt;
  std::optional<int64_t> best;
  for (AffineExpr expr : map.getResults()) {
    std::optional<int64_t> value = ucmoh::evaluate(expr, *inputs, map.getNumDims());
    if (!value)
      return std::nullopt;
    best = !best ? *value : smallest ? std::min(*best, *value) : std::max(*best, *value);
  }
  return best;
}

/// Returns the result of an op of scalars, if it is known for these operands.
static std::optional<int64_t> compute(Operation *op, ArrayRef<int64_t> in) {
  auto divided = [&](auto function) -> std::optional<int64_t> {
    return in[1] > 0 ? std::optional<int64_t>(function(in[0], in[1])) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](arith::AddIOp) { return in[0] + in[1]; })
      .Case([&](arith::SubIOp) { return in[0] - in[1]; })
      .Case([&](arith::MulIOp) { return in[0] * in[1]; })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>([&](Operation *) {
        return divided([](int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); });
      })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](Operation *) {
        return divided([](int64_t a, int64_t b) { return llvm::mod(a, b); });
      })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](Operation *) { return std::min(in[0], in[1]); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](Operation *) { return std::max(in[0], in[1]); })
      .Case([&](arith::AndIOp) { return in[0] & in[1]; })
      .Case([&](arith::OrIOp) { return in[0] | in[1]; })
      // An address that is formed even where an operand has ended: the other one is the rule.
      .Case([&](arith::SelectOp) { return in[1]; })
      .Case([&](arith::CmpIOp compare) {
        return arith::applyCmpPredicate(compare.getPredicate(), APInt(64, in[0], true),
                                        APInt(64, in[1], true));
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp>(
          [&](Operation *) { return in[0]; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<int64_t> LoopValues::evaluateOp(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return evaluateMap(apply.getAffineMap(), apply.getOperands(), /*smallest=*/true);
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return evaluateMap(min.getMap(), min.getOperands(), /*smallest=*/true);
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return evaluateMap(max.getMap(), max.getOperands(), /*smallest=*/false);
  std::optional<SmallVector<int64_t>> operands = evaluateAll(op->getOperands());
  return operands ? compute(op, *operands) : std::nullopt;
}

std::optional<int64_t> LoopValues::evaluate(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  if (auto number = numbers.find(value); number != numbers.end())
    return number->second;
  if (auto variable = variables.find(value); variable != variables.end()) {
    const Position &at = variable->second.at;
    return at.first + (point ? at.step(*point) : 0);
  }
  if (isThread(value))
    return threadNumber + (point == 0u ? subgroupSize : 0);
  Operation *op = value.getDefiningOp();
  if (auto metadata = dyn_cast_or_null<memref::ExtractStridedMetadataOp>(op))
    return value == metadata.getOffset() ? startOf(metadata.getSource()) : std::nullopt;
  return op ? evaluateOp(op) : std::nullopt;
}

std::optional<int64_t> LoopValues::evaluate(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  return evaluate(cast<Value>(value));
}

/// The offset of a view, in elements of its memory. A buffer that may begin anywhere begins at 0.
std::optional<int64_t> LoopValues::startOf(Value view) {
  Operation *op = view.getDefiningOp();
  if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
    return evaluate(cast.getMixedOffsets().front());
  if (auto part = dyn_cast_or_null<memref::SubViewOp>(op))
    return elementAt(part.getSource(), part.getMixedOffsets());
  if (view != findBuffer(view))
    return startOf(op->getOperand(0));
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(cast<MemRefType>(view.getType()).getStridesAndOffset(strides, offset)))
    return std::nullopt;
  return ShapedType::isDynamic(offset) ? 0 : offset;
}

std::optional<int64_t> LoopValues::elementAt(Value view, ArrayRef<OpFoldResult> indices) {
  int64_t offset;
  SmallVector<int64_t> strides;
  std::optional<int64_t> at = startOf(view);
  if (!at || failed(cast<MemRefType>(view.getType()).getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    std::optional<int64_t> by = evaluate(index);
    if (!by || ShapedType::isDynamic(stride))
      return std::nullopt;
    *at += *by * stride;
  }
  return at;
}

std::optional<int64_t> LoopValues::numberOf(Value value, int64_t ofThread) {
  point.reset();
  threadNumber = ofThread;
  std::optional<int64_t> number = evaluate(value);
  threadNumber = 0;
  return number;
}

std::optional<Position> LoopValues::positionOf(function_ref<std::optional<int64_t>()> evaluateThere,
                                               size_t points) {
  point.reset();
  std::optional<int64_t> first = evaluateThere();
  if (!first)
    return std::nullopt;
  Position position = Position::ofConstant(*first);
  for (point = 0; *point < points; ++*point) {
    std::optional<int64_t> moved = evaluateThere();
    if (!moved)
      return std::nullopt;
    position.steps.push_back(*moved - *first);
  }
  point.reset();
  return position;
}

std::optional<Position> LoopValues::positionOf(Value value, size_t points) {
  return positionOf([&] { return evaluate(value); }, points);
}

std::optional<Position> LoopValues::positionOf(Value view, ValueRange indices, size_t points) {
  SmallVector<OpFoldResult> at = getAsOpFoldResult(indices);
  std::optional<int64_t> start = startOf(findBuffer(view));
  if (!start)
    return std::nullopt;
  return positionOf(
      [&] {
        std::optional<int64_t> element = at.empty() ? startOf(view) : elementAt(view, at);
        return element ? std::optional(*element - *start) : std::nullopt;
      },
      points);
}

std::optional<int64_t> LoopValues::largest(Value value) {
  if (auto constant = getConstantIntValue(value))
    return constant;
  auto min = value.getDefiningOp<affine::AffineMinOp>();
  if (!min)
    return std::nullopt;
  std::optional<int64_t> least;
  for (AffineExpr expr : min.getMap().getResults()) {
    std::optional<int64_t> known;
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      known = constant.getValue();
    else if (auto dim = dyn_cast<AffineDimExpr>(expr))
      known = largest(min.getOperands()[dim.getPosition()]);
    if (known)
      least = std::min(*known, least.value_or(*known));
  }
  return least;
}

std::optional<unsigned> LoopValues::loopOf(Value value) const {
  auto variable = variables.find(value);
  return variable == variables.end() ? std::nullopt : std::optional(variable->second.loop);
}

LoopValues::Dependence LoopValues::dependenceOf(Value value) {
  if (std::optional<unsigned> loop = loopOf(value))
    return {loop, false};
  if (isThread(value))
    return {std::nullopt, true};
  Dependence all;
  if (Operation *op = value.getDefiningOp())
    for (Value operand : op->getOperands()) {
      Dependence one = dependenceOf(operand);
      all.onThread |= one.onThread;
      if (one.loop)
        all.loop = std::max(*one.loop, all.loop.value_or(0));
    }
  return all;
}

bool LoopValues::dependsOn(Value value, unsigned loop) {
  if (std::optional<unsigned> known = loopOf(value))
    return *known == loop;
  Operation *op = value.getDefiningOp();
  return op &&
         llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOn(operand, loop); });
}

bool LoopValues::dividesInMap(AffineMap map, ValueRange operands, unsigned loop) {
  bool found = false;
  auto uses = [&](AffineExpr part, size_t i) {
    return i < map.getNumDims() ? part.isFunctionOfDim(i)
                                : part.isFunctionOfSymbol(i - map.getNumDims());
  };
  map.getResult(0).walk([&](AffineExpr part) {
    if (part.getKind() == AffineExprKind::Mod || part.getKind() == AffineExprKind::FloorDiv)
      for (auto [i, operand] : llvm::enumerate(operands))
        found |= uses(part, i) && dependsOn(operand, loop);
  });
  return found;
}

bool LoopValues::divides(Value value, unsigned loop) {
  Operation *op = value.getDefiningOp();
  if (!op || !dependsOn(value, loop))
    return false;
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp, arith::FloorDivSIOp>(op))
    return true;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op);
      apply && dividesInMap(apply.getAffineMap(), apply.getOperands(), loop))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) { return divides(operand, loop); });
}
