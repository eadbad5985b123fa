//===- StagingRuns.cpp - Copies of whole rows to scratch
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Staging.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

/// How many elements of a chunk exist.
Value Staging::countValid(const Copy &copy, ArrayRef<Bound> bounds) {
  OpBuilder &builder = b.builder;
  Value valid = b.index(copy.elements), none = b.index(0);
  for (const Bound &bound : bounds) {
    if (bound.isCertain)
      continue;
    Value value = b.asValue(bound.value), end = b.index(bound.bound);
    if (bound.isAlong) {
      Value left = arith::SubIOp::create(builder, b.loc, end, value);
      left = arith::MaxSIOp::create(builder, b.loc, left, none);
      valid = arith::MinSIOp::create(builder, b.loc, valid, left);
      continue;
    }
    Value holds = arith::CmpIOp::create(builder, b.loc, arith::CmpIPredicate::slt, value, end);
    valid = arith::SelectOp::create(builder, b.loc, holds, valid, none);
  }
  return valid;
}

/// Zeros in the place of what a chunk lacks.
void Staging::clear(const Copy &copy, Value to, Value valid, int64_t unit) {
  auto loop = scf::ForOp::create(b.builder, b.loc, valid, b.index(copy.elements), b.index(unit));
  loop->setAttr("ucmoh.loop", b.builder.getStringAttr("edge"));
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(loop.getBody());
  auto type = VectorType::get({unit}, copy.want.getType(b.builder.getContext()));
  Value zero = arith::ConstantOp::create(b.builder, b.loc, b.builder.getZeroAttr(type));
  Value at = arith::AddIOp::create(b.builder, b.loc, to, loop.getInductionVar());
  vector::StoreOp::create(b.builder, b.loc, zero, copy.target, at, /*nontemporal=*/false,
                          llvm::MaybeAlign(unit * copy.want.bits / 8));
}

/// By one copy of any length that a barrier counts.
void Staging::copyRun(const Copy &copy, AsyncCopyOp found, OpFoldResult from, Value to,
                      ArrayRef<Bound> bounds) {
  auto emit = [&](Value valid) {
    CopyOp::create(b.builder, b.loc, nameOf(found), copy.source, b.asValue(from), copy.target, to,
                   valid, b.builder.getI64IntegerAttr(copy.elements), barriers, slot);
  };
  if (llvm::all_of(bounds, [](const Bound &bound) { return bound.isCertain; }))
    return emit(b.index(copy.elements));
  Value valid = countValid(copy, bounds);
  Value some =
      arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::sgt, valid, b.index(0));
  auto guarded = scf::IfOp::create(b.builder, b.loc, some, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b.builder);
    b.builder.setInsertionPointToStart(guarded.thenBlock());
    emit(valid);
  }
  clear(copy, to, valid, found.getBytes() * 8 / copy.want.bits);
}
