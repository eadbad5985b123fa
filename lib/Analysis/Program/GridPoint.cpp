//===- GridPoint.cpp - Values at one point of a grid
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridPoint.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

std::optional<int64_t> GridPoint::evaluate(AffineExpr expr, unsigned dims,
                                           ValueRange operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return evaluate(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return evaluate(operands[dims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto left = evaluate(binary.getLHS(), dims, operands);
  auto right = evaluate(binary.getRHS(), dims, operands);
  bool divides = expr.getKind() != AffineExprKind::Add && expr.getKind() != AffineExprKind::Mul;
  if (!left || !right || (divides && *right <= 0))
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return *left + *right;
  case AffineExprKind::Mul:
    return *left * *right;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*left, *right);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(*left, *right);
  case AffineExprKind::Mod:
    return llvm::mod(*left, *right);
  default:
    llvm_unreachable("the others are no binary operations");
  }
}

std::optional<int64_t> GridPoint::evaluate(Value value) const {
  if (auto constant = getConstantIntValue(value))
    return constant;
  if (auto number = numbers.find(value); number != numbers.end())
    return number->second;
  Operation *op = value.getDefiningOp();
  if (!op || isa<gpu::ThreadIdOp>(op))
    return thread; // the launch's argument, or an op
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return evaluate(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(),
                    apply.getOperands());
  if (!isa<arith::AddIOp, arith::MulIOp, arith::DivUIOp, arith::RemUIOp>(op))
    return std::nullopt;
  auto left = evaluate(op->getOperand(0)), right = evaluate(op->getOperand(1));
  bool divides = isa<arith::DivUIOp, arith::RemUIOp>(op);
  if (!left || !right || (divides && *right <= 0))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](arith::AddIOp) { return *left + *right; })
      .Case([&](arith::MulIOp) { return *left * *right; })
      .Case([&](arith::DivUIOp) { return *left / *right; })
      .Case([&](arith::RemUIOp) { return *left % *right; });
}
