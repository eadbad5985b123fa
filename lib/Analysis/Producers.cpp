//===- Producers.cpp - What the operands of a contraction were made from --===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/BodySlice.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Slices.h"

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

namespace {
/// Says what an op does to the elements of one input besides moving them.
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
      sub && sub.getType().isInteger(32) && getInvariant(producer, sub.getRhs())) {
    move.zero = getInvariant(producer, sub.getRhs());
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
  if (!map || (move->cast && !allowCast) ||
      !isKnownElement(getElementTypeOrSelf(move->operand->get())))
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

bool ucmoh::matchRounding(LinalgOp op) {
  return op.getNumReductionLoops() == 0 && op.getNumDpsInits() == 1 && op.getBlock() &&
         llvm::any_of(*op.getBlock(),
                      [](Operation &each) { return isa<math::RoundEvenOp, math::RoundOp>(each); });
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

/// `map` to the indices of a tensor of `shape`, turned into one to those of the tensor whose dims,
/// in these groups, are its dims: of each group all but one have extent 1.
static AffineMap mapToExpanded(AffineMap map, ArrayRef<int64_t> expanded,
                               ArrayRef<ReassociationIndices> groups) {
  SmallVector<AffineExpr> indices(expanded.size(), getAffineConstantExpr(0, map.getContext()));
  for (auto [expr, group] : llvm::zip_equal(map.getResults(), groups))
    for (int64_t dim : group)
      if (expanded[dim] != 1)
        indices[dim] = expr;
  return AffineMap::get(map.getNumDims(), 0, indices, map.getContext());
}

/// The other way round.
static AffineMap mapToCollapsed(AffineMap map, ArrayRef<int64_t> expanded,
                                ArrayRef<ReassociationIndices> groups) {
  SmallVector<AffineExpr> indices;
  for (const ReassociationIndices &group : groups) {
    indices.push_back(getAffineConstantExpr(0, map.getContext()));
    for (int64_t dim : group)
      if (expanded[dim] != 1)
        indices.back() = map.getResult(dim);
  }
  return AffineMap::get(map.getNumDims(), 0, indices, map.getContext());
}

bool ucmoh::haveOneDimEach(RankedTensorType expanded, ArrayRef<ReassociationIndices> groups) {
  return expanded.hasStaticShape() && llvm::all_of(groups, [&](ArrayRef<int64_t> group) {
           return llvm::count_if(group,
                                 [&](int64_t dim) { return expanded.getDimSize(dim) != 1; }) <= 1;
         });
}

/// Steps over a reshape that adds or drops dims of extent 1.
static bool stepOverUnitDims(ContractionBody::Input &input) {
  if (auto expand = input.value.getDefiningOp<tensor::ExpandShapeOp>()) {
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    if (!haveOneDimEach(expand.getResultType(), groups))
      return false;
    input.map = mapToCollapsed(input.map, expand.getResultType().getShape(), groups);
    input.value = expand.getSrc();
    return true;
  }
  auto collapse = input.value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse)
    return false;
  SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
  if (!haveOneDimEach(collapse.getSrcType(), groups))
    return false;
  input.map = mapToExpanded(input.map, collapse.getSrcType().getShape(), groups);
  input.value = collapse.getSrc();
  return true;
}

/// Steps over what moves elements (or extends, or shifts them, if allowed), and over reshapes in
/// front of it.
static bool stepOver(ContractionBody::Input &input, bool allowCast) {
  ContractionBody::Input reshaped = input;
  do {
    if (stepOverMove(reshaped, allowCast) || (allowCast && stepOverShift(reshaped))) {
      input = reshaped;
      return true;
    }
  } while (stepOverUnitDims(reshaped));
  return false;
}

void ucmoh::lookThroughProducers(ContractionBody::Input &input) {
  while (stepOver(input, /*allowCast=*/true))
    ;
}

void ucmoh::lookThroughMoves(ContractionBody::Input &input) {
  while (stepOver(input, /*allowCast=*/false))
    ;
}

void ucmoh::lookThroughSlice(ContractionBody::Input &input) {
  ContractionBody::Input reshaped = input;
  while (stepOverUnitDims(reshaped))
    ;
  if (findStridesOfSlice(reshaped.value))
    input = reshaped;
}
