//===- TileExpander.cpp - What a register tile begins and ends with
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileExpander.h"
#include "../StackScope.h"
#include "../VectorBody.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "ucmoh/Analysis/KnownValues.h"
#include "ucmoh/Dialect/TileSteps.h"
#include <utility>

using namespace mlir;
using namespace ucmoh;

/// One row of an extra as a vector: neighbours, one value for all, or gathered one by one.
Value TileExpander::loadExtra(Value view, int64_t row, int64_t column) {
  int64_t distance = stridesOf(view).back(), valid = std::min(n, columns - column);
  auto type = VectorType::get({n}, cast<MemRefType>(view.getType()).getElementType());
  SmallVector<Value, 2> at = indices(row, column);
  if (distance == 0)
    return vector::BroadcastOp::create(b, loc, type,
                                       memref::LoadOp::create(b, loc, view, at).getResult());
  if (distance == 1 && valid == n)
    return vector::LoadOp::create(b, loc, type, view, at);
  Value values = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  if (distance == 1)
    return vector::MaskedLoadOp::create(b, loc, type, view, at, mask(valid), values);
  for (int64_t j = 0; j < valid; ++j) {
    Value scalar = memref::LoadOp::create(b, loc, view, indices(row, column + j));
    values = vector::InsertOp::create(b, loc, scalar, values, ArrayRef<int64_t>{j});
  }
  return values;
}

void TileExpander::storeOutput(Value view, Value value, int64_t row, int64_t column) {
  int64_t valid = std::min(n, columns - column);
  SmallVector<Value, 2> at = indices(row, column);
  if (valid == n) {
    auto type = cast<VectorType>(value.getType());
    llvm::MaybeAlign alignment;
    if (op.getStreamed()) // only aligned stores go past the caches
      alignment = alignmentOf(type);
    vector::StoreOp::create(b, loc, value, view, at, op.getStreamed(), alignment);
  } else if (valid == 1) {
    // LLVM 22 makes a masked store of truncated values with one lane a store of the wider value.
    Value first = vector::ExtractStridedSliceOp::create(b, loc, value, ArrayRef<int64_t>{0},
                                                        ArrayRef<int64_t>{1}, ArrayRef<int64_t>{1});
    vector::StoreOp::create(b, loc, first, view, at);
  } else {
    vector::MaskedStoreOp::create(b, loc, view, at, mask(valid), value);
  }
}

Value TileExpander::fragmentBuffer() {
  Type element = intrinsic.getAccType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = b.getIntegerType(integer.getWidth()); // the bodies' types are signless
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&stackScope(op));
  return memref::AllocaOp::create(b, loc, MemRefType::get({m, n}, element),
                                  b.getI64IntegerAttr(64));
}

Value TileExpander::rowOf(const RowPart &part) {
  int64_t row = part.row % m;
  if (auto type = dyn_cast<MemRefType>(part.fragment.getType()))
    return vector::LoadOp::create(b, loc, VectorType::get({n}, type.getElementType()),
                                  part.fragment, indices(row, 0));
  if (m == 1)
    return part.fragment;
  return vector::ExtractStridedSliceOp::create(b, loc, part.fragment, ArrayRef<int64_t>{row * n},
                                               ArrayRef<int64_t>{n}, ArrayRef<int64_t>{1});
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
    vector::StoreOp::create(b, loc, row, buffer, indices(i, 0));
  return load(Role::acc, buffer);
}

Value TileExpander::emitFirstValue(int64_t row, int64_t column) {
  if (Value fragment = loadWhole(row, column))
    return fragment;
  SmallVector<Value> rowVectors, extras;
  for (int64_t i = row; i < row + m; ++i) {
    extras.clear();
    for (auto [argument, view] : llvm::zip_equal(op.getPrologue().getArguments(), op.getExtras()))
      // Rows behind the tile's end repeat its last one: they are never stored.
      extras.push_back(argument.use_empty() ? Value()
                                            : loadExtra(view, std::min(i, rows - 1), column));
    rowVectors.push_back(cloneOnVectors(b, loc, op.getPrologue(), extras, n).front().front());
  }
  return fromRows(rowVectors);
}

