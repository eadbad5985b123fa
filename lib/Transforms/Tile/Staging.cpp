//===- Staging.cpp - Copies of operands to shared memory by a block of threads
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Staging.h"
#include "Operands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// Chunks of one thread that are written out one by one.
static constexpr int64_t mostUnrolled = 8;

//===----------------------------------------------------------------------===//
// Which thread copies what
//===----------------------------------------------------------------------===//

void Staging::forEachChunk(int64_t count, function_ref<void(OpFoldResult)> body) {
  int64_t threads = shared.threads(), turns = llvm::divideCeil(count, threads);
  auto turn = [&](OpFoldResult i) {
    OpFoldResult number = b.add(thread, b.mul(i, threads));
    if (count % threads == 0)
      return body(number);
    Value exists = arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::slt,
                                         b.asValue(number), b.index(count));
    auto guarded = scf::IfOp::create(b.builder, b.loc, exists, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b.builder);
    b.builder.setInsertionPointToStart(guarded.thenBlock());
    body(number);
  };
  if (turns > mostUnrolled)
    return b.loop(b.builder.getIndexAttr(0), b.builder.getIndexAttr(turns), 1, turn);
  for (int64_t i = 0; i < turns; ++i)
    turn(b.builder.getIndexAttr(i));
}

SmallVector<OpFoldResult> Staging::split(OpFoldResult number, ArrayRef<int64_t> sizes) {
  AffineExpr rest = b.builder.getAffineDimExpr(shape.variableCount());
  SmallVector<OpFoldResult> parts(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    parts[i] = b.apply(i == 0 ? rest : rest % sizes[i], {number});
    rest = rest.floorDiv(sizes[i]);
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// One chunk
//===----------------------------------------------------------------------===//

Value Staging::all(ArrayRef<Bound> bounds) {
  Value result;
  for (const Bound &bound : bounds) {
    if (bound.isCertain)
      continue;
    Value holds = arith::CmpIOp::create(b.builder, b.loc, arith::CmpIPredicate::slt,
                                        b.asValue(bound.value), b.index(bound.bound));
    result = result ? arith::AndIOp::create(b.builder, b.loc, result, holds).getResult() : holds;
  }
  return result;
}

SymbolRefAttr Staging::nameOf(AsyncCopyOp found) const {
  return SymbolRefAttr::get(candidate.intrinsic->getTarget().getSymNameAttr(),
                            {FlatSymbolRefAttr::get(found)});
}

SymbolRefAttr Staging::getEngine() const {
  if (engine || !copiesBySteps)
    return engine;
  for (auto op : candidate.intrinsic->getTarget().getOps<AsyncCopyOp>())
    if (!op.getBarrier())
      return nameOf(op);
  return {};
}

/// Through registers; the source is not touched where it does not exist.
void Staging::copyBySteps(const Copy &copy, Value from, Value to, Value exists) {
  auto load = [&](OpBuilder &builder) -> Value {
    auto type =
        VectorType::get({copy.elements}, cast<MemRefType>(copy.source.getType()).getElementType());
    llvm::MaybeAlign alignment(copy.elements * copy.have.bits / 8);
    Value value = vector::LoadOp::create(builder, b.loc, type, copy.source, from,
                                         /*nontemporal=*/false, alignment);
    return convertElements(builder, b.loc, value, copy.have, copy.want);
  };
  Value value;
  if (!exists) {
    value = load(b.builder);
  } else {
    auto type = VectorType::get({copy.elements}, copy.want.getType(b.builder.getContext()));
    auto choice = scf::IfOp::create(
        b.builder, b.loc, exists,
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, load(builder));
        },
        [&](OpBuilder &builder, Location loc) {
          Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
          scf::YieldOp::create(builder, loc, zero);
        });
    value = choice.getResult(0);
  }
  llvm::MaybeAlign alignment(copy.elements * copy.want.bits / 8);
  vector::StoreOp::create(b.builder, b.loc, value, copy.target, to, /*nontemporal=*/false,
                          alignment);
}

