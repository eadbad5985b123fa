//===- ContractionBody.cpp - acc + f(lhs) * g(rhs), recognized ------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/ContractionBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

/// The value outside of the body that a scalar of the body is the same as in each iteration.
static Value asInvariantScalar(LinalgOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock())
    return value; // a constant, or defined above
  OpOperand *operand = op.getMatchingOpOperand(argument);
  return isa<ShapedType>(operand->get().getType()) ? Value() : operand->get();
}

/// Defined outside of the body or a scalar input of the op.
static bool isInvariant(LinalgOp op, Value value) {
  Operation *definition = value.getDefiningOp();
  if (definition && definition->getBlock() == op.getBlock() &&
      !definition->hasTrait<OpTrait::ConstantLike>())
    return false;
  return asInvariantScalar(op, value) != nullptr;
}

/// Follows one factor of the product back to a block argument: ext(arg), or ext(arg) - zero.
static std::optional<ContractionBody::Input> matchFactor(LinalgOp op, Value value) {
  ContractionBody::Input input;
  if (auto sub = value.getDefiningOp<arith::SubIOp>()) {
    if (!isInvariant(op, sub.getRhs()) || !sub.getType().isInteger(32))
      return std::nullopt;
    input.zeroPoint = asInvariantScalar(op, sub.getRhs());
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
  if (!argument || argument.getOwner() != op.getBlock())
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

std::optional<ContractionBody> ucmoh::matchContractionBody(LinalgOp op) {
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
  auto lhs = matchFactor(op, mul->getOperand(0)), rhs = matchFactor(op, mul->getOperand(1));
  if (!lhs || !rhs || lhs->value == nullptr || rhs->value == nullptr)
    return std::nullopt;
  return ContractionBody{*lhs, *rhs};
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

/// The one input of an op whose elements it moves without computing, or extends.
static OpOperand *movedInput(LinalgOp producer, Operation *&cast) {
  cast = nullptr;
  if (producer.getNumReductionLoops() || producer.getNumDpsInits() != 1)
    return nullptr;
  Value yielded = producer.getBlock()->getTerminator()->getOperand(0);
  if (Operation *op = yielded.getDefiningOp();
      isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(op)) {
    cast = op;
    yielded = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument || argument.getOwner() != producer.getBlock())
    return nullptr;
  OpOperand *operand = producer.getMatchingOpOperand(argument);
  bool isTensor = isa<RankedTensorType>(operand->get().getType());
  return producer.isDpsInput(operand) && isTensor ? operand : nullptr;
}

/// `input.map` of the producer's result, turned into one of the producer's operand.
static AffineMap mapThrough(LinalgOp producer, OpOperand *operand, AffineMap map) {
  AffineMap out = producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  if (!out.isPermutation())
    return {};
  return producer.getMatchingIndexingMap(operand).compose(inversePermutation(out)).compose(map);
}

/// Steps over a producer that moves elements or, if allowed, extends them.
static bool stepOverMove(ContractionBody::Input &input, bool allowCast) {
  auto producer = input.value.getDefiningOp<LinalgOp>();
  Operation *cast = nullptr;
  OpOperand *operand = producer ? movedInput(producer, cast) : nullptr;
  AffineMap map = operand ? mapThrough(producer, operand, input.map) : AffineMap();
  if (!map || (cast && !allowCast))
    return false;
  if (cast) {
    bool isUnsigned = isa<arith::ExtUIOp>(cast);
    if (input.type.kind == ElementType::UnsignedInt && !isUnsigned)
      return false; // zero extension of a sign extension is neither
    input.type = ElementType::get(getElementTypeOrSelf(operand->get().getType()));
    if (isUnsigned)
      input.type.kind = ElementType::UnsignedInt;
  }
  input.value = operand->get();
  input.map = map;
  return true;
}

bool ucmoh::matchShift(LinalgOp op) {
  if (op.getNumReductionLoops() || op.getNumDpsInits() != 1 || op.getNumDpsInputs() != 1 ||
      !isa<RankedTensorType>(op.getDpsInputs()[0].getType()))
    return false;
  Operation *shift = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  APInt amount;
  return isa_and_nonnull<arith::AddIOp, arith::XOrIOp, arith::SubIOp>(shift) &&
         shift->getResult(0).getType().isInteger(8) &&
         shift->getOperand(0) == op.getBlock()->getArgument(0) &&
         matchPattern(shift->getOperand(1), m_ConstantInt(&amount)) && amount == 0x80;
}

/// Steps over a shift: the same value, read with the other sign, is off by 128.
static bool stepOverShift(ContractionBody::Input &input) {
  auto producer = input.value.getDefiningOp<LinalgOp>();
  if (!producer || input.type.bits != 8 || !input.type.isInteger() || !matchShift(producer))
    return false;
  AffineMap map = mapThrough(producer, producer.getDpsInputOperand(0), input.map);
  if (!map)
    return false;
  bool wasSigned = input.type.kind == ElementType::SignedInt;
  input.type.kind = wasSigned ? ElementType::UnsignedInt : ElementType::SignedInt;
  input.zeroOffset += wasSigned ? 128 : -128;
  input.value = producer.getDpsInputs()[0];
  input.map = map;
  return true;
}

void ucmoh::lookThroughProducers(ContractionBody::Input &input) {
  while (stepOverMove(input, /*allowCast=*/true) || stepOverShift(input))
    ;
}

void ucmoh::lookThroughMoves(ContractionBody::Input &input) {
  while (stepOverMove(input, /*allowCast=*/false))
    ;
}