void TileExpander::firstValues(int64_t i) {
  Value first = op.getPrologue().front().getTerminator()->getOperand(0);
  bool startsAtZero = isZero(first);
  if (isShared() && !startsAtZero)
    return llvm::append_range(accumulators, shared->firstValues(i * m));
  for (int64_t j = 0; j < columnFragments(); ++j)
    accumulators.push_back(
        startsAtZero ? ZeroOp::create(b, loc, fragmentType(Role::acc), op.getIntrinsicAttr())
                     : emitFirstValue(i * m, j * n));
}

/// Combines the values of all columns of a row before they are stored. Columns that do not exist
/// leave their lanes as they are.
void TileExpander::combinePartials(const RowPart &part, ValueRange values) {
  // Which zero is the maximum is not worth several instructions.
  auto anyZero = arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::nsz);
  int64_t valid = std::min(n, columns - part.column);
  SmallVector<Value> &row = partials[part.row];
  for (auto [i, view, value] : llvm::enumerate(op.getPartials(), values)) {
    auto type = cast<VectorType>(value.getType());
    if (part.column == 0)
      row.push_back(vector::LoadOp::create(b, loc, type, view, indices(part.row, 0)));
    auto kind = cast<vector::CombiningKindAttr>(op.getCombiners()[i]).getValue();
    row[i] = vector::makeArithReduction(b, loc, kind, value, row[i], anyZero,
                                        valid < n ? mask(valid) : Value());
    if (part.column + n >= columns)
      vector::StoreOp::create(b, loc, row[i], view, indices(part.row, 0));
  }
}

void TileExpander::emitEpilogues(ArrayRef<RowPart> parts) {
  SmallVector<SmallVector<Value>> arguments;
  for (const RowPart &part : parts) {
    arguments.push_back({rowOf(part)});
    for (auto [argument, view] :
         llvm::zip_equal(op.getEpilogue().getArguments().drop_front(), op.getExtras()))
      arguments.back().push_back(argument.use_empty() ? Value()
                                                      : loadExtra(view, part.row, part.column));
  }
  for (auto [part, results] :
       llvm::zip_equal(parts, cloneOnVectors(b, loc, op.getEpilogue(), arguments, n))) {
    ValueRange values = results;
    for (auto [view, value] :
         llvm::zip_equal(op.getOutputs(), values.drop_back(op.getPartials().size())))
      storeOutput(view, value, part.row, part.column);
    combinePartials(part, values.take_back(op.getPartials().size()));
  }
}

// One row may store where another's extras were read from only if they are the same element, so
// loads and stores may alternate.
void TileExpander::lastValues(int64_t i) {
  ArrayRef<Value> fragments =
      ArrayRef<Value>(accumulators).slice(i * columnFragments(), columnFragments());
  if (isShared())
    return shared->lastValues(i * m, fragments);
  for (auto [j, fragment] : llvm::enumerate(fragments)) {
    int64_t column = j * n;
    if (storeWhole(fragment, i * m, column))
      continue;
    Value readable = fragment;
    if (!isVectorFragment()) {
      readable = fragmentBuffer();
      StoreOp::create(b, loc, op.getIntrinsicAttr(), fragment, readable);
    }
    for (int64_t row = i * m; row < std::min(rows, (i + 1) * m); ++row)
      unstored.push_back({readable, row, column});
  }
  emitUnstored(/*all=*/i + 1 == shape.rowFragments());
}

/// Long epilogues, one after the other, wait for their latencies: a processor sees few of them at
/// once. Where vector registers are few, accumulators already take all of them; those of opaque
/// fragments are in other registers.
void TileExpander::emitUnstored(bool all) {
  constexpr int64_t manyRegisters = 32, sideBySide = 6;
  auto target = intrinsic->getParentOfType<TargetOp>();
  bool hasRegisters = !isVectorFragment() || (target && target.getRegisterCount() >= manyRegisters);
  size_t count = hasRegisters ? sideBySide : 1;
  ArrayRef<RowPart> left = unstored;
  while (left.size() >= count || (all && !left.empty())) {
    emitEpilogues(left.take_front(count));
    left = left.drop_front(std::min(count, left.size()));
  }
  unstored = SmallVector<RowPart>(left);
}

//===----------------------------------------------------------------------===//
// The steps of the reduction
//===----------------------------------------------------------------------===//

