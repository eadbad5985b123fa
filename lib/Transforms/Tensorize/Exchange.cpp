//===- Exchange.cpp - First and last values of fragments that several threads hold
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileExpander.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ucmoh;

/// Shares of one thread that are written out one by one.
static constexpr int64_t mostUnrolled = 8;

int64_t TileExpander::exchangeStride() {
  return cast<MemRefType>(around.getStaging().getType()).getDimSize(1);
}

/// The `number`th row that lanes work on. Lanes side by side that read rows which end within the
/// banks would meet if those were neighbours: padding, of which the stride is an odd multiple,
/// moves each by a bit only. Over as many rows as `apart`, the largest power of two times the
/// padding that divides a row, all bits together move a row to where another one ends.
Value TileExpander::exchangeRow(Value number) {
  int64_t stride = exchangeStride(), apart = (columns & -columns) / (stride & -stride);
  if (apart == 1 || m % apart)
    return number;
  Value group = arith::RemUIOp::create(b, loc, number, index(m / apart));
  Value inGroup = arith::DivUIOp::create(b, loc, number, index(m / apart));
  return advance(inGroup, group, apart);
}

/// Divides the m rows of the tile from `row` on among the lanes of the warp.
void TileExpander::forEachShare(int64_t row, function_ref<void(const Share &)> body) {
  int64_t width = around.getStagingWidth(), perRow = columns / width, count = m * perRow;
  int64_t lanes = intrinsic.getLanes(), turns = llvm::divideCeil(count, lanes);
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  Value lane = arith::RemUIOp::create(b, loc, thread, index(lanes));
  auto turn = [&](Value number) {
    Value inRow = arith::RemUIOp::create(b, loc, number, index(perRow));
    Value down = exchangeRow(arith::DivUIOp::create(b, loc, number, index(perRow)));
    Share share{offset(down, row), advance(index(0), inRow, width),
                advance(around.getStagingBase(), down, 1)};
    OpBuilder::InsertionGuard guard(b);
    if (count % lanes) {
      Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, number, index(count));
      auto guarded = scf::IfOp::create(b, loc, exists, /*withElseRegion=*/false);
      b.setInsertionPointToStart(guarded.thenBlock());
    }
    body(share);
  };
  if (turns <= mostUnrolled) {
    for (int64_t i = 0; i < turns; ++i)
      turn(offset(lane, i * lanes));
    return;
  }
  auto loop = scf::ForOp::create(b, loc, index(0), index(turns), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  turn(advance(lane, loop.getInductionVar(), lanes));
}

Value TileExpander::isWithinLimits(const Share &share) {
  Value rowsLeft = around.getRowsLeft(), columnsLeft = around.getColumnsLeft();
  Value row = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, share.row, rowsLeft);
  Value column =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, share.column, columnsLeft);
  return arith::AndIOp::create(b, loc, row, column);
}

static llvm::MaybeAlign alignmentOf(VectorType type) {
  return llvm::MaybeAlign(
      llvm::divideCeil(type.getNumElements() * type.getElementTypeBitWidth(), 8));
}

/// What lies beside the results of a share: neighbours, or one value for all of them.
Value TileExpander::loadShare(Value buffer, Value base, ArrayRef<int64_t> strides,
                              const Share &share) {
  Value at = advance(advance(base, share.row, strides[0]), share.column, strides[1]);
  auto type = VectorType::get({static_cast<int64_t>(around.getStagingWidth())},
                              cast<MemRefType>(buffer.getType()).getElementType());
  if (strides[1] == 0)
    return vector::BroadcastOp::create(b, loc, type,
                                       memref::LoadOp::create(b, loc, buffer, at).getResult());
  return vector::LoadOp::create(b, loc, type, buffer, at, /*nontemporal=*/false, alignmentOf(type));
}

void TileExpander::emitSharedFirstValues(int64_t row) {
  Type element = op.getEpilogue().getArgument(0).getType();
  auto type = VectorType::get({static_cast<int64_t>(around.getStagingWidth())}, element);
  forEachShare(row, [&](const Share &share) {
    auto within = scf::IfOp::create(b, loc, type, isWithinLimits(share), /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(within.thenBlock());
      SmallVector<Value> extras;
      for (auto [i, buffer] : llvm::enumerate(op.getExtras()))
        extras.push_back(op.getPrologue().getArgument(i).use_empty()
                             ? Value()
                             : loadShare(buffer, op.getExtraBases()[i],
                                         op.getExtraStrides().slice(2 * i, 2), share));
      scf::YieldOp::create(b, loc, cloneVectorized(op.getPrologue(), extras, type.getDimSize(0)));
      b.setInsertionPointToStart(within.elseBlock());
      scf::YieldOp::create(b, loc,
                           arith::ConstantOp::create(b, loc, b.getZeroAttr(type)).getResult());
    }
    vector::StoreOp::create(b, loc, within.getResult(0), around.getStaging(),
                            ValueRange{share.exchangeRow, share.column}, /*nontemporal=*/false,
                            alignmentOf(type));
  });
  BarrierOp::create(b, loc);
  for (int64_t j = 0; j < columnFragments(); ++j)
    accumulators.push_back(LoadOp::create(
        b, loc, intrinsic.getFragmentType(Role::acc), op.getIntrinsicAttr(), Role::acc,
        around.getStaging(), ValueRange{around.getStagingBase(), index(j * n)},
        b.getI64IntegerAttr(exchangeStride()), DenseI64ArrayAttr()));
  BarrierOp::create(b, loc);
}

void TileExpander::emitSharedEpilogue(int64_t row, ArrayRef<Value> fragments) {
  for (auto [j, fragment] : llvm::enumerate(fragments))
    StoreOp::create(b, loc, op.getIntrinsicAttr(), fragment, around.getStaging(),
                    ValueRange{around.getStagingBase(), index(j * n)},
                    b.getI64IntegerAttr(exchangeStride()), DenseI64ArrayAttr());
  BarrierOp::create(b, loc);
  int64_t width = around.getStagingWidth();
  auto type = VectorType::get({width}, op.getEpilogue().getArgument(0).getType());
  forEachShare(row, [&](const Share &share) {
    auto within = scf::IfOp::create(b, loc, isWithinLimits(share), /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(within.thenBlock());
    SmallVector<Value> arguments = {vector::LoadOp::create(
        b, loc, type, around.getStaging(), ValueRange{share.exchangeRow, share.column},
        /*nontemporal=*/false, alignmentOf(type))};
    for (auto [i, buffer] : llvm::enumerate(op.getExtras()))
      arguments.push_back(op.getEpilogue().getArgument(i + 1).use_empty()
                              ? Value()
                              : loadShare(buffer, op.getExtraBases()[i],
                                          op.getExtraStrides().slice(2 * i, 2), share));
    for (auto [i, value] : llvm::enumerate(cloneVectorized(op.getEpilogue(), arguments, width))) {
      ArrayRef<int64_t> strides = op.getOutputStrides().slice(2 * i, 2);
      Value at =
          advance(advance(op.getOutputBases()[i], share.row, strides[0]), share.column, strides[1]);
      vector::StoreOp::create(b, loc, value, op.getOutputs()[i], at, /*nontemporal=*/false,
                              alignmentOf(cast<VectorType>(value.getType())));
    }
  });
  BarrierOp::create(b, loc);
}
