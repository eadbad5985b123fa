//===- StreamedTile.cpp - A register tile that unpacks its weights
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamedTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

/// Loads from an unpacked block, or from the packed weights, some of which are fetched for later.
Value StreamedTile::loadWeights(Index panel, const Group &group, Index at, int64_t fragment) {
  int64_t lanes = intrinsic.n * intrinsic.kInterleave;
  if (readsBlock())
    return parts.load(block, parts.blockAt(stepOf(group.inPart, at), fragment), lanes);
  Index packed = parts.weightsAt(panel, stepOf(group.number, at), fragment);
  if (plan.bytesAhead) {
    int64_t last = plan.panels() * plan.packedBytes(plan.steps) - lanes;
    Index ahead = b.min(b.add(packed, parts.constant(plan.bytesAhead)), parts.constant(last));
    parts.fetch(arguments.weights, ahead);
  }
  return parts.load(arguments.weights, packed, lanes);
}

/// Integers as the intrinsic multiplies them. `step` is where the block has them.
Value StreamedTile::unpack(Value loaded, int64_t half, Index step, int64_t fragment) {
  if (readsBlock())
    return loaded;
  Value unpacked = parts.convert(parts.unpackBytes(loaded, half));
  if (block)
    vector::StoreOp::create(builder, loc, unpacked, block,
                            b.asValue(parts.blockAt(step, fragment)));
  return unpacked;
}

Value StreamedTile::loadLhs(Value lhs, Index at) {
  int64_t interleave = intrinsic.kInterleave;
  Value view = b.view(lhs, at, {1, interleave}, {interleave, 1});
  return LoadOp::create(builder, loc, fragmentType(Role::lhs), intrinsic.getSymbol(), Role::lhs,
                        view);
}

/// The steps of one row of bytes, for all rows, pieces of them, and columns.
StreamedTile::Values StreamedTile::steps(const Rows &rows, Index panel, const Group &group,
                                         Index at, Values sums) {
  int64_t interleave = intrinsic.kInterleave, fragments = parts.fragments();
  Values loaded;
  for (int64_t j = 0; j < fragments; ++j)
    loaded.push_back(loadWeights(panel, group, at, j));
  for (int64_t half = 0; half < stepsAtOnce() / interleave; ++half) {
    Index step = b.add(at, parts.constant(half * interleave));
    Index inGroup = b.add(b.mul(group.number, plan.groupElements), step);
    for (int64_t j = 0; j < fragments; ++j) {
      Value right = unpack(loaded[j], half, stepOf(group.inPart, step), j);
      for (auto [piece, lhs] : llvm::enumerate(arguments.lhs))
        for (int64_t row = 0; row < rows.count; ++row) {
          Value left = loadLhs(lhs, b.add(parts.rowAt(rows, row, plan.rowElements), inGroup));
          Value &sum = sums[(piece * rows.count + row) * fragments + j];
          sum = ComputeOp::create(builder, loc, sum.getType(), intrinsic.getSymbol(), left, right,
                                  sum);
        }
    }
  }
  return sums;
}

/// One iteration reads so much of the weights at most: processors that prefetch by the distance
/// from iteration to iteration stop at page borders.
static constexpr int64_t mostUnrolledBytes = 1024;

StreamedTile::Values StreamedTile::firstSums(const Rows &rows, Index group) {
  Values sums;
  auto type = cast<VectorType>(fragmentType(Role::acc));
  for (size_t piece = 0; piece < arguments.lhs.size(); ++piece)
    for (int64_t row = 0; row < rows.count; ++row) {
      Value first;
      if (arguments.firstSums.empty())
        first = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
      else
        first = parts.broadcast(arguments.firstSums[piece], parts.groupAt(rows, row, group));
      sums.append(parts.fragments(), first);
    }
  return sums;
}

