//===- SharedFragments.cpp - First and last values of fragments that threads share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedFragments.h"
#include "../VectorBody.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ucmoh;

/// Shares of one thread that are written out one by one.
static constexpr int64_t mostUnrolled = 8;

/// The `number`th row that lanes work on. Lanes side by side that read rows which end within the
/// banks would meet if those were neighbours: padding, of which the stride is an odd multiple,
/// moves each by a bit only. Over as many rows as `apart`, the largest power of two times the
/// padding that divides a row, all bits together move a row to where another one ends.
Value SharedFragments::stagingRow(Value number) {
  int64_t stride = stridesOf(around.getStaging()).front(),
          apart = (columns & -columns) / (stride & -stride);
  if (apart == 1 || m % apart)
    return number;
  Value group = arith::RemUIOp::create(b, loc, number, index(m / apart));
  Value inGroup = arith::DivUIOp::create(b, loc, number, index(m / apart));
  return advance(inGroup, group, apart);
}

/// Divides the m rows of the tile from `row` on among the lanes of the warp.
void SharedFragments::forEachShare(int64_t row, function_ref<void(const Share &)> body) {
  int64_t width = around.getStagingWidth(), perRow = columns / width, count = m * perRow;
  int64_t subgroupSize = intrinsic.getSubgroupSize(), turns = llvm::divideCeil(count, subgroupSize);
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  Value lane = arith::RemUIOp::create(b, loc, thread, index(subgroupSize));
  auto turn = [&](Value number) {
    Value inRow = arith::RemUIOp::create(b, loc, number, index(perRow));
    Value down = stagingRow(arith::DivUIOp::create(b, loc, number, index(perRow)));
    Share share{offset(down, row), advance(index(0), inRow, width), down};
    OpBuilder::InsertionGuard guard(b);
    if (count % subgroupSize) {
      Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, number, index(count));
      auto guarded = scf::IfOp::create(b, loc, exists, /*withElseRegion=*/false);
      b.setInsertionPointToStart(guarded.thenBlock());
    }
    body(share);
  };
  if (turns <= mostUnrolled) {
    for (int64_t i = 0; i < turns; ++i)
      turn(offset(lane, i * subgroupSize));
    return;
  }
  auto loop = scf::ForOp::create(b, loc, index(0), index(turns), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  turn(advance(lane, loop.getInductionVar(), subgroupSize));
}

Value SharedFragments::isWithinLimits(const Share &share) {
  Value rowsLeft = around.getRowsLeft(), columnsLeft = around.getColumnsLeft();
  Value row = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, share.row, rowsLeft);
  Value column =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, share.column, columnsLeft);
  return arith::AndIOp::create(b, loc, row, column);
}

/// Loads what lies beside the results of a share: neighbours, or one value for all of them.
Value SharedFragments::loadShare(Value view, const Share &share) {
  VectorType type = vectorOf(cast<MemRefType>(view.getType()).getElementType());
  SmallVector<Value> at = {share.row, share.column};
  if (stridesOf(view).back() != 1)
    return vector::BroadcastOp::create(b, loc, type,
                                       memref::LoadOp::create(b, loc, view, at).getResult());
  return vector::LoadOp::create(b, loc, type, view, at, /*nontemporal=*/false, alignmentOf(type));
}

Value SharedFragments::staged(int64_t column) {
  SmallVector<OpFoldResult> offsets = {b.getIndexAttr(0), b.getIndexAttr(column)},
                            sizes = {b.getIndexAttr(m), b.getIndexAttr(n)},
                            steps(2, b.getIndexAttr(1));
  return memref::SubViewOp::create(b, loc, around.getStaging(), offsets, sizes, steps);
}

/// Zeros behind the tile's end.
Value SharedFragments::computeFirst(const Share &share, VectorType type) {
  auto within = scf::IfOp::create(b, loc, type, isWithinLimits(share), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(within.thenBlock());
  SmallVector<Value> extras;
  for (auto [argument, view] : llvm::zip_equal(op.getPrologue().getArguments(), op.getExtras()))
    extras.push_back(argument.use_empty() ? Value() : loadShare(view, share));
  scf::YieldOp::create(
      b, loc, cloneOnVectors(b, loc, op.getPrologue(), extras, type.getDimSize(0)).front());
  b.setInsertionPointToStart(within.elseBlock());
  scf::YieldOp::create(b, loc, arith::ConstantOp::create(b, loc, b.getZeroAttr(type)).getResult());
  return within.getResult(0);
}

SmallVector<Value> SharedFragments::firstValues(int64_t row) {
  VectorType type = vectorOf(op.getEpilogue().getArgument(0).getType());
  forEachShare(row, [&](const Share &share) {
    vector::StoreOp::create(b, loc, computeFirst(share, type), around.getStaging(),
                            ValueRange{share.stagingRow, share.column}, /*nontemporal=*/false,
                            alignmentOf(type));
  });
  BarrierOp::create(b, loc);
  SmallVector<Value> fragments;
  for (int64_t column = 0; column < columns; column += n)
    fragments.push_back(LoadOp::create(b, loc, intrinsic.getFragmentType(Role::acc, m),
                                       op.getIntrinsicAttr(), Role::acc, staged(column)));
  BarrierOp::create(b, loc);
  return fragments;
}

void SharedFragments::storeLast(const Share &share, VectorType type) {
  auto within = scf::IfOp::create(b, loc, isWithinLimits(share), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(within.thenBlock());
  SmallVector<Value> arguments = {vector::LoadOp::create(b, loc, type, around.getStaging(),
                                                         ValueRange{share.stagingRow, share.column},
                                                         /*nontemporal=*/false, alignmentOf(type))};
  for (auto [argument, view] :
       llvm::zip_equal(op.getEpilogue().getArguments().drop_front(), op.getExtras()))
    arguments.push_back(argument.use_empty() ? Value() : loadShare(view, share));
  SmallVector<Value> results =
      cloneOnVectors(b, loc, op.getEpilogue(), arguments, type.getDimSize(0)).front();
  for (auto [view, value] : llvm::zip_equal(op.getOutputs(), results))
    vector::StoreOp::create(b, loc, value, view, ValueRange{share.row, share.column},
                            /*nontemporal=*/false, alignmentOf(cast<VectorType>(value.getType())));
}

void SharedFragments::lastValues(int64_t row, ArrayRef<Value> fragments) {
  for (auto [j, fragment] : llvm::enumerate(fragments))
    StoreOp::create(b, loc, op.getIntrinsicAttr(), fragment, staged(j * n));
  BarrierOp::create(b, loc);
  VectorType type = vectorOf(op.getEpilogue().getArgument(0).getType());
  forEachShare(row, [&](const Share &share) { storeLast(share, type); });
  BarrierOp::create(b, loc);
}
