//===- ExactRow.cpp - A row that is multiplied as plain loops do it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactRow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ucmoh;

using Index = NarrowParts::Index;
using Values = NarrowParts::Values;

namespace {
class ExactRow {
public:
  ExactRow(NarrowParts &parts, Index row, Index panel)
      : parts(parts), builder(parts.builder), loc(parts.loc), b(parts.b), row(row), panel(panel) {}

  void emit(int64_t columns);

private:
  /// Products that lie side by side: for each column, as many steps as the intrinsic takes.
  int64_t lanes() { return parts.intrinsic.n * parts.intrinsic.kInterleave; }
  Value steps(Index step);
  Value weights(Value integers, Index group, int64_t fragment);
  Values group(Index group, Values sums);
  Value columnSums(Value products);

  NarrowParts &parts;
  OpBuilder &builder;
  Location loc;
  LoopBuilder &b;
  Index row, panel;
};
} // namespace

/// Elements of the row from `step` on, for each column.
Value ExactRow::steps(Index step) {
  int64_t interleave = parts.intrinsic.kInterleave;
  Index at = b.add(b.mul(row, parts.plan.steps), step);
  Value few = parts.load(parts.arguments.exactLhs, at, interleave);
  if (!cast<VectorType>(few.getType()).getElementType().isF32())
    few = arith::ExtFOp::create(builder, loc, parts.floats(interleave), few);
  SmallVector<int64_t> repeated;
  for (int64_t lane = 0; lane < lanes(); ++lane)
    repeated.push_back(lane % interleave);
  return vector::ShuffleOp::create(builder, loc, few, few, repeated);
}

Value ExactRow::weights(Value integers, Index group, int64_t fragment) {
  Value scale = parts.loadForSteps(parts.arguments.scales, panel, group, fragment);
  Value value = arith::MulFOp::create(builder, loc, parts.exactFloats(integers), scale);
  if (!parts.arguments.offsets)
    return value;
  Value offset = parts.loadForSteps(parts.arguments.offsets, panel, group, fragment);
  return arith::AddFOp::create(builder, loc, value, offset);
}

Values ExactRow::group(Index group, Values sums) {
  int64_t interleave = parts.intrinsic.kInterleave, perByte = parts.plan.perByte();
  return parts.reduce(parts.constant(parts.plan.group), interleave * perByte, std::move(sums),
                      [&](Index at, Values carried) {
                        Index step = b.add(b.mul(group, parts.plan.group), at);
                        for (int64_t j = 0; j < parts.fragments(); ++j) {
                          Value bytes = parts.load(parts.arguments.weights,
                                                   parts.weightsAt(panel, step, j), lanes());
                          for (int64_t half = 0; half < perByte; ++half)
                            carried[j] = vector::FMAOp::create(
                                builder, loc, steps(b.add(step, parts.constant(half * interleave))),
                                weights(parts.unpackBytes(bytes, half), group, j), carried[j]);
                        }
                        return carried;
                      });
}

/// One sum for each column.
Value ExactRow::columnSums(Value products) {
  for (int64_t width = 1; width < parts.intrinsic.kInterleave; width *= 2) {
    auto halves = vector::DeinterleaveOp::create(builder, loc, products);
    products = arith::AddFOp::create(builder, loc, halves.getRes1(), halves.getRes2());
  }
  return products;
}

void ExactRow::emit(int64_t columns) {
  Values sums(parts.fragments(), parts.splat(parts.floats(lanes()), 0));
  sums = parts.reduce(parts.constant(parts.plan.groups()), 1, std::move(sums),
                      [&](Index at, Values carried) { return group(at, std::move(carried)); });
  for (auto [j, sum] : llvm::enumerate(sums)) {
    Value first = parts.firstValue(b.mul(row, parts.plan.initRow), panel, int64_t(j), columns);
    sum = arith::AddFOp::create(builder, loc, columnSums(sum), first);
  }
  parts.storeRow(b.mul(row, parts.plan.resultRow), panel, columns, sums);
}

void ucmoh::emitExactRow(NarrowParts &parts, Index row, Index panel, int64_t columns) {
  ExactRow(parts, row, panel).emit(columns);
}