/// The nest that the types of the tile's operands describe. A lhs is padded where it has whole
/// fragments only.
static TileShape shapeOf(TileOp op, IntrinsicOp intrinsic, int64_t m) {
  TileShape shape{};
  shape.rows = op.getRows();
  shape.columns = op.getColumns();
  shape.m = m;
  shape.n = intrinsic.getShape()[1];
  shape.k = intrinsic.getShape()[2];
  llvm::append_range(shape.reduction, op.getReduction());
  shape.paddedLhs = op.getLhs().getType().getDimSize(0) >= shape.rowFragments() * m &&
                    shape.reduction.back() % shape.k == 0;
  if (auto steps = op->getAttrOfType<DenseI64ArrayAttr>(stepsMark))
    for (int64_t row = 0; row < shape.rows; ++row)
      shape.rowSteps.push_back({steps[2 * row], steps[2 * row + 1]});
  if (auto around = dyn_cast<PipelineOp>(op->getParentOp())) {
    shape.pipeline = {around.getExtent(), around.getDepth()};
    shape.reduction.back() = around.getReduction();
  }
  return shape;
}

TileExpander::TileExpander(OpBuilder &builder, TileOp op, IntrinsicOp intrinsic,
                           int64_t fragmentRows, const Machine &machine)
    : b(builder), loc(op.getLoc()), op(op), around(dyn_cast<PipelineOp>(op->getParentOp())),
      intrinsic(intrinsic), shape(shapeOf(op, intrinsic, fragmentRows)), rows(shape.rows),
      columns(shape.columns), m(shape.m), n(shape.n), k(shape.k),
      prefetch(builder, op, shape, machine), lhs(op.getLhs()), rhs(op.getRhs()),
      right(columnFragments()) {
  if (around) {
    pipeline.emplace(b, around);
    shared.emplace(b, op, around, intrinsic, shape);
  }
  auto streams = op->getAttrOfType<IntegerAttr>(streamsMark);
  if (streams && isVectorFragment()) // others cannot be added up
    shape.streams = streams.getInt();
}

/// The accumulators are carried through the loop.
void TileExpander::reduce(Value extent, int64_t step, Body body) {
  auto loop = scf::ForOp::create(b, loc, index(0), extent, index(step), accumulators);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  accumulators.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  body(loop.getInductionVar());
  scf::YieldOp::create(b, loc, accumulators);
  accumulators.assign(loop.result_begin(), loop.result_end());
}

/// Sums of the first stream begin as they are, all others at zero.
void TileExpander::reduceStreams(int64_t extent, int64_t step, int64_t streams,
                                 function_ref<void(const Value &, int64_t)> body) {
  size_t count = accumulators.size();
  Value zero = ZeroOp::create(b, loc, fragmentType(Role::acc), op.getIntrinsicAttr());
  accumulators.append((streams - 1) * count, zero);
  reduce(extent, step, [&](const Value &at) {
    SmallVector<Value> carried = std::exchange(accumulators, {}), summed;
    for (int64_t stream = 0; stream < streams; ++stream) {
      accumulators = llvm::to_vector(ArrayRef(carried).slice(stream * count, count));
      body(at, stream);
      summed.append(accumulators);
    }
    accumulators = summed;
  });
  SmallVector<Value> sums = std::exchange(accumulators, {});
  for (auto [i, sum] : llvm::enumerate(sums))
    if (i < count)
      accumulators.push_back(sum);
    else
      accumulators[i % count] = vector::makeArithReduction(b, loc, vector::CombiningKind::ADD,
                                                           accumulators[i % count], sum);
}

/// How often a loop runs may depend on where the tile is.
void TileExpander::reduceOuter(unsigned level, int64_t extent, Body body) {
  bool isKnown = !ShapedType::isDynamic(extent);
  reduce(isKnown ? index(extent) : memref::DimOp::create(b, loc, lhs, level + 1).getResult(), 1,
         body);
}

