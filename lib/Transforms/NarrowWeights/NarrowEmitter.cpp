//===- NarrowEmitter.cpp - Kernels that unpack their weights in registers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Few rows, and rows of integers, stream the weights: each vector of them is unpacked in
/// registers. A group's products are summed first, and the sum is scaled. Many rows of floats share
/// what is unpacked: a block of a panel goes to a buffer that stays in a cache, from which register
/// tiles read it.
///
//===----------------------------------------------------------------------===//

#include "NarrowEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

namespace {
class NarrowEmitter {
public:
  NarrowEmitter(OpBuilder &builder, Location loc, const NarrowPlan &plan,
                const NarrowArguments &arguments)
      : plan(plan), intrinsic(*plan.intrinsic), arguments(arguments), b(builder, loc, 0),
        builder(builder), loc(loc) {}

  void emit();

private:
  using Index = OpFoldResult;
  using Values = SmallVector<Value>;

  // Positions and vectors.
  int64_t fragments() const { return plan.panel / intrinsic.n; }
  Index constant(int64_t value) { return builder.getIndexAttr(value); }
  Type fragmentType(Role role) {
    IntrinsicOp op = intrinsic.op;
    return op.getFragmentType(role);
  }
  VectorType floats(int64_t lanes) { return VectorType::get({lanes}, builder.getF32Type()); }
  Value splat(VectorType type, double value);
  Value splatInteger(VectorType type, int64_t value);
  Value load(Value buffer, Index at, int64_t lanes);
  Value broadcast(Value buffer, Index at);
  Value toFloats(Value integers);
  Values reduce(int64_t extent, int64_t step, Values first,
                llvm::function_ref<Values(Index, Values)> body);

  // Unpacking.
  Value unpackBytes(Value bytes, int64_t half);
  Value convert(Value integers, bool exact);
  Index weightsAt(Index panel, Index step, int64_t fragment);
  Index scalesAt(Index panel, Index group) {
    return b.mul(b.add(b.mul(panel, plan.groups()), group), plan.panel);
  }
  /// Rows of a register tile.
  struct Rows {
    Index first;
    int64_t count;
  };
  Index rowAt(const Rows &rows, int64_t row, int64_t stride) {
    return b.add(b.mul(rows.first, stride), constant(row * stride));
  }
  Index groupAt(const Rows &rows, int64_t row, Index group) {
    return b.add(rowAt(rows, row, plan.groups()), group);
  }

  // Few rows.
  void streamTile(const Rows &rows, Index panel, int64_t columns);
  Value firstValue(Index rowAt, Index panel, int64_t fragment, int64_t columns);
  Values firstValues(const Rows &rows, Index panel, int64_t columns);
  Values groupSums(const Rows &rows, Index panel, Index group);
  Values steps(const Rows &rows, Index panel, Index group, Index at, Values sums);
  Values scaled(const Rows &rows, Index panel, Index group, Values sums, Values total);
  void storeRow(Index rowAt, Index panel, int64_t columns, ArrayRef<Value> values);

  // Many rows.
  void panels(Index from, Index to);
  void blockedPanel(Index panel, int64_t columns);
  void unpackBlock(Index panel, Index from, int64_t extent);
  void rowTiles(llvm::function_ref<void(Index, int64_t)> tile);
  void blockTile(Index row, int64_t rows, Index panel, int64_t columns, Index from, int64_t extent,
                 bool isFirst);
  Value viewOfBlock(Index at, int64_t extent, int64_t columns);
  Value viewOfLhs(Index row, int64_t rows, Index group, int64_t extent);
  Value viewOfResult(Index row, int64_t rows, Index panel, int64_t columns);
  Value viewOfInit(Index row, int64_t rows, Index panel, int64_t columns);
  bool hasIntegers() const { return intrinsic.lhs.isInteger(); }
  /// Steps that one row of vectors has.
  int64_t stepsAtOnce() const { return intrinsic.kInterleave * (block ? 1 : plan.perByte()); }
  Index blockAt(Index step, int64_t fragment) {
    return b.add(b.mul(step, plan.panel), constant(fragment * intrinsic.n * intrinsic.kInterleave));
  }
  int64_t blockSteps() const;
  bool unpacksPanels() const;

