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

TileExpander::TileExpander(OpBuilder &builder, TileOp op, IntrinsicOp intrinsic,
                           int64_t fragmentRows)
    : b(builder), loc(op.getLoc()), op(op), around(dyn_cast<PipelineOp>(op->getParentOp())),
      intrinsic(intrinsic), rows(op.getTile()[0]), columns(op.getTile()[1]), m(fragmentRows),
      n(intrinsic.getShape()[1]), k(intrinsic.getShape()[2]) {
  shape = {rows,
           columns,
           m,
           n,
           k,
           llvm::to_vector<4>(op.getReduction()),
           static_cast<int64_t>(op.getUnroll()),
           llvm::to_vector<4>(op.getLhsStrides()),
           llvm::to_vector<4>(op.getRhsStrides()),
           op.getPaddedLhs(),
           std::nullopt};
  if (around) {
    shape.pipeline = {
        static_cast<int64_t>(around.getExtent()), static_cast<int64_t>(around.getDepth()),
        static_cast<int64_t>(around.getLhsSlot()), static_cast<int64_t>(around.getRhsSlot())};
    pipeline.emplace(b, around);
  }
  right.resize(columnFragments());
}

/// The accumulators are carried through the loop.
void TileExpander::reduce(int64_t extent, int64_t step, Body body) {
  auto loop = scf::ForOp::create(b, loc, index(0), index(extent), index(step), accumulators);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  accumulators.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  body(loop.getInductionVar());
  scf::YieldOp::create(b, loc, accumulators);
  accumulators.assign(loop.result_begin(), loop.result_end());
}

void TileExpander::loadRhs(int64_t j, Value at, int64_t elements) {
  int64_t step = shape.rhsStrides.back() * int64_t(intrinsic.getKInterleave());
  right[j] =
      LoadOp::create(b, loc, fragmentType(Role::rhs), op.getIntrinsicAttr(), Role::rhs, op.getRhs(),
                     offset(at, elements), b.getI64IntegerAttr(step), DenseI64ArrayAttr());
}

void TileExpander::loadLhs(Value at, int64_t elements, int64_t validM, int64_t validK) {
  DenseI64ArrayAttr valid;
  if (validM < m || validK < k)
    valid = b.getDenseI64ArrayAttr({validM, validK});
  // A single row has no next one, and perhaps no distance to it.
  int64_t stride = rows > 1 ? shape.lhsStrides.front() : k;
  left = LoadOp::create(b, loc, fragmentType(Role::lhs), op.getIntrinsicAttr(), Role::lhs,
                        op.getLhs(), offset(at, elements),
                        m > 1 ? b.getI64IntegerAttr(stride) : IntegerAttr(), valid);
}

void TileExpander::compute(int64_t i, int64_t j) {
  Value &acc = accumulators[i * columnFragments() + j];
  acc = ComputeOp::create(b, loc, acc.getType(), op.getIntrinsicAttr(), left, right[j], acc);
}
