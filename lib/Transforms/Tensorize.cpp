//===- Tensorize.cpp - Register tiles become loads, computes and stores
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadTargets.h"
#include "StackScope.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace ucmoh {
#define GEN_PASS_DEF_TENSORIZE
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

namespace {

/// Expands one ucmoh.tile. Fragments are numbered row by row: (row / m) * columnFragments + column.
class TileExpander {
public:
  TileExpander(OpBuilder &builder, TileOp op, IntrinsicOp intrinsic)
      : b(builder), loc(op.getLoc()), op(op), intrinsic(intrinsic), rows(op.getTile()[0]),
        columns(op.getTile()[1]), m(intrinsic.getShape()[0]), n(intrinsic.getShape()[1]),
        k(intrinsic.getShape()[2]) {}

  void expand() {
    SmallVector<Value> accumulators = emitPrologue();
    accumulators = emitReduction(0, op.getLhsBase(), op.getRhsBase(), accumulators);
    emitEpilogue(accumulators);
  }

private:
  int64_t rowFragments() const { return llvm::divideCeil(rows, m); }
  int64_t columnFragments() const { return llvm::divideCeil(columns, n); }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value offset(Value base, int64_t by) {
    return by == 0 ? base : b.createOrFold<arith::AddIOp>(loc, base, index(by));
  }
  Value advance(Value base, Value steps, int64_t stride) {
    Value by = b.createOrFold<arith::MulIOp>(loc, steps, index(stride));
    return b.createOrFold<arith::AddIOp>(loc, base, by);
  }

  SmallVector<Value> emitReduction(unsigned level, Value lhsAt, Value rhsAt, ValueRange start);
  SmallVector<Value> emitSteps(Value lhsAt, Value rhsAt, ValueRange start);
  SmallVector<Value> emitStep(Value lhsAt, Value rhsAt, ValueRange start, int64_t validK);
  SmallVector<Value> emitPrologue();
  void emitEpilogue(ArrayRef<Value> accumulators);
  Value emitFirstValue(int64_t row, int64_t column);
  void emitRowEpilogue(Value values, int64_t row, int64_t column);
  Value loadExtra(unsigned extra, int64_t row, int64_t column);
  void storeOutput(unsigned output, Value value, int64_t row, int64_t column);
  SmallVector<Value> cloneVectorized(Region &region, ArrayRef<Value> arguments);
  /// The fragment as one vector of n elements per row, and back.
  SmallVector<Value> toRows(Value fragment);
  Value fromRows(ArrayRef<Value> rowVectors);
  bool isVectorFragment() { return isa<VectorType>(intrinsic.getFragmentType(Role::acc)); }
  /// A stack buffer of m x n elements, through which opaque fragments are read and written.
  Value fragmentBuffer();
  Value mask(int64_t valid) {
    return vector::ConstantMaskOp::create(b, loc, VectorType::get({n}, b.getI1Type()),
                                          ArrayRef<int64_t>{valid});
  }

  OpBuilder &b;
  Location loc;
  TileOp op;
  IntrinsicOp intrinsic;
  int64_t rows, columns, m, n, k;
};

} // namespace

//===----------------------------------------------------------------------===//
// The reduction
//===----------------------------------------------------------------------===//

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
    right.push_back(LoadOp::create(b, loc, intrinsic.getFragmentType(Role::rhs), symbol, Role::rhs,
                                   op.getRhs(), offset(rhsAt, j * n * rhsColumn),
                                   b.getI64IntegerAttr(rhsStep), DenseI64ArrayAttr()));
  SmallVector<Value> accumulators(start);
  for (int64_t i = 0; i < rowFragments(); ++i) {
    int64_t validM = std::min(m, rows - i * m);
    DenseI64ArrayAttr valid;
    if (validM < m || validK < k)
      valid = b.getDenseI64ArrayAttr({validM, validK});
    Value left = LoadOp::create(b, loc, intrinsic.getFragmentType(Role::lhs), symbol, Role::lhs,
                                op.getLhs(), offset(lhsAt, i * m * lhsRow),
                                m > 1 ? b.getI64IntegerAttr(lhsRow) : IntegerAttr(), valid);
    for (int64_t j = 0; j < columnFragments(); ++j) {
      Value &acc = accumulators[i * columnFragments() + j];
      acc = ComputeOp::create(b, loc, acc.getType(), symbol, left, right[j], acc);
    }
  }
  return accumulators;
}