/// Sums of products with the integers of one group.
StreamedTile::Values StreamedTile::groupSums(const Rows &rows, Index panel, const Group &group) {
  int64_t unrolled = stepsAtOnce();
  auto bytesOf = [&](int64_t steps) {
    return readsBlock() ? steps * plan.panel * intrinsic.rhs.bits / 8 : plan.packedBytes(steps);
  };
  while (plan.group % (2 * unrolled) == 0 && bytesOf(2 * unrolled) <= mostUnrolledBytes)
    unrolled *= 2;
  return parts.reduce(parts.constant(plan.group), unrolled, firstSums(rows, group.number),
                      [&](Index at, Values carried) {
                        for (int64_t i = 0; i < unrolled; i += stepsAtOnce())
                          carried = steps(rows, panel, group, b.add(at, parts.constant(i)),
                                          std::move(carried));
                        return carried;
                      });
}

/// The sums as floats; of rows in pieces, those of all pieces.
StreamedTile::Values StreamedTile::joined(Values sums) {
  size_t pieces = arguments.lhs.size(), count = sums.size() / pieces;
  Value base = parts.splat(parts.floats(intrinsic.n), 256);
  Values result;
  for (size_t i = 0; i < count; ++i) {
    Value total = parts.toFloats(sums[i]);
    for (size_t piece = 1; piece < pieces; ++piece)
      total =
          vector::FMAOp::create(builder, loc, total, base, parts.toFloats(sums[piece * count + i]));
    result.push_back(total);
  }
  return result;
}

/// total + sums * scale + offset * (sum of the lhs).
StreamedTile::Values StreamedTile::scaled(const Rows &rows, Index panel, Index group, Values sums,
                                          Values total) {
  int64_t fragments = parts.fragments();
  for (int64_t j = 0; j < fragments; ++j) {
    Index at = b.add(parts.scalesAt(panel, group), parts.constant(j * intrinsic.n));
    Value scale = parts.load(arguments.scales, at, intrinsic.n);
    Value offset = arguments.offsets ? parts.load(arguments.offsets, at, intrinsic.n) : Value();
    for (int64_t row = 0; row < rows.count; ++row) {
      Index groupAt = parts.groupAt(rows, row, group);
      Value &value = total[row * fragments + j], sum = sums[row * fragments + j];
      Value rowScale = arguments.rowScales && !plan.scalesRowsLast
                           ? parts.broadcast(arguments.rowScales, groupAt)
                           : Value();
      if (rowScale)
        sum = arith::MulFOp::create(builder, loc, sum, rowScale);
      value = vector::FMAOp::create(builder, loc, sum, scale, value);
      if (!offset)
        continue;
      Value ofLhs = parts.broadcast(arguments.sums, groupAt);
      bool ofIntegers = cast<VectorType>(ofLhs.getType()).getElementType().isInteger();
      ofLhs = parts.toFloats(ofLhs);
      if (rowScale && ofIntegers)
        ofLhs = arith::MulFOp::create(builder, loc, ofLhs, rowScale);
      value = vector::FMAOp::create(builder, loc, ofLhs, offset, value);
    }
  }
  return total;
}

/// Returns the values that the sums begin with, at the results of the tile.
StreamedTile::Values StreamedTile::firstValues(const Rows &rows, Index panel, int64_t columns) {
  Values values;
  for (int64_t row = 0; row < rows.count; ++row)
    for (int64_t j = 0; j < parts.fragments(); ++j) {
      Value value = parts.firstValue(parts.rowAt(rows, row, plan.initRow), panel, j, columns);
      if (arguments.rowOffsets)
        value = vector::FMAOp::create(
            builder, loc, parts.broadcast(arguments.rowOffsets, parts.rowAt(rows, row, 1)),
            parts.load(arguments.columnSums, parts.columnAt(panel, j), intrinsic.n), value);
      values.push_back(value);
    }
  return values;
}

/// Where a sum of the tile waits for the next part.
StreamedTile::Index StreamedTile::totalAt(const Rows &rows, int64_t number) {
  return b.add(b.mul(rows.first, plan.panel), parts.constant(number * intrinsic.n));
}