Value TileExpander::slice(Value view, ArrayRef<OpFoldResult> offsets, ArrayRef<int64_t> sizes,
                          unsigned rows) {
  SmallVector<OpFoldResult> extents = getAsIndexOpFoldResult(b.getContext(), sizes);
  SmallVector<OpFoldResult> steps(sizes.size(), b.getIndexAttr(1));
  auto type = cast<MemRefType>(view.getType());
  auto whole = cast<MemRefType>(memref::SubViewOp::inferResultType(type, offsets, extents, steps));
  auto [strides, offset] = whole.getStridesAndOffset();
  auto layout = StridedLayoutAttr::get(b.getContext(), offset, {strides[rows], strides.back()});
  auto reduced = MemRefType::get({sizes[rows], sizes.back()}, type.getElementType(), layout,
                                 type.getMemorySpace());
  return memref::SubViewOp::create(b, loc, reduced, view, offsets, extents, steps);
}

void TileExpander::step(ArrayRef<Value> at) {
  position.assign(at.begin(), at.end());
  prefetch.nextPart(at, isVectorFragment());
}

void TileExpander::loadRhs(int64_t j) {
  int64_t pack = intrinsic.getKInterleave();
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(position);
  if (pack > 1)
    offsets.back() =
        getAsOpFoldResult(b.createOrFold<arith::DivUIOp>(loc, position.back(), index(pack)));
  offsets.push_back(b.getIndexAttr(j * n * pack));
  SmallVector<int64_t> sizes(position.size() - 1, 1);
  sizes.append({k / pack, n * pack});
  right[j] = load(Role::rhs, slice(rhs, offsets, sizes, position.size() - 1));
}

void TileExpander::loadLhs(int64_t i, int64_t validM, int64_t validK) {
  SmallVector<OpFoldResult> offsets = {b.getIndexAttr(i * m)};
  llvm::append_range(offsets, getAsOpFoldResult(position));
  SmallVector<int64_t> sizes(offsets.size(), 1);
  sizes.front() = validM;
  sizes.back() = validK;
  left = load(Role::lhs, slice(lhs, offsets, sizes, 0));
}

void TileExpander::nextStage(Value block, int64_t trips) {
  Value slot = pipeline->next(block, trips);
  auto ofSlot = [&](Value slots) {
    SmallVector<OpFoldResult> offsets(3, b.getIndexAttr(0));
    offsets.front() = getAsOpFoldResult(slot);
    SmallVector<int64_t> sizes(cast<MemRefType>(slots.getType()).getShape());
    sizes.front() = 1;
    return slice(slots, offsets, sizes, 1);
  };
  lhs = ofSlot(around.getLhs());
  rhs = ofSlot(around.getRhs());
}

void TileExpander::compute(int64_t i, int64_t j) {
  Value &acc = accumulators[i * columnFragments() + j];
  acc = ComputeOp::create(b, loc, acc.getType(), op.getIntrinsicAttr(), left, right[j], acc);
}

//===----------------------------------------------------------------------===//
// Opaque fragments that lie in memory as they are
//===----------------------------------------------------------------------===//

bool TileExpander::isWhole(Value view, int64_t row, int64_t column) {
  Type accumulator = intrinsic.getAccType();
  Type element = cast<MemRefType>(view.getType()).getElementType();
  return !isVectorFragment() && row + m <= rows && column + n <= columns &&
         stridesOf(view).back() == 1 && element.isInteger() == accumulator.isInteger() &&
         element.getIntOrFloatBitWidth() == accumulator.getIntOrFloatBitWidth();
}

/// An opaque fragment of first values that are in memory as they are needed; null for others.
Value TileExpander::loadWhole(int64_t row, int64_t column) {
  auto value = dyn_cast<BlockArgument>(op.getPrologue().front().getTerminator()->getOperand(0));
  if (!value || value.getOwner() != &op.getPrologue().front())
    return {};
  Value view = op.getExtras()[value.getArgNumber()];
  return isWhole(view, row, column) ? load(Role::acc, slice(view, row, column, m, n)) : Value();
}

/// Stores an opaque fragment without a detour over a buffer, if results are stored as they are.
bool TileExpander::storeWhole(Value fragment, int64_t row, int64_t column) {
  Block &epilogue = op.getEpilogue().front();
  OperandRange stored = epilogue.getTerminator()->getOperands();
  Value view = op.getOutputs().front();
  if (op.getStreamed() || stored.size() != 1 || stored.front() != epilogue.getArgument(0) ||
      !isWhole(view, row, column))
    return false;
  StoreOp::create(b, loc, op.getIntrinsicAttr(), fragment, slice(view, row, column, m, n));
  return true;
}
