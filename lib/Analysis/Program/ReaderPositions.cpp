//===- ReaderPositions.cpp - Indices as functions of loop iterations
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ucmoh;

std::optional<LinearForm> ProgramReader::position(AffineExpr expr, unsigned dims,
                                                  ValueRange operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearForm::ofConstant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return position(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return position(operands[dims + symbol.getPosition()]);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  auto left = binary ? position(binary.getLHS(), dims, operands) : std::nullopt;
  auto right = binary ? position(binary.getRHS(), dims, operands) : std::nullopt;
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *left + *right;
  if (!llvm::all_of(right->perIteration, [](int64_t step) { return step == 0; }))
    return std::nullopt;
  int64_t factor = right->constant;
  if (expr.getKind() == AffineExprKind::Mul)
    return *left * factor;
  if (expr.getKind() != AffineExprKind::FloorDiv || factor <= 0 ||
      !llvm::all_of(left->perIteration, [&](int64_t step) { return step % factor == 0; }))
    return std::nullopt;
  for (int64_t &step : left->perIteration)
    step /= factor;
  left->constant = llvm::divideFloorSigned(left->constant, factor);
  return left;
}

std::optional<LinearForm> ProgramReader::position(Value value) const {
  if (auto constant = getConstantIntValue(value))
    return LinearForm::ofConstant(*constant);
  if (auto loop = loopOf.find(value); loop != loopOf.end()) {
    LinearForm form;
    for (std::optional<unsigned> id = loop->second; id; id = program.loops[*id].refines)
      form += LinearForm::ofLoop(*id, program.loops[*id].step);
    return form;
  }
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op); apply)
    return position(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(),
                    apply.getOperands());
  if (!isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto left = position(op->getOperand(0)), right = position(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *left + *right;
  if (llvm::any_of(right->perIteration, [](int64_t step) { return step != 0; }))
    return std::nullopt;
  return *left * right->constant;
}

std::optional<int64_t> ProgramReader::bound(Value value) const {
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
      known = bound(min.getOperands()[dim.getPosition()]);
    if (known)
      least = std::min(*known, least.value_or(*known));
  }
  return least;
}

std::optional<unsigned> ProgramReader::loopBehind(Value value) const {
  if (auto loop = loopOf.find(value); loop != loopOf.end())
    return loop->second;
  std::optional<unsigned> innermost;
  if (Operation *op = value.getDefiningOp())
    for (Value operand : op->getOperands())
      if (auto loop = loopBehind(operand))
        innermost = std::max(*loop, innermost.value_or(0));
  return innermost;
}