StreamedTile::Index StreamedTile::tileNumber(const Rows &rows) {
  if (rows.count == plan.tileRows)
    return b.divide(rows.first, rows.count);
  Index behind = b.sub(rows.first, parts.constant(plan.wholeTiles() * plan.tileRows));
  return b.add(b.divide(behind, rows.count), parts.constant(plan.wholeTiles()));
}

/// Each tile of a part fetches a share of the next one.
void StreamedTile::fetchNext(const Rows &rows, Index panel, const Part &part) {
  int64_t bytes = plan.packedBytes(plan.groupsOfBlock() * plan.group), line = plan.lineBytes;
  int64_t share = llvm::divideCeil(bytes, plan.tiles() * line) * line;
  int64_t last = plan.panels() * plan.packedBytes(plan.steps) - line;
  Index next = parts.weightsAt(panel, b.mul(b.add(part.from, part.count), plan.group), 0);
  next = b.add(next, b.mul(tileNumber(rows), share));
  for (int64_t at = 0; at < share; at += line)
    parts.fetch(arguments.weights, b.min(b.add(next, parts.constant(at)), parts.constant(last)));
}

/// Returns the values that the part's sums are added to.
StreamedTile::Values StreamedTile::sumsBefore(const Rows &rows, Index panel, int64_t columns,
                                              const Part &part) {
  int64_t count = rows.count * parts.fragments();
  auto none = [&] {
    return plan.scalesRowsLast ? Values(count, parts.splat(parts.floats(intrinsic.n), 0))
                               : firstValues(rows, panel, columns);
  };
  auto stored = [&] {
    Values values;
    for (int64_t number = 0; number < count; ++number)
      values.push_back(parts.load(totals, totalAt(rows, number), intrinsic.n));
    return values;
  };
  return totals ? parts.ifEqual(part.from, parts.constant(0), none, stored) : none();
}

/// The sums of all groups as results.
StreamedTile::Values StreamedTile::finished(const Rows &rows, Index panel, int64_t columns,
                                            Values total) {
  if (plan.scalesRowsLast)
    for (auto [number, first] : llvm::enumerate(firstValues(rows, panel, columns))) {
      Index at = parts.groupAt(rows, number / parts.fragments(), parts.constant(0));
      Value scale = parts.broadcast(arguments.rowScales, at);
      total[number] = vector::FMAOp::create(builder, loc, total[number], scale, first);
    }
  return total;
}

void StreamedTile::storeTotals(const Rows &rows, Values total) {
  for (auto [number, value] : llvm::enumerate(total))
    vector::StoreOp::create(builder, loc, value, totals, b.asValue(totalAt(rows, number)));
}

void StreamedTile::storeResults(const Rows &rows, Index panel, int64_t columns, Values total) {
  total = finished(rows, panel, columns, std::move(total));
  for (int64_t row = 0; row < rows.count; ++row)
    parts.storeRow(parts.rowAt(rows, row, plan.resultRow), panel, columns,
                   ArrayRef<Value>(total).slice(row * parts.fragments(), parts.fragments()));
}

void StreamedTile::emit(const Rows &rows, Index panel, int64_t columns, const Part &part) {
  if (plan.hasManyTiles)
    fetchNext(rows, panel, part);
  Values total = parts.reduce(
      part.count, 1, sumsBefore(rows, panel, columns, part), [&](Index inPart, Values carried) {
        Group group{b.add(part.from, inPart), inPart};
        return scaled(rows, panel, group.number, joined(groupSums(rows, panel, group)),
                      std::move(carried));
      });
  auto last = [&] {
    storeResults(rows, panel, columns, total);
    return Values();
  };
  auto others = [&] {
    storeTotals(rows, total);
    return Values();
  };
  if (totals)
    parts.ifEqual(b.add(part.from, part.count), parts.constant(plan.groups()), last, others);
  else
    last();
}
