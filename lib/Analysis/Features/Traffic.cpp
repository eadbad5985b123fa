//===- Traffic.cpp - What all tiles together move, and the grid of a device
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"
#include "ucmoh/Analysis/ScratchLayout.h"
#include "ucmoh/Analysis/ThreadRegisters.h"

using namespace mlir;
using namespace ucmoh;

/// Of what the outer tile loop holds, most of L1 is too much: it is read from beyond L1 again for
/// each tile of the inner loop.
bool Extractor::staysInL1(double heldBytes) const { return heldBytes <= 0.75 * machine.l1Bytes; }

/// How often operands are read from beyond L1, and how much lies between two uses.
void Extractor::addTraffic(ProgramFeatures &rows) {
  FeatureRow &row = rows.emplace_back(shared);
  row[F::isTraffic] = 1;
  double outer = row[F::outerTrips];
  double k = double(nest.k.extent) * product(nest.outerK);
  double lhsBytes = nest.m.extent * k * intrinsic.lhs.bits / 8.0;
  double rhsBytes = nest.n.extent * k * intrinsic.rhs.bits / 8.0;
  // The operand of the inner tile loop streams by for each tile of the outer one.
  bool rowsInside = candidate.order.rowTilesInside;
  bool lhsIsHeld = !rowsInside && staysInL1(row[F::lhsTileBytes]);
  bool rhsIsHeld = rowsInside && staysInL1(row[F::rhsTileBytes]);
  double lhsTimes = blocks(nest.n.extent, lhsIsHeld ? candidate.cacheN : candidate.tileN);
  double rhsTimes = blocks(nest.m.extent, rhsIsHeld ? candidate.cacheM : candidate.tileM);
  row[F::lhsBytes] = outer * lhsBytes * lhsTimes;
  row[F::rhsBytes] = outer * rhsBytes * rhsTimes;
  row[F::lhsLevelBytes] =
      row[F::lhsBlockBytes] + (rowsInside ? row[F::rhsTileBytes] : row[F::rhsBlockBytes]);
  row[F::rhsLevelBytes] =
      row[F::rhsBlockBytes] + (rowsInside ? row[F::lhsBlockBytes] : row[F::lhsTileBytes]);
  double result = double(nest.m.extent) * nest.n.extent * intrinsic.acc.bits / 8;
  row[F::resultBytes] = outer * result * (2 * blocks(nest.k.extent, candidate.cacheK) - 1);
}

/// How many blocks there are, and what limits how many of them share a core.
void Extractor::addGrid(ProgramFeatures &rows) {
  FeatureRow &row = rows.emplace_back(shared);
  ScratchLayout scratch(workload, candidate);
  row[F::isGrid] = 1;
  row[F::blocks] = row[F::outerTrips] * row[F::blockTripsM] * row[F::blockTripsN];
  row[F::warps] = scratch.warps();
  row[F::lanes] = intrinsic.lanes;
  row[F::stages] = candidate.stages;
  row[F::scratchBytes] = scratch.bytes();
  ThreadRegisters registers = estimateThreadRegisters(workload, candidate, machine);
  row[F::registersPerThread] = registers.used;
  row[F::spilledBytesPerThread] = registers.spilledBytes;
  row[F::lhsBytes] = double(workload.lhs.elements()) * workload.lhs.type.bits / 8;
  row[F::rhsBytes] = double(workload.rhs.elements()) * workload.rhs.type.bits / 8;
  row[F::resultBytes] = double(workload.acc.elements()) * intrinsic.acc.bits / 8;
}
