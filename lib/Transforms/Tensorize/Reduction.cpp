//===- Reduction.cpp - The steps of a register tile
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileExpander.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ucmoh;

/// One loop for each outer reduction; the accumulators are carried through.
SmallVector<Value> TileExpander::emitReduction(unsigned level, Value lhsAt, Value rhsAt,
                                               ValueRange start) {
  ArrayRef<int64_t> reduction = op.getReduction();
  if (level + 1 == reduction.size())
    return emitSteps(lhsAt, rhsAt, start);
  auto loop = scf::ForOp::create(b, loc, index(0), index(reduction[level]), index(1), start);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value iv = loop.getInductionVar();
  SmallVector<Value> next =
      emitReduction(level + 1, advance(lhsAt, iv, op.getLhsStrides()[level + 1]),
                    advance(rhsAt, iv, op.getRhsStrides()[level + 1]), loop.getRegionIterArgs());
  scf::YieldOp::create(b, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// The innermost reduction: a loop over whole steps of the intrinsic's k, then the ragged end.
SmallVector<Value> TileExpander::emitSteps(Value lhsAt, Value rhsAt, ValueRange start) {
  int64_t extent = op.getReduction().back();
  int64_t lhsStride = op.getLhsStrides().back(), rhsStride = op.getRhsStrides().back();
  // A padded lhs has no ragged end.
  int64_t whole = op.getPaddedLhs() ? llvm::alignTo(extent, k) : extent - extent % k;
  int64_t step = k * op.getUnroll(), unrolled = whole - whole % step;
  SmallVector<Value> accumulators(start);
  auto emitAt = [&](Value at, int64_t validK, ValueRange from) {
    return emitStep(advance(lhsAt, at, lhsStride), advance(rhsAt, at, rhsStride), from, validK);
  };
  if (unrolled > step) {
    auto loop = scf::ForOp::create(b, loc, index(0), index(unrolled), index(step), accumulators);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> inner(loop.getRegionIterArgs());
    for (int64_t i = 0; i < step; i += k)
      inner = emitAt(offset(loop.getInductionVar(), i), k, inner);
    scf::YieldOp::create(b, loc, inner);
    accumulators.assign(loop.result_begin(), loop.result_end());
  } else {
    unrolled = 0;
  }
  for (int64_t at = unrolled; at < whole; at += k)
    accumulators = emitAt(index(at), k, accumulators);
  if (whole < extent)
    accumulators = emitAt(index(whole), extent - whole, accumulators);
  return accumulators;
}

/// One step of k for all fragments: load each rhs fragment once, each lhs fragment once, compute.
SmallVector<Value> TileExpander::emitStep(Value lhsAt, Value rhsAt, ValueRange start,
                                          int64_t validK) {
  auto symbol = op.getIntrinsicAttr();
  int64_t lhsRow = op.getLhsStrides().front(), rhsColumn = op.getRhsStrides().front();
  int64_t rhsStep = op.getRhsStrides().back() * int64_t(intrinsic.getRhsPack());
  SmallVector<Value> right;
  for (int64_t j = 0; j < columnFragments(); ++j)
    right.push_back(LoadOp::create(b, loc, fragmentType(Role::rhs), symbol, Role::rhs, op.getRhs(),
                                   offset(rhsAt, j * n * rhsColumn), b.getI64IntegerAttr(rhsStep),
                                   DenseI64ArrayAttr()));
  SmallVector<Value> accumulators(start);
  for (int64_t i = 0; i < rowFragments(); ++i) {
    int64_t validM = op.getPaddedLhs() ? m : std::min(m, rows - i * m);
    DenseI64ArrayAttr valid;
    if (validM < m || validK < k)
      valid = b.getDenseI64ArrayAttr({validM, validK});
    // A single row has no next one, and perhaps no distance to it.
    int64_t stride = rows > 1 ? lhsRow : k;
    Value left = LoadOp::create(b, loc, fragmentType(Role::lhs), symbol, Role::lhs, op.getLhs(),
                                offset(lhsAt, i * m * lhsRow),
                                m > 1 ? b.getI64IntegerAttr(stride) : IntegerAttr(), valid);
    for (int64_t j = 0; j < columnFragments(); ++j) {
      Value &acc = accumulators[i * columnFragments() + j];
      acc = ComputeOp::create(b, loc, acc.getType(), symbol, left, right[j], acc);
    }
  }
  return accumulators;
}
