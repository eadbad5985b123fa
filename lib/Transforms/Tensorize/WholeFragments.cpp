//===- WholeFragments.cpp - Opaque fragments that lie in memory as they are
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileExpander.h"

using namespace mlir;
using namespace ucmoh;

bool TileExpander::isWhole(Value buffer, ArrayRef<int64_t> strides, int64_t row, int64_t column) {
  Type accumulator = intrinsic.getAccType();
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  return !isVectorFragment() && row + m <= rows && column + n <= columns && strides[1] == 1 &&
         element.isInteger() == accumulator.isInteger() &&
         element.getIntOrFloatBitWidth() == accumulator.getIntOrFloatBitWidth();
}

/// An opaque fragment of first values that are in memory as they are needed; null for others.
Value TileExpander::loadWhole(int64_t row, int64_t column) {
  auto value = dyn_cast<BlockArgument>(op.getPrologue().front().getTerminator()->getOperand(0));
  if (!value || value.getOwner() != &op.getPrologue().front())
    return {};
  unsigned extra = value.getArgNumber();
  ArrayRef<int64_t> strides = op.getExtraStrides().slice(2 * extra, 2);
  Value buffer = op.getExtras()[extra];
  if (!isWhole(buffer, strides, row, column))
    return {};
  return LoadOp::create(b, loc, fragmentType(Role::acc), op.getIntrinsicAttr(), Role::acc, buffer,
                        offset(op.getExtraBases()[extra], row * strides[0] + column),
                        b.getI64IntegerAttr(strides[0]), DenseI64ArrayAttr());
}

/// Stores an opaque fragment without a detour over a buffer, if results are stored as they are.
bool TileExpander::storeWhole(Value fragment, int64_t row, int64_t column) {
  Block &epilogue = op.getEpilogue().front();
  OperandRange stored = epilogue.getTerminator()->getOperands();
  ArrayRef<int64_t> strides = op.getOutputStrides();
  if (op.getStreamed() || stored.size() != 1 || stored.front() != epilogue.getArgument(0) ||
      !isWhole(op.getOutputs().front(), strides, row, column))
    return false;
  // A result without rows has no stride between them.
  int64_t stride = m == 1 ? n : strides[0];
  StoreOp::create(b, loc, op.getIntrinsicAttr(), fragment, op.getOutputs().front(),
                  offset(op.getOutputBases().front(), row * strides[0] + column),
                  b.getI64IntegerAttr(stride), DenseI64ArrayAttr());
  return true;
}
