//===- Softmax.cpp - Maxima that need not know what is no number
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A softmax divides exponentials of what its elements are above the maximum of their row by the
/// sum of these exponentials. NaN in a row makes the sum NaN, and so all of the row's results,
/// whatever the maximum is. A maximum that gives NaN too takes three instructions instead of one.
///
//===----------------------------------------------------------------------===//

#include "Rest.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Which values are NaN
//===----------------------------------------------------------------------===//

/// Whether the comparison is false where its operands are no numbers.
static bool isOrdered(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  return llvm::is_contained({P::OEQ, P::OGT, P::OGE, P::OLT, P::OLE, P::ONE, P::ORD}, predicate);
}

/// Whether the op's result is NaN where the values `known` are.
static bool passesNaN(Operation &op, const llvm::DenseSet<Value> &known) {
  auto isKnown = [&](Value value) { return known.contains(value); };
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto comparison = select.getCondition().getDefiningOp<arith::CmpFOp>();
    bool isFalse = comparison && isOrdered(comparison.getPredicate()) &&
                   llvm::any_of(comparison->getOperands(), isKnown);
    return isKnown(select.getFalseValue()) && (isFalse || isKnown(select.getTrueValue()));
  }
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
             arith::ExtFOp, arith::TruncFOp, arith::MaximumFOp, arith::MinimumFOp, math::FmaOp,
             math::ExpOp>(op) &&
         llvm::any_of(op.getOperands(), isKnown);
}

/// Whether all that the op computes from an element is NaN where the element is.
static bool passesNaN(linalg::GenericOp op, BlockArgument element) {
  llvm::DenseSet<Value> known{element};
  for (Operation &inner : op.getBody()->without_terminator())
    if (passesNaN(inner, known))
      known.insert(inner.getResult(0));
  return llvm::all_of(op.getBody()->getTerminator()->getOperands(),
                      [&](Value result) { return known.contains(result); });
}

//===----------------------------------------------------------------------===//
// What is a softmax
//===----------------------------------------------------------------------===//

namespace {
/// The maximum of rows, and what only reads it: values of each element above its row's maximum.
struct AboveMaximum {
  linalg::GenericOp maximum, op;
  BlockArgument element, most; ///< arguments of the second op's body
};
} // namespace

static linalg::GenericOp producerOf(OpOperand *operand) {
  return operand ? operand->get().getDefiningOp<linalg::GenericOp>() : linalg::GenericOp();
}

/// The operand that a value of the body is an element of, if it is one of the inputs.
static OpOperand *inputBehind(linalg::GenericOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  bool isInput = argument && argument.getOwner() == op.getBody() &&
                 argument.getArgNumber() < op.getNumDpsInputs();
  return isInput ? op.getDpsInputOperand(argument.getArgNumber()) : nullptr;
}

