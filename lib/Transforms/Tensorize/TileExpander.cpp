//===- TileExpander.cpp - What a register tile begins and ends with
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileExpander.h"
#include "../StackScope.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ucmoh;

/// Clones scalar code on `width` elements of a row: elementwise ops keep their meaning on vectors.
SmallVector<Value> TileExpander::cloneVectorized(Region &region, ArrayRef<Value> arguments,
                                                 int64_t width) {
  IRMapping mapping;
  mapping.map(region.getArguments(), ValueRange(arguments));
  auto widen = [&](Type type) { return VectorType::get({width}, type); };
  auto lookup = [&](Value value) {
    if (!mapping.contains(value)) // a constant that was moved out of the region
      mapping.map(value,
                  vector::BroadcastOp::create(b, loc, widen(value.getType()), value).getResult());
    return mapping.lookup(value);
  };
  for (Operation &scalar : region.front().without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(scalar)) {
      auto splat = DenseElementsAttr::get(widen(constant.getType()), constant.getValue());
      mapping.map(constant, arith::ConstantOp::create(b, scalar.getLoc(), splat).getResult());
      continue;
    }
    llvm::for_each(scalar.getOperands(), lookup);
    for (OpResult result : b.clone(scalar, mapping)->getResults())
      result.setType(widen(result.getType()));
  }
  return llvm::map_to_vector(region.front().getTerminator()->getOperands(), lookup);
}

/// One row of an extra as a vector: neighbours, one value for all, or gathered one by one.
Value TileExpander::loadExtra(unsigned extra, int64_t row, int64_t column) {
  Value buffer = op.getExtras()[extra];
  int64_t rowStride = op.getExtraStrides()[2 * extra];
  int64_t columnStride = op.getExtraStrides()[2 * extra + 1];
  int64_t valid = std::min(n, columns - column);
  auto type = VectorType::get({n}, cast<MemRefType>(buffer.getType()).getElementType());
  Value at = offset(op.getExtraBases()[extra], row * rowStride + column * columnStride);
  if (columnStride == 0)
    return vector::BroadcastOp::create(b, loc, type,
                                       memref::LoadOp::create(b, loc, buffer, at).getResult());
  if (columnStride == 1 && valid == n)
    return vector::LoadOp::create(b, loc, type, buffer, at);
  Value values = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  if (columnStride == 1)
    return vector::MaskedLoadOp::create(b, loc, type, buffer, at, mask(valid), values);
  for (int64_t j = 0; j < valid; ++j) {
    Value scalar = memref::LoadOp::create(b, loc, buffer, offset(at, j * columnStride));
    values = vector::InsertOp::create(b, loc, scalar, values, ArrayRef<int64_t>{j});
  }
  return values;
}

void TileExpander::storeOutput(unsigned output, Value value, int64_t row, int64_t column) {
  int64_t rowStride = op.getOutputStrides()[2 * output];
  int64_t columnStride = op.getOutputStrides()[2 * output + 1];
  int64_t valid = std::min(n, columns - column);
  Value at = offset(op.getOutputBases()[output], row * rowStride + column * columnStride);
  if (valid == n) {
    auto type = cast<VectorType>(value.getType());
    llvm::MaybeAlign alignment;
    if (op.getStreamed()) // only aligned stores go past the caches
      alignment = llvm::MaybeAlign(n * type.getElementTypeBitWidth() / 8);
    vector::StoreOp::create(b, loc, value, op.getOutputs()[output], at, op.getStreamed(),
                            alignment);
  } else if (valid == 1) {
    // LLVM 22 makes a masked store of truncated values with one lane a store of the wider value.
    Value first = vector::ExtractStridedSliceOp::create(b, loc, value, ArrayRef<int64_t>{0},
                                                        ArrayRef<int64_t>{1}, ArrayRef<int64_t>{1});
    vector::StoreOp::create(b, loc, first, op.getOutputs()[output], at);
  } else {
    vector::MaskedStoreOp::create(b, loc, op.getOutputs()[output], at, mask(valid), value);
  }
}

Value TileExpander::fragmentBuffer() {
  Type element = intrinsic.getAccType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = b.getIntegerType(integer.getWidth()); // the bodies' types are signless
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&stackScope(op));
  return memref::AllocaOp::create(b, loc, MemRefType::get({m * n}, element),
                                  b.getI64IntegerAttr(64));
}

