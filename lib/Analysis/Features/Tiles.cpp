//===- Tiles.cpp - The micro-kernels
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

using namespace mlir;
using namespace ucmoh;

/// One row for the steps of one kind of tile: `loads` of rhs, then of lhs, and what they compute.
void Extractor::addSteps(ProgramFeatures &rows, const Steps &steps) {
  double executions = program.executions(steps.compute->loop);
  int64_t rowFragments = steps.compute->count / steps.rhsLoads;
  int64_t columnFragments = steps.compute->count / steps.lhsLoads;
  FeatureRow &row = rows.emplace_back(shared);
  double filled = double(rowTiles.fragmentRows) / intrinsic.m; // fewer rows take less time
  row[F::isCompute] = 1;
  row[F::executions] = executions * steps.compute->count * filled;
  row[F::steps] = executions * (steps.rhsLoads / columnFragments);
  row[F::raggedLoads] = executions * steps.partialLoads;
  row[F::accumulators] = rowFragments * columnFragments;
  row[F::loadsPerStep] = rowFragments + columnFragments;
  row[F::loadBytesPerStep] =
      (rowFragments * rowTiles.fragmentRows * intrinsic.k * intrinsic.lhs.bits +
       columnFragments * intrinsic.n * intrinsic.k * intrinsic.rhs.bits) /
      8.0;
  if (intrinsic.m == 1)
    row[F::broadcastBytesPerStep] = rowFragments * intrinsic.n * intrinsic.acc.bits / 8.0;
  row[F::registersUsed] =
      (rowFragments * columnFragments + columnFragments + 1) / double(intrinsic.registerCount);
}

void Extractor::addStore(ProgramFeatures &rows, const Statement &store) {
  FeatureRow &row = rows.emplace_back(shared);
  row[F::isStore] = 1;
  row[F::tiles] = program.executions(store.loop);
  row[F::elements] = row[F::tiles] * store.accesses.front().elements;
  row[F::accumulators] = store.count;
  row[F::reductionLoops] = 1 + product(nest.outerK);
}

/// The statements of the micro-kernels, in the order of the code: loads and computes of a step
/// stand together.
void Extractor::addTiles(ProgramFeatures &rows) {
  Steps steps;
  auto finish = [&] {
    if (steps.compute)
      addSteps(rows, steps);
    steps = Steps();
  };
  for (const Statement &statement : program.statements) {
    if (statement.kind == Statement::LoadRhs || statement.kind == Statement::Store)
      finish();
    if (statement.kind == Statement::LoadRhs)
      steps.rhsLoads = statement.count;
    else if (statement.kind == Statement::LoadLhs || statement.kind == Statement::LoadLhsPartial)
      steps.lhsLoads += statement.count;
    else if (statement.kind == Statement::Compute)
      steps.compute = &statement;
    else if (statement.kind == Statement::Store)
      addStore(rows, statement);
    if (statement.kind == Statement::LoadLhsPartial)
      steps.partialLoads = statement.count;
  }
}