/// Whether the op reduces rows of its only input as they are.
template <typename... Combiners> static bool reducesRows(linalg::GenericOp op) {
  SmallVector<Operation *> combiners;
  if (!op || op->getNumResults() != 1 || op.getNumDpsInputs() != 1 || !op.getNumReductionLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
    return false;
  Value reduced = matchReduction(op.getRegionOutputArgs(), 0, combiners);
  return reduced == op.getRegionInputArgs()[0] && combiners.size() == 1 &&
         isa<Combiners...>(combiners.front());
}

static AffineMap rowsOf(linalg::GenericOp reduction) {
  return reduction.getMatchingIndexingMap(reduction.getDpsInitOperand(0));
}

/// The maximum among the inputs of `op`, if it is one of the same rows and nothing else reads it.
static std::optional<AboveMaximum> findMaximum(linalg::GenericOp op, AffineMap rows) {
  for (OpOperand *most : op.getDpsInputOperands()) {
    linalg::GenericOp maximum = producerOf(most);
    if (op.getMatchingIndexingMap(most) != rows ||
        !reducesRows<arith::MaximumFOp, arith::MaxNumFOp>(maximum) || rowsOf(maximum) != rows ||
        !maximum->hasOneUse())
      continue;
    for (OpOperand *element : op.getDpsInputOperands())
      if (element->get() == maximum.getDpsInputOperand(0)->get() &&
          op.getMatchingIndexingMap(element).isIdentity())
        return AboveMaximum{maximum, op, op.getMatchingBlockArgument(element),
                            op.getMatchingBlockArgument(most)};
  }
  return std::nullopt;
}

/// What the sum's elements are computed from, if nothing reads them but the sum and `quotient`.
static std::optional<AboveMaximum> matchSoftmax(linalg::GenericOp op, arith::DivFOp quotient) {
  OpOperand *element = inputBehind(op, quotient.getLhs()),
            *divisor = inputBehind(op, quotient.getRhs());
  linalg::GenericOp elements = producerOf(element), sum = producerOf(divisor);
  if (!elements || elements->getNumResults() != 1 || !elements->getResult(0).hasNUses(2) ||
      !quotient.getLhs().hasOneUse() || !reducesRows<arith::AddFOp>(sum) ||
      sum.getDpsInputOperand(0)->get() != element->get() ||
      !op.getMatchingIndexingMap(element).isIdentity() ||
      !elements.getMatchingIndexingMap(elements.getDpsInitOperand(0)).isIdentity() ||
      op.getMatchingIndexingMap(divisor) != rowsOf(sum))
    return std::nullopt;
  std::optional<AboveMaximum> found = findMaximum(elements, rowsOf(sum));
  return found && passesNaN(elements, found->element) ? found : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Maxima of numbers
//===----------------------------------------------------------------------===//

/// Begins with -inf, if the op begins with that or, as upstream's softmax, with NaN.
static bool beginWithLeast(RewriterBase &rewriter, linalg::GenericOp maximum) {
  auto fill = maximum.getDpsInitOperand(0)->get().getDefiningOp<linalg::FillOp>();
  APFloat first(0.0f);
  if (!fill || !matchPattern(fill.value(), m_ConstantFloat(&first)) ||
      !(first.isNaN() || (first.isInfinity() && first.isNegative())))
    return false;
  rewriter.setInsertionPoint(maximum);
  Value least = arith::ConstantOp::create(
      rewriter, fill.getLoc(),
      FloatAttr::get(fill.value().getType(), APFloat::getInf(first.getSemantics(), true)));
  auto filled = linalg::FillOp::create(rewriter, fill.getLoc(), least, fill.output());
  maximum.setDpsInitOperand(0, filled.getResult(0));
  return true;
}

/// Nothing is above the maximum, so no limit above 0 matters.
static void dropUpperLimits(RewriterBase &rewriter, const AboveMaximum &found) {
  for (Operation *user : found.element.getUsers()) {
    auto difference = dyn_cast<arith::SubFOp>(user);
    if (!difference || difference.getLhs() != found.element || difference.getRhs() != found.most)
      continue;
    for (Operation *use : llvm::make_early_inc_range(difference->getUsers())) {
      rewriter.setInsertionPoint(use);
      auto comparison = dyn_cast<arith::CmpFOp>(use);
      APFloat limit(0.0f);
      if (comparison && comparison.getPredicate() == arith::CmpFPredicate::OGT &&
          matchPattern(comparison.getRhs(), m_ConstantFloat(&limit)) && !limit.isNegative())
        rewriter.replaceOpWithNewOp<arith::ConstantOp>(comparison, rewriter.getBoolAttr(false));
    }
  }
}

/// Where there is NaN, the maximum is any number: no branch depends on it.
static void assumeNumbers(RewriterBase &rewriter, linalg::GenericOp maximum) {
  Operation *combiner = maximum.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  rewriter.setInsertionPoint(combiner);
  rewriter.replaceOpWithNewOp<arith::MaximumFOp>(
      combiner, combiner->getOperand(0), combiner->getOperand(1),
      arith::FastMathFlags::nnan | arith::FastMathFlags::nsz);
}

void ucmoh::relaxMaximum(RewriterBase &rewriter, linalg::GenericOp op, arith::DivFOp quotient) {
  std::optional<AboveMaximum> found = matchSoftmax(op, quotient);
  if (!found || !beginWithLeast(rewriter, found->maximum))
    return;
  dropUpperLimits(rewriter, *found);
  assumeNumbers(rewriter, found->maximum);
}