SmallVector<Value> TileExpander::toRows(Value fragment) {
  if (m == 1 && isVectorFragment())
    return {fragment};
  SmallVector<Value> result;
  if (isVectorFragment()) {
    for (int64_t i = 0; i < m; ++i)
      result.push_back(vector::ExtractStridedSliceOp::create(
          b, loc, fragment, ArrayRef<int64_t>{i * n}, ArrayRef<int64_t>{n}, ArrayRef<int64_t>{1}));
    return result;
  }
  Value buffer = fragmentBuffer();
  StoreOp::create(b, loc, op.getIntrinsicAttr(), fragment, buffer, index(0), b.getI64IntegerAttr(n),
                  DenseI64ArrayAttr());
  auto type = VectorType::get({n}, cast<MemRefType>(buffer.getType()).getElementType());
  for (int64_t i = 0; i < m; ++i)
    result.push_back(vector::LoadOp::create(b, loc, type, buffer, index(i * n)));
  return result;
}

Value TileExpander::fromRows(ArrayRef<Value> rowVectors) {
  Type fragment = fragmentType(Role::acc);
  if (m == 1 && isVectorFragment())
    return rowVectors.front();
  if (isVectorFragment()) {
    Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(fragment));
    for (auto [i, row] : llvm::enumerate(rowVectors))
      result = vector::InsertStridedSliceOp::create(
          b, loc, row, result, ArrayRef<int64_t>{int64_t(i) * n}, ArrayRef<int64_t>{1});
    return result;
  }
  Value buffer = fragmentBuffer();
  for (auto [i, row] : llvm::enumerate(rowVectors))
    vector::StoreOp::create(b, loc, row, buffer, index(i * n));
  return LoadOp::create(b, loc, fragment, op.getIntrinsicAttr(), Role::acc, buffer, index(0),
                        b.getI64IntegerAttr(n), DenseI64ArrayAttr());
}

Value TileExpander::emitFirstValue(int64_t row, int64_t column) {
  if (Value fragment = loadWhole(row, column))
    return fragment;
  SmallVector<Value> rowVectors, extras;
  for (int64_t i = row; i < row + m; ++i) {
    extras.clear();
    for (unsigned extra = 0; extra < op.getExtras().size(); ++extra)
      // Rows behind the tile's end repeat its last one: they are never stored.
      extras.push_back(op.getPrologue().getArgument(extra).use_empty()
                           ? Value()
                           : loadExtra(extra, std::min(i, rows - 1), column));
    rowVectors.push_back(cloneVectorized(op.getPrologue(), extras, n).front());
  }
  return fromRows(rowVectors);
}

void TileExpander::firstValues(int64_t i) {
  Value first = op.getPrologue().front().getTerminator()->getOperand(0);
  bool isZero = matchPattern(first, m_Zero()) || matchPattern(first, m_AnyZeroFloat());
  if (isShared() && !isZero)
    return emitSharedFirstValues(i * m);
  for (int64_t j = 0; j < columnFragments(); ++j)
    accumulators.push_back(
        isZero ? ZeroOp::create(b, loc, fragmentType(Role::acc), op.getIntrinsicAttr())
               : emitFirstValue(i * m, j * n));
}

void TileExpander::emitRowEpilogue(Value values, int64_t row, int64_t column) {
  SmallVector<Value> arguments = {values};
  for (unsigned extra = 0; extra < op.getExtras().size(); ++extra)
    arguments.push_back(op.getEpilogue().getArgument(extra + 1).use_empty()
                            ? Value()
                            : loadExtra(extra, row, column));
  for (auto [output, value] : llvm::enumerate(cloneVectorized(op.getEpilogue(), arguments, n)))
    storeOutput(output, value, row, column);
}

// What one row stores may be what another's extras were read from only if they are the same
// element, so loads and stores may alternate.
void TileExpander::lastValues(int64_t i) {
  ArrayRef<Value> fragments =
      ArrayRef<Value>(accumulators).slice(i * columnFragments(), columnFragments());
  if (isShared())
    return emitSharedEpilogue(i * m, fragments);
  for (auto [j, fragment] : llvm::enumerate(fragments)) {
    int64_t column = j * n;
    if (storeWhole(fragment, i * m, column))
      continue;
    SmallVector<Value> rowVectors = toRows(fragment);
    for (int64_t row = i * m; row < std::min(rows, (i + 1) * m); ++row)
      emitRowEpilogue(rowVectors[row - i * m], row, column);
  }
}
