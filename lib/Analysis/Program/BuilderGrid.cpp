//===- BuilderGrid.cpp - The program of a grid of blocks of threads
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

Program ProgramBuilder::grid() {
  ScratchLayout scratch(workload, candidate);
  bool ahead = candidate.packRhs == Packing::Ahead;
  program[BufferRole::Lhs] = {workload.lhs.elements(), workload.lhs.type.bits};
  program[BufferRole::Rhs] = {ahead ? layout.rhsAheadElements() : workload.rhs.elements(),
                              ahead ? intrinsic.rhs.bits : workload.rhs.type.bits};
  program[BufferRole::Result] = {workload.acc.elements(), intrinsic.acc.bits};
  program[BufferRole::PackedLhs] = {candidate.stages * scratch.lhsSlot(), intrinsic.lhs.bits};
  program[BufferRole::PackedRhs] = {candidate.stages * scratch.rhsSlot(), intrinsic.rhs.bits};
  program[BufferRole::Accumulators] = {scratch.warps() * scratch.exchangePerWarp(),
                                       intrinsic.acc.bits};
  gridAxes(0);
  return std::move(program);
}

/// All axes are loops, also those of one block: what a device runs in parallel has to be seen.
void ProgramBuilder::gridAxes(unsigned variable) {
  if (variable > nAt)
    return gridBlock();
  int64_t step = variable == mAt ? candidate.cacheM : variable == nAt ? candidate.cacheN : 1;
  inLoop({LoopKind::Block, nest.variables()[variable]->extent, step, current, std::nullopt},
         [&](unsigned id) {
           values[variable] = moving(id, step);
           gridAxes(variable + 1);
         });
}

void ProgramBuilder::warps(llvm::function_ref<void()> body) {
  inLoop({LoopKind::Warp, candidate.cacheM, candidate.tileM, current, std::nullopt},
         [&](unsigned m) {
           inLoop({LoopKind::Warp, candidate.cacheN, candidate.tileN, current, std::nullopt},
                  [&](unsigned n) {
                    LinearForm row = values[mAt], column = values[nAt];
                    values[mAt] += moving(m, candidate.tileM);
                    values[nAt] += moving(n, candidate.tileN);
                    body();
                    values[mAt] = row;
                    values[nAt] = column;
                  });
         });
}

void ProgramBuilder::gridBlock() {
  inLoop({LoopKind::Stage, nest.k.extent, candidate.cacheK, current, std::nullopt},
         [&](unsigned) { gridStage(); });
  warps([&] {
    int64_t fragments = candidate.tileM / intrinsic.m * (candidate.tileN / intrinsic.n);
    straightLine = program.statements.size();
    add(Statement::Store, fragments, BufferRole::Result, true, candidate.tileM * candidate.tileN,
        positionIn(resultBy));
  });
}

/// The block copies its part of one block of the reduction; then each warp computes from it. Slots
/// take turns, so positions in scratch do not move with the stages.
void ProgramBuilder::gridStage() {
  ScratchLayout scratch(workload, candidate);
  int64_t lhsElements = candidate.cacheM * candidate.cacheK;
  int64_t rhsElements = candidate.cacheN * candidate.cacheK;
  straightLine = program.statements.size();
  copy(Statement::PackLhs, lhsElements / scratch.lhsChunk(), lhsElements, lhsElements, {});
  copy(Statement::PackRhs, rhsElements / scratch.rhsChunk(), rhsElements, rhsElements, {});
  warps([&] {
    unsigned m = *program.loops[*current].parent, n = *current;
    int64_t steps = candidate.cacheK / intrinsic.k, rows = candidate.tileM / intrinsic.m;
    int64_t columns = candidate.tileN / intrinsic.n;
    straightLine = program.statements.size();
    add(Statement::LoadRhs, columns * steps, BufferRole::PackedRhs, false,
        candidate.tileN * candidate.cacheK, moving(n, scratch.rhsPanel()));
    add(Statement::LoadLhs, rows * steps, BufferRole::PackedLhs, false,
        candidate.tileM * candidate.cacheK, moving(m, candidate.tileM * scratch.lhsRow()));
    addStatement(program, straightLine, {Statement::Compute, current, rows * columns * steps, {}});
  });
}