  const NarrowPlan &plan;
  const Intrinsic &intrinsic;
  const NarrowArguments &arguments;
  LoopBuilder b;
  OpBuilder &builder;
  Location loc;
  Value block; ///< unpacked weights, or null where each register tile unpacks them
};
} // namespace

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Value NarrowEmitter::splat(VectorType type, double value) {
  auto element = builder.getFloatAttr(type.getElementType(), value);
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, element));
}

Value NarrowEmitter::splatInteger(VectorType type, int64_t value) {
  auto element = builder.getIntegerAttr(type.getElementType(), value);
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, element));
}

Value NarrowEmitter::load(Value buffer, Index at, int64_t lanes) {
  auto type = VectorType::get({lanes}, cast<MemRefType>(buffer.getType()).getElementType());
  return vector::LoadOp::create(builder, loc, type, buffer, b.asValue(at));
}

/// One element in all lanes of an accumulator.
Value NarrowEmitter::broadcast(Value buffer, Index at) {
  auto type = VectorType::get({intrinsic.n}, cast<MemRefType>(buffer.getType()).getElementType());
  Value element = memref::LoadOp::create(builder, loc, buffer, b.asValue(at));
  return vector::BroadcastOp::create(builder, loc, type, element);
}

Value NarrowEmitter::toFloats(Value values) {
  auto type = cast<VectorType>(values.getType());
  if (!type.getElementType().isInteger())
    return values;
  return arith::SIToFPOp::create(builder, loc, floats(type.getNumElements()), values);
}

