//===- TilePrefetch.cpp - What a register tile fetches ahead
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePrefetch.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace ucmoh;

/// The bits of an element in memory, where an i1 takes a byte.
static int64_t bitsOf(Value view) {
  return std::max(8u, getElementTypeOrSelf(view).getIntOrFloatBitWidth());
}

/// Elements of a view in a line of the caches.
int64_t TilePrefetch::lineOf(Value view) const { return machine.cacheLineBytes * 8 / bitsOf(view); }

/// Into all caches: measured on a Zen 5, into L2 alone is slower by up to 3 % (BERT-base in f32).
/// Few tiles fetch so much each that lines on their way would take all that L1 can wait for, and
/// their own operands behind them: 13 rows in 8 bits take 1.45 times as long on a Zen 4. So do
/// tiles whose fragments are matrices, each of which takes the place of 16 vectors and more: 128
/// rows of 768 take .93 of the time on an Emerald Rapids with AMX.
void TilePrefetch::nextPart(ArrayRef<Value> position, bool hasVectors) {
  constexpr unsigned everywhere = 3, intoL2 = 2;
  constexpr int64_t fewTiles = 8;
  if (!op.getNext())
    return;
  int64_t elements = cast<MemRefType>(op.getNext().getType()).getShape().back();
  int64_t line = lineOf(op.getNext());
  int64_t columns = shape.n * shape.columnFragments();
  bool isDense = !hasVectors || elements * fewTiles > columns;
  for (int64_t i = 0; i < shape.k * elements; i += line) {
    SmallVector<Value, 4> at(position);
    if (i >= elements)
      at.back() = b.createOrFold<arith::AddIOp>(loc, at.back(), index(i / elements));
    at.push_back(index(i % elements));
    memref::PrefetchOp::create(b, loc, op.getNext(), at, /*isWrite=*/false,
                               isDense ? intoL2 : everywhere,
                               /*isDataCache=*/true);
  }
}

/// Whether the view is of a buffer of which the second cache holds all, beside others.
bool TilePrefetch::staysInCache(Value view) const {
  while (auto made = view.getDefiningOp<ViewLikeOpInterface>())
    view = made.getViewSource();
  auto type = cast<MemRefType>(view.getType());
  return type.hasStaticShape() && type.getNumElements() * bitsOf(view) < machine.l2Bytes / 2 * 8;
}

/// What the epilogue reads beside the results, such as a residual or a table of biases, and the
/// results, where rows of neighbours may come from memory.
SmallVector<TilePrefetch::Rows> TilePrefetch::viewsOfLastRows() {
  SmallVector<Rows> views;
  for (auto [argument, view] :
       llvm::zip_equal(op.getEpilogue().getArguments().drop_front(), op.getExtras()))
    if (!argument.use_empty())
      views.push_back({view, /*isWrite=*/false});
  if (!op.getStreamed())
    for (Value view : op.getOutputs())
      views.push_back({view, /*isWrite=*/true});
  llvm::erase_if(views, [&](const Rows &each) {
    SmallVector<int64_t> strides = stridesOf(each.view);
    bool isRepeated = strides.front() == 0 || strides.back() != 1; // for each row or column
    return isRepeated || staysInCache(each.view);
  });
  return views;
}

/// Rows that the tile ends with may come from memory while the reduction runs. A panel of columns
/// is too narrow for the processor to see that they follow each other. Short reductions have no
/// time for it.
void TilePrefetch::lastRows() {
  constexpr int64_t stepsEach = 4; // each line has so many steps of the reduction to arrive
  SmallVector<Rows> views = viewsOfLastRows();
  int64_t lines = 0;
  for (const Rows &each : views)
    lines += shape.rows * llvm::divideCeil(shape.columns, lineOf(each.view));
  if (llvm::product_of(shape.reduction) < stepsEach * shape.k * lines)
    return;
  for (const Rows &each : views)
    for (int64_t row = 0; row < shape.rows; ++row)
      for (int64_t column = 0; column < shape.columns; column += lineOf(each.view))
        memref::PrefetchOp::create(b, loc, each.view, ValueRange{index(row), index(column)},
                                   each.isWrite, /*localityHint=*/3, /*isDataCache=*/true);
}
