//===- UnaryChain.cpp - Functions of the elements of one tensor
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnaryChain.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "ucmoh/Analysis/KnownValues.h"

using namespace mlir;
using namespace ucmoh;

/// Whether the body depends on nothing but its arguments and constants.
static bool isFunctionOfElements(linalg::GenericOp op) {
  return llvm::all_of(*op.getBody(), [&](Operation &inner) {
    return inner.getNumRegions() == 0 && (isPure(&inner) || isa<linalg::YieldOp>(inner)) &&
           !isa<linalg::IndexOp>(inner) && llvm::all_of(inner.getOperands(), [&](Value operand) {
             return operand.getParentBlock() == op.getBody() || matchPattern(operand, m_Constant());
           });
  });
}

OpOperand *ucmoh::findUnaryInput(linalg::GenericOp op) {
  if (op.getNumReductionLoops() || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      !op.getRegionOutputArgs()[0].use_empty() || !isFunctionOfElements(op))
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

std::optional<UnaryChain> ucmoh::findUnaryChain(Value result) {
  UnaryChain chain{result, {}};
  while (auto op = chain.source.getDefiningOp<linalg::GenericOp>()) {
    bool isShared = chain.source != result && !chain.source.hasOneUse();
    OpOperand *input = isShared ? nullptr : findUnaryInput(op);
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