/// A loop that carries values; none where it would run once.
NarrowEmitter::Values NarrowEmitter::reduce(int64_t extent, int64_t step, Values first,
                                            llvm::function_ref<Values(Index, Values)> body) {
  if (extent <= step)
    return body(constant(0), std::move(first));
  auto loop = scf::ForOp::create(builder, loc, b.index(0), b.index(extent), b.index(step), first);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Values carried(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  scf::YieldOp::create(builder, loc, body(Index(loop.getInductionVar()), std::move(carried)));
  return Values(loop.result_begin(), loop.result_end());
}

//===----------------------------------------------------------------------===//
// Unpacking
//===----------------------------------------------------------------------===//

/// Packed integers of one of the rows that share bytes.
Value NarrowEmitter::unpackBytes(Value bytes, int64_t half) {
  auto type = cast<VectorType>(bytes.getType());
  if (plan.bits == 8)
    return bytes;
  if (half == 0)
    return arith::AndIOp::create(builder, loc, bytes, splatInteger(type, 15));
  return arith::ShRUIOp::create(builder, loc, bytes, splatInteger(type, 4));
}

/// Packed integers as the intrinsic's type; `exact`, with what was subtracted from them.
Value NarrowEmitter::convert(Value integers, bool exact) {
  auto type = cast<VectorType>(integers.getType());
  Type want = intrinsic.rhs.getType(builder.getContext());
  bool isInteger = intrinsic.rhs.isInteger();
  unsigned bits = isInteger ? intrinsic.rhs.bits : 32;
  if (bits > type.getElementTypeBitWidth()) {
    auto wide = VectorType::get(type.getShape(), builder.getIntegerType(bits));
    integers = plan.bits == 4 || plan.isUnsigned
                   ? Value(arith::ExtUIOp::create(builder, loc, wide, integers))
                   : Value(arith::ExtSIOp::create(builder, loc, wide, integers));
    type = wide;
  }
  if (isInteger)
    return integers;
  if (exact && plan.low)
    integers = arith::AddIOp::create(builder, loc, integers, splatInteger(type, plan.low));
  Value numbers = toFloats(integers);
  if (exact || want.isF32())
    return numbers;
  return arith::TruncFOp::create(builder, loc, VectorType::get(type.getShape(), want), numbers);
}

/// `step` is a multiple of the steps in one row of bytes.
NarrowEmitter::Index NarrowEmitter::weightsAt(Index panel, Index step, int64_t fragment) {
  Index inPanel = b.divide(b.mul(step, plan.panel), plan.perByte());
  Index at = b.add(b.mul(panel, plan.packedBytes(plan.steps)), inPanel);
  return b.add(at, constant(fragment * intrinsic.n * intrinsic.kInterleave));
}

//===----------------------------------------------------------------------===//
// Weights are unpacked in registers
//===----------------------------------------------------------------------===//

Value NarrowEmitter::firstValue(Index rowAt, Index panel, int64_t fragment, int64_t columns) {
  VectorType type = floats(intrinsic.n);
  int64_t valid = std::min(intrinsic.n, columns - fragment * intrinsic.n);
  if (!arguments.init || valid <= 0)
    return splat(type, 0);
  Index column = b.add(b.mul(panel, plan.panel), constant(fragment * intrinsic.n));
  Index at = b.add(b.mul(column, plan.initColumn), rowAt);
  if (plan.initColumn == 0)
    return broadcast(arguments.init, at);
  Value mask = vector::ConstantMaskOp::create(
      builder, loc, VectorType::get({intrinsic.n}, builder.getI1Type()), ArrayRef<int64_t>{valid});
  return vector::MaskedLoadOp::create(builder, loc, type, arguments.init, b.asValue(at), mask,
                                      splat(type, 0));
}

/// The steps of one row of bytes, for all rows and columns.
NarrowEmitter::Values NarrowEmitter::steps(const Rows &rows, Index panel, Index group, Index at,
                                           Values sums) {
  int64_t interleave = intrinsic.kInterleave;
  Index from = b.add(b.mul(group, plan.group), at);
  Values loaded;
  for (int64_t j = 0; j < fragments(); ++j)
    loaded.push_back(
        block ? load(block, blockAt(from, j), intrinsic.n * interleave)
              : load(arguments.weights, weightsAt(panel, from, j), intrinsic.n * interleave));
  for (int64_t half = 0; half < stepsAtOnce() / interleave; ++half)
    for (int64_t j = 0; j < fragments(); ++j) {
      Value right = block ? loaded[j] : convert(unpackBytes(loaded[j], half), /*exact=*/false);
      for (int64_t row = 0; row < rows.count; ++row) {
        Index inGroup =
            b.add(b.add(b.mul(group, plan.groupElements), at), constant(half * interleave));
        Index lhsAt = b.add(rowAt(rows, row, plan.rowElements), inGroup);
        Value view = b.view(arguments.lhs, lhsAt, {1, interleave}, {interleave, 1});
        Value left = LoadOp::create(builder, loc, fragmentType(Role::lhs), intrinsic.getSymbol(),
                                    Role::lhs, view);
        Value &sum = sums[row * fragments() + j];
        sum =
            ComputeOp::create(builder, loc, sum.getType(), intrinsic.getSymbol(), left, right, sum);
      }
    }
  return sums;
}

/// One iteration reads so much of the weights at most: processors that prefetch by the distance
/// from iteration to iteration stop at page borders.
static constexpr int64_t mostUnrolledBytes = 1024;

/// Sums of products with the integers of one group.
NarrowEmitter::Values NarrowEmitter::groupSums(const Rows &rows, Index panel, Index group) {
  Values sums;
  for (int64_t row = 0; row < rows.count; ++row) {
    Value first;
    auto type = cast<VectorType>(fragmentType(Role::acc));
    if (arguments.firstSums)
      first = broadcast(arguments.firstSums, groupAt(rows, row, group));
    else
      first = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    sums.append(fragments(), first);
  }
  int64_t unrolled = stepsAtOnce();
  auto bytesOf = [&](int64_t steps) {
    return block ? steps * plan.panel * intrinsic.rhs.bits / 8 : plan.packedBytes(steps);
  };
  while (plan.group % (2 * unrolled) == 0 && bytesOf(2 * unrolled) <= mostUnrolledBytes)
    unrolled *= 2;
  return reduce(plan.group, unrolled, std::move(sums), [&](Index at, Values carried) {
    for (int64_t i = 0; i < unrolled; i += stepsAtOnce())
      carried = steps(rows, panel, group, b.add(at, constant(i)), std::move(carried));
    return carried;
  });
}

/// total + sums * scale + offset * (sum of the lhs).
NarrowEmitter::Values NarrowEmitter::scaled(const Rows &rows, Index panel, Index group, Values sums,
                                            Values total) {
  for (int64_t j = 0; j < fragments(); ++j) {
    Index at = b.add(scalesAt(panel, group), constant(j * intrinsic.n));
    Value scale = load(arguments.scales, at, intrinsic.n);
    Value offset = arguments.offsets ? load(arguments.offsets, at, intrinsic.n) : Value();
    for (int64_t row = 0; row < rows.count; ++row) {
      Value &value = total[row * fragments() + j];
      Value sum = toFloats(sums[row * fragments() + j]);
      Value ofLhs =
          offset ? toFloats(broadcast(arguments.sums, groupAt(rows, row, group))) : Value();
      if (arguments.rowScales && !plan.scalesRowsLast) {
        Value rowScale = broadcast(arguments.rowScales, groupAt(rows, row, group));
        sum = arith::MulFOp::create(builder, loc, sum, rowScale);
        if (offset)
          ofLhs = arith::MulFOp::create(builder, loc, ofLhs, rowScale);
      }
      value = vector::FMAOp::create(builder, loc, sum, scale, value);
      if (offset)
        value = vector::FMAOp::create(builder, loc, ofLhs, offset, value);
    }
  }
  return total;
}

void NarrowEmitter::storeRow(Index rowAt, Index panel, int64_t columns, ArrayRef<Value> values) {
  for (auto [j, value] : llvm::enumerate(values)) {
    int64_t valid = std::min<int64_t>(intrinsic.n, columns - int64_t(j) * intrinsic.n);
    if (valid <= 0)
      return;
    Index column = b.add(b.mul(panel, plan.panel), constant(int64_t(j) * intrinsic.n));
    Index at = b.add(rowAt, column);
    if (valid == intrinsic.n) {
      vector::StoreOp::create(builder, loc, value, arguments.result, b.asValue(at));
      continue;
    }
    Value mask = vector::ConstantMaskOp::create(builder, loc,
                                                VectorType::get({intrinsic.n}, builder.getI1Type()),
                                                ArrayRef<int64_t>{valid});
    vector::MaskedStoreOp::create(builder, loc, arguments.result, b.asValue(at), mask, value);
  }
}

/// What the sums begin with, at the results of the tile.
NarrowEmitter::Values NarrowEmitter::firstValues(const Rows &rows, Index panel, int64_t columns) {
  Values values;
  for (int64_t row = 0; row < rows.count; ++row)
    for (int64_t j = 0; j < fragments(); ++j) {
      Value value = firstValue(rowAt(rows, row, plan.initRow), panel, j, columns);
      if (arguments.rowOffsets) {
        Index column = b.add(b.mul(panel, plan.panel), constant(j * intrinsic.n));
        value = vector::FMAOp::create(builder, loc,
                                      broadcast(arguments.rowOffsets, rowAt(rows, row, 1)),
                                      load(arguments.columnSums, column, intrinsic.n), value);
      }
      values.push_back(value);
    }
  return values;
}

void NarrowEmitter::streamTile(const Rows &rows, Index panel, int64_t columns) {
  Values total(rows.count * fragments(), splat(floats(intrinsic.n), 0));
  if (!plan.scalesRowsLast)
    total = firstValues(rows, panel, columns);
  total = reduce(plan.groups(), 1, std::move(total), [&](Index group, Values carried) {
    return scaled(rows, panel, group, groupSums(rows, panel, group), std::move(carried));
  });
  if (plan.scalesRowsLast)
    for (auto [number, first] : llvm::enumerate(firstValues(rows, panel, columns))) {
      Index at = groupAt(rows, number / fragments(), constant(0));
      Value scale = broadcast(arguments.rowScales, at);
      total[number] = vector::FMAOp::create(builder, loc, total[number], scale, first);
    }
  for (int64_t row = 0; row < rows.count; ++row)
    storeRow(rowAt(rows, row, plan.resultRow), panel, columns,
             ArrayRef<Value>(total).slice(row * fragments(), fragments()));
}

//===----------------------------------------------------------------------===//
// Weights are unpacked to a buffer, once for many rows
//===----------------------------------------------------------------------===//

/// Whole groups that fit.
int64_t NarrowEmitter::blockSteps() const {
  int64_t bytes = plan.group * plan.panel * intrinsic.rhs.bits / 8;
  return std::clamp<int64_t>(plan.blockBytes / bytes, 1, plan.groups()) * plan.group;
}

/// Whether a panel of integers is unpacked once for all its register tiles: it pays for itself
/// where there are some, and a panel is not larger than a block may be.
bool NarrowEmitter::unpacksPanels() const {
  constexpr int64_t fewestTiles = 4;
  return plan.bits == 4 && plan.rows > fewestTiles * plan.tileRows && blockSteps() == plan.steps;
}

/// Floats with their scale, integers as they are.
void NarrowEmitter::unpackBlock(Index panel, Index from, int64_t extent) {
  int64_t interleave = intrinsic.kInterleave, lanes = intrinsic.n * interleave;
  Type element = intrinsic.rhs.getType(builder.getContext());
  auto scaledBy = [&](Value scales, Index group, int64_t j) {
    Value values =
        load(scales, b.add(scalesAt(panel, group), constant(j * intrinsic.n)), intrinsic.n);
    for (int64_t width = 1; width < interleave; width *= 2)
      values = vector::InterleaveOp::create(builder, loc, values, values);
    return values;
  };
  b.loop(constant(0), constant(extent), plan.group, [&](const Index &inBlock) {
    Index first = b.add(from, inBlock), group = b.divide(first, plan.group);
    Values scales, offsets;
    for (int64_t j = 0; j < fragments() && !hasIntegers(); ++j) {
      scales.push_back(scaledBy(arguments.scales, group, j));
      if (arguments.offsets)
        offsets.push_back(scaledBy(arguments.offsets, group, j));
    }
    b.loop(constant(0), constant(plan.group), interleave * plan.perByte(), [&](const Index &at) {
      for (int64_t j = 0; j < fragments(); ++j) {
        Value bytes = load(arguments.weights, weightsAt(panel, b.add(first, at), j), lanes);
        for (int64_t half = 0; half < plan.perByte(); ++half) {
          Value value = convert(unpackBytes(bytes, half), /*exact=*/true);
          if (!hasIntegers())
            value = arith::MulFOp::create(builder, loc, value, scales[j]);
          if (!offsets.empty())
            value = arith::AddFOp::create(builder, loc, value, offsets[j]);
          if (!hasIntegers() && !element.isF32())
            value = arith::TruncFOp::create(builder, loc, VectorType::get({lanes}, element), value);
          Index step = b.add(b.add(inBlock, at), constant(half * interleave));
          vector::StoreOp::create(builder, loc, value, block, b.asValue(blockAt(step, j)));
        }
      }
    });
  });
}

Value NarrowEmitter::viewOfBlock(Index at, int64_t extent, int64_t columns) {
  int64_t interleave = intrinsic.kInterleave, width = llvm::alignTo(columns, intrinsic.n);
  return b.view(block, at, {extent / interleave, width * interleave}, {plan.panel * interleave, 1});
}

Value NarrowEmitter::viewOfLhs(Index row, int64_t rows, Index group, int64_t extent) {
  Index at = b.add(b.mul(row, plan.rowElements), b.mul(group, plan.groupElements));
  return b.view(arguments.lhs, at, {rows, extent}, {plan.rowElements, 1});
}

Value NarrowEmitter::viewOfResult(Index row, int64_t rows, Index panel, int64_t columns) {
  Index at = b.add(b.mul(row, plan.resultRow), b.mul(panel, plan.panel));
  return b.view(arguments.result, at, {rows, columns}, {plan.resultRow, 1});
}

Value NarrowEmitter::viewOfInit(Index row, int64_t rows, Index panel, int64_t columns) {
  Index at = b.add(b.mul(row, plan.initRow), b.mul(panel, plan.panel * plan.initColumn));
  return b.view(arguments.init, at, {rows, columns}, {plan.initRow, plan.initColumn});
}

/// A block with an argument for each of these types, at whose end the builder is left.
static Block *beginBody(OpBuilder &builder, Location loc, Region &region, TypeRange types) {
  Block *block = &region.emplaceBlock();
  for (Type type : types)
    block->addArgument(type, loc);
  builder.setInsertionPointToEnd(block);
  return block;
}

static SmallVector<Type> elementTypes(ValueRange views) {
  return llvm::map_to_vector(
      views, [](Value view) { return cast<MemRefType>(view.getType()).getElementType(); });
}

void NarrowEmitter::blockTile(Index row, int64_t rows, Index panel, int64_t columns, Index from,
                              int64_t extent, bool isFirst) {
  Value result = viewOfResult(row, rows, panel, columns);
  Values extras;
  if (!isFirst)
    extras.push_back(result);
  else if (arguments.init)
    extras.push_back(viewOfInit(row, rows, panel, columns));
  auto op = TileOp::create(builder, loc, intrinsic.getSymbol(),
                           viewOfLhs(row, rows, b.divide(from, plan.group), extent),
                           viewOfBlock(constant(0), extent, columns), /*next=*/Value(), extras,
                           ValueRange{result}, /*streamed=*/false);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types = elementTypes(extras);
  Block *prologue = beginBody(builder, loc, op.getPrologue(), types);
  Value first = extras.empty()
                    ? Value(arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0)))
                    : Value(prologue->getArgument(0));
  YieldOp::create(builder, loc, first);
  types.insert(types.begin(), builder.getF32Type());
  Block *epilogue = beginBody(builder, loc, op.getEpilogue(), types);
  YieldOp::create(builder, loc, ValueRange{epilogue->getArgument(0)});
}

