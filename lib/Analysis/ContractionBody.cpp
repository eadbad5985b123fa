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
  if (auto sub = factor.getDefiningOp<arith::SubIOp>(); sub && isInvariant(op, sub.getRhs()))
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

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

namespace {
/// What an op does to the elements of one input besides moving them.
struct Move {
  OpOperand *operand;
  Operation *cast = nullptr; ///< the extension, if any
  Value zero;                ///< subtracted after the extension, or null
};
} // namespace

/// Matches an op that yields an element of one input: as it is, extended, or ext(x) - zero.
static std::optional<Move> matchMove(LinalgOp producer) {
  if (producer.getNumReductionLoops() || producer.getNumDpsInits() != 1)
    return std::nullopt;
  Move move;
  Value yielded = producer.getBlock()->getTerminator()->getOperand(0);
  if (auto sub = yielded.getDefiningOp<arith::SubIOp>();
      sub && sub.getType().isInteger(32) && isInvariant(producer, sub.getRhs())) {
    move.zero = asInvariantScalar(producer, sub.getRhs());
    yielded = sub.getLhs();
  }
  if (Operation *op = yielded.getDefiningOp();
      isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(op)) {
    move.cast = op;
    yielded = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument || argument.getOwner() != producer.getBlock() || (move.zero && !move.cast))
    return std::nullopt;
  move.operand = producer.getMatchingOpOperand(argument);
  if (!producer.isDpsInput(move.operand) || !isa<RankedTensorType>(move.operand->get().getType()))
    return std::nullopt;
  return move;
}

bool ucmoh::matchMoveOrWidening(LinalgOp op) { return matchMove(op).has_value(); }

/// `input.map` of the producer's result, turned into one of the producer's operand.
static AffineMap mapThrough(LinalgOp producer, OpOperand *operand, AffineMap map) {
  AffineMap out = producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  if (!out.isPermutation())
    return {};
  return producer.getMatchingIndexingMap(operand).compose(inversePermutation(out)).compose(map);
}

/// Takes over the zero point that a producer subtracts, if there is room for one more.
static bool addZeroPoint(ContractionBody::Input &input, Value zero) {
  if (APInt constant; matchPattern(zero, m_ConstantInt(&constant))) {
    input.zeroOffset += constant.getSExtValue();
    return true;
  }
  if (input.zeroPoint)
    return false;
  input.zeroPoint = zero;
  return true;
}

/// Steps over a producer that moves elements or, if allowed, extends them.
static bool stepOverMove(ContractionBody::Input &input, bool allowCast) {
  auto producer = input.value.getDefiningOp<LinalgOp>();
  std::optional<Move> move = producer ? matchMove(producer) : std::nullopt;
  AffineMap map = move ? mapThrough(producer, move->operand, input.map) : AffineMap();
  if (!map || (move->cast && !allowCast))
    return false;
  if (move->cast) {
    bool isUnsigned = isa<arith::ExtUIOp>(move->cast);
    // Zero extension of a sign extension, or of a difference, is neither.
    if (input.type.kind == ElementType::UnsignedInt && (!isUnsigned || move->zero))
      return false;
    if (move->zero && !addZeroPoint(input, move->zero))
      return false;
    input.type = ElementType::get(getElementTypeOrSelf(move->operand->get().getType()));
    if (isUnsigned)
      input.type.kind = ElementType::UnsignedInt;
  }
  input.value = move->operand->get();
  input.map = map;
  return true;
}

Value ucmoh::stripShift(Value value) {
  Operation *shift = value.getDefiningOp();
  APInt amount;
  bool isShift = isa_and_nonnull<arith::AddIOp, arith::XOrIOp, arith::SubIOp>(shift) &&
                 value.getType().isInteger(8) &&
                 matchPattern(shift->getOperand(1), m_ConstantInt(&amount)) && amount == 0x80;
  return isShift ? shift->getOperand(0) : value;
}

bool ucmoh::matchShift(LinalgOp op) {
  if (op.getNumReductionLoops() || op.getNumDpsInits() != 1 || op.getNumDpsInputs() != 1 ||
      !isa<RankedTensorType>(op.getDpsInputs()[0].getType()))
    return false;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0), source = stripShift(yielded);
  return source != yielded && source == op.getBlock()->getArgument(0);
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
