//===- BuilderTile.cpp - The statements of one register tile
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

LinearForm ProgramBuilder::accumulatorsAt() const {
  return (values[mAt] - m.from) * layout.accumulatorRowElements() + (values[nAt] - n.from);
}

/// Where the panel of `column`, a multiple of tileN, begins.
LinearForm ProgramBuilder::panelsAt(LinearForm column, int64_t extent) const {
  int64_t panel = layout.rhsPanelElements(extent);
  for (int64_t &step : column.perIteration)
    step = step / candidate.tileN * panel;
  return column;
}

/// The current panel in a rhs that was packed as a whole.
LinearForm ProgramBuilder::aheadAt() const {
  LinearForm before;
  for (unsigned i = 0; i < mAt; ++i)
    if (i < nest.batch.size() || i >= mAt - nest.outerN.size()) // rhs has no rows
      before = before * nest.variables()[i]->extent + values[i];
  int64_t k = nest.k.extent;
  return before * (layout.rhsPanels() * layout.rhsPanelElements(k)) + panelsAt(values[nAt], k);
}

void ProgramBuilder::tile(int64_t rows, int64_t columns, const ReductionBlock &block) {
  straightLine = program.statements.size();
  int64_t columnFragments = llvm::divideCeil(columns, intrinsic.n);
  int64_t paddedRows = llvm::alignTo(rows, rowTiles.fragmentRows);
  if (!block.isFirst)
    add(Statement::LoadAcc, paddedRows * columnFragments, BufferRole::Accumulators, false,
        paddedRows * columns, accumulatorsAt());
  LinearForm lhsAt, rhsAt;
  if (candidate.packLhs == Packing::None)
    lhsAt = positionIn(lhsBy) + block.from * lhsBy.back();
  else
    lhsAt = (values[mAt] - m.from) * layout.lhsRowElements(block.extent);
  if (candidate.packRhs == Packing::None)
    rhsAt = positionIn(rhsBy) + block.from * rhsBy.back();
  else if (candidate.packRhs == Packing::Block)
    rhsAt = panelsAt(values[nAt] - n.from, block.extent);
  else
    rhsAt = aheadAt() + block.from * candidate.tileN;
  reduction(0, lhsAt, rhsAt, rows, columns, block.extent);
  int64_t stores = rows * columnFragments;
  if (block.isLast)
    add(Statement::Store, stores, BufferRole::Result, true, rows * columns, positionIn(resultBy));
  else
    add(Statement::Store, stores, BufferRole::Accumulators, true, rows * columns, accumulatorsAt());
  straightLine = program.statements.size();
}

void ProgramBuilder::reduction(unsigned level, LinearForm lhsAt, LinearForm rhsAt, int64_t rows,
                               int64_t columns, int64_t extent) {
  if (level == nest.outerK.size())
    return steps(lhsAt, rhsAt, rows, columns, extent);
  unsigned variable = nAt + 1 + level;
  int64_t trips = nest.outerK[level].extent;
  int64_t rhsStep =
      candidate.packRhs == Packing::None ? rhsBy[variable] : layout.rhsSlabStride(level, extent);
  inLoop({LoopKind::Serial, trips, 1, current, std::nullopt}, [&](unsigned id) {
    reduction(level + 1, lhsAt + LinearForm::ofLoop(id, lhsBy[variable]),
              rhsAt + LinearForm::ofLoop(id, rhsStep), rows, columns, extent);
  });
}

/// The loop over whole steps of the intrinsic's k, then what is left of them.
void ProgramBuilder::steps(LinearForm lhsAt, LinearForm rhsAt, int64_t rows, int64_t columns,
                           int64_t extent) {
  bool isPadded = candidate.packLhs == Packing::Block;
  int64_t k = intrinsic.k, step_ = k * candidate.unroll;
  int64_t whole = isPadded ? llvm::alignTo(extent, k) : extent - extent % k;
  int64_t unrolled = whole - whole % step_;
  int64_t lhsStride = isPadded ? 1 : lhsBy.back();
  int64_t rhsStride = candidate.packRhs == Packing::None ? rhsBy.back() : candidate.tileN;
  if (unrolled > step_)
    inLoop({LoopKind::Serial, unrolled, step_, current, std::nullopt}, [&](unsigned id) {
      step(lhsAt + LinearForm::ofLoop(id, step_ * lhsStride),
           rhsAt + LinearForm::ofLoop(id, step_ * rhsStride), rows, columns, candidate.unroll,
           false);
    });
  else
    unrolled = 0;
  step(lhsAt, rhsAt, rows, columns, (whole - unrolled) / k, whole < extent);
}

/// `whole` steps and perhaps one behind them that reads what is left of the rows.
void ProgramBuilder::step(const LinearForm &lhsAt, const LinearForm &rhsAt, int64_t rows,
                          int64_t columns, int64_t whole, bool hasRaggedStep) {
  int64_t rowFragments = llvm::divideCeil(rows, rowTiles.fragmentRows);
  int64_t columnFragments = llvm::divideCeil(columns, intrinsic.n);
  int64_t all = whole + hasRaggedStep;
  bool isPacked = candidate.packLhs == Packing::Block;
  int64_t partial = hasRaggedStep ? rowFragments : 0;
  if (rows % rowTiles.fragmentRows && !isPacked)
    partial += whole;
  auto lhs = isPacked ? BufferRole::PackedLhs : BufferRole::Lhs;
  auto rhs = candidate.packRhs == Packing::Block ? BufferRole::PackedRhs : BufferRole::Rhs;
  int64_t lhsElements = rowTiles.fragmentRows * intrinsic.k,
          rhsElements = intrinsic.n * intrinsic.k;
  add(Statement::LoadRhs, columnFragments * all, rhs, false, columnFragments * all * rhsElements,
      rhsAt);
  int64_t loads = rowFragments * all - partial;
  bool firstIsPartial = whole == 0 || rows < rowTiles.fragmentRows;
  auto addLoads = [&](bool partially) {
    int64_t count = partially ? partial : loads;
    add(partially ? Statement::LoadLhsPartial : Statement::LoadLhs, count, lhs, false,
        count * lhsElements, lhsAt);
  };
  addLoads(firstIsPartial);
  if (all)
    addStatement(program, straightLine,
                 {Statement::Compute, current, rowFragments * columnFragments * all, {}});
  addLoads(!firstIsPartial);
}