/// Whole tiles of rows, then the rest.
void NarrowEmitter::rowTiles(llvm::function_ref<void(Index, int64_t)> tile) {
  int64_t rest = plan.rows % plan.tileRows;
  b.loop(constant(0), constant(plan.rows - rest), plan.tileRows,
         [&](const Index &row) { tile(row, plan.tileRows); });
  if (rest)
    tile(constant(plan.rows - rest), rest);
}

void NarrowEmitter::blockedPanel(Index panel, int64_t columns) {
  int64_t extent = blockSteps(), rest = plan.steps % extent;
  auto compute = [&](Index from, int64_t of, bool isFirst) {
    unpackBlock(panel, from, of);
    rowTiles(
        [&](Index row, int64_t rows) { blockTile(row, rows, panel, columns, from, of, isFirst); });
  };
  compute(constant(0), extent, true);
  b.loop(constant(extent), constant(plan.steps - rest), extent,
         [&](const Index &from) { compute(from, extent, false); });
  if (rest)
    compute(constant(plan.steps - rest), rest, false);
}

/// The panels of one thread.
void NarrowEmitter::panels(Index from, Index to) {
  if (!plan.streams || unpacksPanels())
    block = memref::AllocOp::create(
        builder, loc,
        MemRefType::get({blockSteps() * plan.panel}, intrinsic.rhs.getType(builder.getContext())),
        ValueRange(), builder.getI64IntegerAttr(64));
  auto one = [&](const Index &panel, int64_t columns) {
    if (!plan.streams)
      return blockedPanel(panel, columns);
    if (block)
      unpackBlock(panel, constant(0), plan.steps);
    rowTiles([&](Index row, int64_t rows) { streamTile({row, rows}, panel, columns); });
  };
  int64_t rest = plan.columns % plan.panel, whole = plan.panels() - (rest != 0);
  Index end = rest ? b.min(to, constant(whole)) : to;
  b.loop(from, end, 1, [&](const Index &panel) { one(panel, plan.panel); });
  if (rest)
    b.ifAtLeast(to, whole + 1, [&] { one(constant(whole), rest); });
}

void NarrowEmitter::emit() {
  int64_t count = plan.panels(), share = llvm::divideCeil(count, plan.threads);
  if (share == count)
    return panels(constant(0), constant(count));
  b.parallelLoop(count, share, [&](const Index &from) {
    panels(from, b.min(b.add(from, constant(share)), constant(count)));
  });
}

void ucmoh::emitNarrowProduct(OpBuilder &builder, Location loc, const NarrowPlan &plan,
                              const NarrowArguments &arguments) {
  NarrowEmitter(builder, loc, plan, arguments).emit();
}
