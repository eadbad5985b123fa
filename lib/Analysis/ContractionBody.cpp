//===- ContractionBody.cpp - acc + f(lhs) * g(rhs), recognized ------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/ContractionBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/BodySlice.h"

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

/// Follows one factor of the product back to a block argument: ext(arg), or ext(arg) - zero.
static std::optional<ContractionBody::Input> matchFactor(LinalgOp op, Value value) {
  ContractionBody::Input input;
  if (auto sub = value.getDefiningOp<arith::SubIOp>()) {
    if (!getInvariant(op, sub.getRhs()) || !sub.getType().isInteger(32))
      return std::nullopt;
    input.zeroPoint = getInvariant(op, sub.getRhs());
    if (APInt constant; matchPattern(input.zeroPoint, m_ConstantInt(&constant))) {
      input.zeroOffset = constant.getSExtValue();
      input.zeroPoint = nullptr;
    }
    value = sub.getLhs();
  }
  bool isUnsigned = false;
  if (Operation *cast = value.getDefiningOp();
      isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(cast)) {
    isUnsigned = isa<arith::ExtUIOp>(cast);
    value = cast->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock() || !isKnownElement(value.getType()))
    return std::nullopt;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!op.isDpsInput(operand) || !isa<RankedTensorType, MemRefType>(operand->get().getType()))
    return std::nullopt;
  input.value = operand->get();
  input.map = op.getMatchingIndexingMap(operand);
  input.type = ElementType::get(value.getType());
  if (isUnsigned)
    input.type.kind = ElementType::UnsignedInt;
  return input;
}

std::optional<std::pair<Value, Value>> ucmoh::matchProduct(LinalgOp op) {
  if (op.getNumDpsInits() != 1 || !op.getBlock())
    return std::nullopt;
  Operation *add = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::AddFOp>(add))
    return std::nullopt;
  Value acc = op.getRegionOutputArgs()[0];
  if (add->getOperand(0) != acc && add->getOperand(1) != acc)
    return std::nullopt;
  Operation *mul = add->getOperand(add->getOperand(0) == acc ? 1 : 0).getDefiningOp();
  if (!isa_and_nonnull<arith::MulIOp, arith::MulFOp>(mul))
    return std::nullopt;
  return std::pair(mul->getOperand(0), mul->getOperand(1));
}

Value ucmoh::stripWidening(LinalgOp op, Value factor) {
  if (auto sub = factor.getDefiningOp<arith::SubIOp>(); sub && getInvariant(op, sub.getRhs()))
    factor = sub.getLhs();
  if (Operation *cast = factor.getDefiningOp();
      isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(cast))
    factor = cast->getOperand(0);
  return factor;
}

std::optional<ContractionBody> ucmoh::matchContractionBody(LinalgOp op) {
  auto product = matchProduct(op);
  if (!product)
    return std::nullopt;
  auto lhs = matchFactor(op, product->first), rhs = matchFactor(op, product->second);
  if (!lhs || !rhs || lhs->value == nullptr || rhs->value == nullptr)
    return std::nullopt;
  return ContractionBody{*lhs, *rhs};
}

linalg::GenericOp ucmoh::findElementwiseConsumer(LinalgOp op) {
  return findElementwiseConsumer(op->getResult(0));
}

linalg::GenericOp ucmoh::findElementwiseConsumer(Value result) {
  if (!result.hasOneUse())
    return {};
  OpOperand &use = *result.use_begin();
  auto consumer = dyn_cast<linalg::GenericOp>(use.getOwner());
  bool fits = consumer && consumer->getBlock() == result.getParentBlock() &&
              consumer.hasPureTensorSemantics() && consumer.getNumReductionLoops() == 0 &&
              consumer.isDpsInput(&use) && consumer.getMatchingIndexingMap(&use).isIdentity();
  return fits ? consumer : linalg::GenericOp();
}

bool ucmoh::reducesTwoOperands(LinalgOp op) {
  auto product = matchProduct(op);
  if (!product)
    return false;
  llvm::SmallBitVector lhs = sliceBody(op, product->first).loops;
  llvm::SmallBitVector rhs = sliceBody(op, product->second).loops;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return lhs != rhs && llvm::any_of(reductions, [&](unsigned dim) { return lhs[dim] && rhs[dim]; });
}
