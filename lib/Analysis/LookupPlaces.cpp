//===- LookupPlaces.cpp - Which arguments are places in a table
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/LookupPlaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

/// What a value of a body, or the elements of a tensor, are a copy of; null if they are none. A
/// body's argument stands for the elements of an operand, and a result for what its body yields.
static Value copied(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    return op ? op.getMatchingOpOperand(argument)->get() : Value();
  }
  return llvm::TypeSwitch<Operation *, Value>(value.getDefiningOp())
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>([](auto op) { return op.getIn(); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([](auto op) { return op.getSrc(); })
      .Case([](tensor::CastOp op) { return op.getSource(); })
      .Case([&](linalg::LinalgOp op) {
        bool isElementwise = op.getNumReductionLoops() == 0 && op.hasPureTensorSemantics();
        unsigned number = cast<OpResult>(value).getResultNumber();
        return isElementwise ? op.getBlock()->getTerminator()->getOperand(number) : Value();
      })
      .Default(Value());
}

/// The first value of a chain of copies.
static Value originOf(Value value) {
  while (Value source = copied(value))
    value = source;
  return value;
}

/// The place in `place < 0 ? place + extent : place`, which counts from the end; else null.
static Value placeFromEnd(Value value, int64_t extent) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return Value();
  Value place = originOf(select.getFalseValue());
  auto compare = originOf(select.getCondition()).getDefiningOp<arith::CmpIOp>();
  auto sum = originOf(select.getTrueValue()).getDefiningOp<arith::AddIOp>();
  APInt added;
  bool isSum = sum && originOf(sum.getLhs()) == place &&
               matchPattern(sum.getRhs(), m_ConstantInt(&added)) && added.getSExtValue() == extent;
  bool isNegative = compare && compare.getPredicate() == arith::CmpIPredicate::slt &&
                    originOf(compare.getLhs()) == place && matchPattern(compare.getRhs(), m_Zero());
  return isSum && isNegative ? place : Value();
}

SmallVector<std::optional<ElementRange>> ucmoh::findLookupPlaces(func::FuncOp function) {
  SmallVector<std::optional<ElementRange>> found(function.getNumArguments());
  function.walk([&](tensor::ExtractOp lookup) {
    for (auto [dim, place] : llvm::enumerate(lookup.getIndices())) {
      int64_t extent = lookup.getTensor().getType().getDimSize(dim);
      Value origin = originOf(place), counted = placeFromEnd(origin, extent);
      auto argument = dyn_cast<BlockArgument>(counted ? counted : origin);
      if (!argument || ShapedType::isDynamic(extent) || argument.getOwner() != &function.front())
        continue;
      std::optional<ElementRange> &range = found[argument.getArgNumber()];
      ElementRange inside = {counted ? -extent : 0, extent - 1};
      range =
          range ? ElementRange{std::max(range->low, inside.low), std::min(range->high, inside.high)}
                : inside;
    }
  });
  return found;
}