void Staging::copyChunk(const Copy &copy, OpFoldResult from, OpFoldResult to,
                        ArrayRef<Bound> bounds) {
  AsyncCopyOp found = shared.findAsyncCopy(copy.have, copy.want, copy.elements);
  if (found && found.getBarrier())
    return copyRun(copy, found, from, b.asValue(to), bounds);
  Value exists = all(bounds), source = b.asValue(from), target = b.asValue(to);
  copiesBySteps |= !found;
  if (!found)
    return copyBySteps(copy, source, target, exists);
  engine = nameOf(found);
  Value valid = b.index(copy.elements);
  if (exists) {
    // An address is formed even where nothing is read.
    source = arith::SelectOp::create(b.builder, b.loc, exists, source, b.index(0));
    valid = arith::SelectOp::create(b.builder, b.loc, exists, valid, b.index(0));
  }
  CopyOp::create(b.builder, b.loc, engine, copy.source, source, copy.target, target, valid,
                 b.builder.getI64IntegerAttr(copy.elements), /*barriers=*/Value(),
                 /*slot=*/Value());
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void Staging::copyLhs(Value source, Value target, OpFoldResult mFrom) {
  int64_t chunk = shared.lhsChunk(), perRow = candidate.cacheK / chunk;
  Copy copy{source, target, workload.lhs.type, candidate.intrinsic->lhs, chunk};
  AffineExpr index = nest.linearIndex(workload.lhs);
  SmallVector<OpFoldResult> saved = b.values;
  forEachChunk(candidate.cacheM * perRow, [&](OpFoldResult number) {
    auto parts = split(number, {candidate.cacheM, perRow});
    OpFoldResult row = parts[0], step = b.mul(parts[1], chunk);
    OpFoldResult m = b.values[shape.mAt()] = b.add(mFrom, row);
    OpFoldResult k = b.values[shape.kAt()] = b.add(kFrom, step);
    OpFoldResult to =
        b.add(b.add(b.mul(slot, shared.lhsSlot()), b.mul(row, shared.lhsRow())), step);
    copyChunk(copy, b.apply(index), to,
              {{m, nest.m.extent, nest.m.extent % candidate.cacheM == 0},
               {k, nest.k.extent, endsWithStage(), /*isAlong=*/true}});
  });
  b.values = saved;
}

void Staging::copyRhs(Value source, Value target, OpFoldResult nFrom) {
  int64_t chunk = shared.rhsChunk(), pack = candidate.intrinsic->kInterleave;
  int64_t perRow = candidate.tileN * pack / chunk, rows = shared.rhsRowsPerPanel();
  Copy copy{source, target, workload.rhs.type, candidate.intrinsic->rhs, chunk};
  AffineExpr index = nest.linearIndex(workload.rhs);
  AffineExpr position = b.builder.getAffineDimExpr(shape.variableCount());
  SmallVector<OpFoldResult> saved = b.values;
  forEachChunk(shared.warpsAlongN() * rows * perRow, [&](OpFoldResult number) {
    auto parts = split(number, {shared.warpsAlongN(), rows, perRow});
    OpFoldResult at = b.mul(parts[2], chunk);
    OpFoldResult n = b.add(b.add(nFrom, b.mul(parts[0], candidate.tileN)),
                           b.apply(position.floorDiv(pack), {at}));
    OpFoldResult k = b.add(b.add(kFrom, b.mul(parts[1], pack)), b.apply(position % pack, {at}));
    b.values[shape.nAt()] = n;
    b.values[shape.kAt()] = k;
    OpFoldResult to =
        b.add(b.add(b.mul(slot, shared.rhsSlot()), b.mul(parts[0], shared.rhsPanel())),
              b.add(b.mul(parts[1], shared.rhsRow()), at));
    copyChunk(copy, b.apply(index), to,
              {{n, nest.n.extent, nest.n.extent % candidate.cacheN == 0},
               {k, nest.k.extent, endsWithStage()}});
  });
  b.values = saved;
}

void Staging::copyPanels(Value source, Value target, OpFoldResult nFrom, OpFoldResult before) {
  int64_t chunk = shared.rhsChunk(), pack = candidate.intrinsic->kInterleave;
  int64_t width = candidate.tileN * pack, perRow = width / chunk;
  int64_t rows = shared.rhsRowsPerPanel(), panels = shape.layout.rhsPanels();
  ElementType type = candidate.intrinsic->rhs;
  Copy copy{source, target, type, type, chunk};
  AffineExpr position = b.builder.getAffineDimExpr(shape.variableCount());
  OpFoldResult firstPanel = b.apply(position.floorDiv(candidate.tileN), {nFrom});
  int64_t depth = llvm::alignTo(nest.k.extent, candidate.intrinsic->k);
  forEachChunk(shared.warpsAlongN() * rows * perRow, [&](OpFoldResult number) {
    auto parts = split(number, {shared.warpsAlongN(), rows, perRow});
    OpFoldResult at = b.mul(parts[2], chunk), panel = b.add(firstPanel, parts[0]);
    OpFoldResult k = b.add(kFrom, b.mul(parts[1], pack));
    OpFoldResult from =
        b.add(b.mul(b.add(before, panel), shape.layout.rhsPanelElements(nest.k.extent)),
              b.add(b.mul(k, candidate.tileN), at));
    OpFoldResult to =
        b.add(b.add(b.mul(slot, shared.rhsSlot()), b.mul(parts[0], shared.rhsPanel())),
              b.add(b.mul(parts[1], shared.rhsRow()), at));
    copyChunk(copy, from, to,
              {{panel, panels, panels % shared.warpsAlongN() == 0},
               {k, depth, depth % candidate.cacheK == 0}});
  });
}

//===----------------------------------------------------------------------===//
// Copies of any length
//===----------------------------------------------------------------------===//

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