//===----------------------------------------------------------------------===//
// Before and after
//===----------------------------------------------------------------------===//

/// Clones scalar code on the n elements of a row: elementwise ops keep their meaning on vectors.
SmallVector<Value> TileExpander::cloneVectorized(Region &region, ArrayRef<Value> arguments) {
  IRMapping mapping;
  mapping.map(region.getArguments(), ValueRange(arguments));
  auto widen = [&](Type type) { return VectorType::get({n}, type); };
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
  Type fragment = intrinsic.getFragmentType(Role::acc);
  if (m == 1 && isVectorFragment())
    return rowVectors.front();
  if (auto type = dyn_cast<VectorType>(fragment)) {
    Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
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
  SmallVector<Value> rowVectors, extras;
  for (int64_t i = row; i < row + m; ++i) {
    extras.clear();
    for (unsigned extra = 0; extra < op.getExtras().size(); ++extra)
      // Rows behind the tile's end repeat its last one: they are never stored.
      extras.push_back(op.getPrologue().getArgument(extra).use_empty()
                           ? Value()
                           : loadExtra(extra, std::min(i, rows - 1), column));
    rowVectors.push_back(cloneVectorized(op.getPrologue(), extras).front());
  }
  return fromRows(rowVectors);
}

SmallVector<Value> TileExpander::emitPrologue() {
  Value first = op.getPrologue().front().getTerminator()->getOperand(0);
  Value zero;
  if (matchPattern(first, m_Zero()) || matchPattern(first, m_AnyZeroFloat()))
    zero = ZeroOp::create(b, loc, intrinsic.getFragmentType(Role::acc), op.getIntrinsicAttr());
  SmallVector<Value> accumulators;
  for (int64_t i = 0; i < rowFragments(); ++i)
    for (int64_t j = 0; j < columnFragments(); ++j)
      accumulators.push_back(zero ? zero : emitFirstValue(i * m, j * n));
  return accumulators;
}

void TileExpander::emitRowEpilogue(Value values, int64_t row, int64_t column) {
  SmallVector<Value> arguments = {values};
  for (unsigned extra = 0; extra < op.getExtras().size(); ++extra)
    arguments.push_back(op.getEpilogue().getArgument(extra + 1).use_empty()
                            ? Value()
                            : loadExtra(extra, row, column));
  for (auto [output, value] : llvm::enumerate(cloneVectorized(op.getEpilogue(), arguments)))
    storeOutput(output, value, row, column);
}

void TileExpander::emitEpilogue(ArrayRef<Value> accumulators) {
  // What one row stores may be what another's extras were read from only if they are the same
  // element, so loads and stores may alternate.
  for (int64_t i = 0; i < rowFragments(); ++i)
    for (int64_t j = 0; j < columnFragments(); ++j) {
      SmallVector<Value> rowVectors = toRows(accumulators[i * columnFragments() + j]);
      for (int64_t row = i * m; row < std::min(rows, (i + 1) * m); ++row)
        emitRowEpilogue(rowVectors[row - i * m], row, j * n);
    }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TensorizePass : ucmoh::impl::TensorizeBase<TensorizePass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return loadTargets(context, target, library);
  }

  void runOnOperation() override {
    SmallVector<TileOp> tiles;
    getOperation().walk([&](TileOp op) { tiles.push_back(op); });
    for (TileOp op : tiles) {
      IntrinsicOp intrinsic = findIntrinsic(op, *library);
      if (!intrinsic)
        return signalPassFailure();
      OpBuilder builder(op);
      TileExpander(builder, op, intrinsic).expand();
      op.erase();
    }
  }

  std::shared_ptr<TargetLibrary> library;
};
} // namespace
