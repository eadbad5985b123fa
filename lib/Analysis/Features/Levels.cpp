//===- Levels.cpp - What each level of the loops is assigned, and the bytes it holds
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

using namespace mlir;
using namespace ucmoh;

/// Trips of each loop, and what the last one of them has left.
void Extractor::setTrips() {
  shared[F::loopM] = nest.m.extent;
  shared[F::loopN] = nest.n.extent;
  shared[F::loopK] = nest.k.extent;
  shared[F::outerTrips] = product(nest.batch) * product(nest.outerM) * product(nest.outerN);
  shared[F::blockTripsM] = blocks(nest.m.extent, candidate.cacheM);
  shared[F::blockTripsN] = blocks(nest.n.extent, candidate.cacheN);
  shared[F::blockTripsK] = blocks(nest.k.extent, candidate.cacheK);
  shared[F::tileTripsM] = blocks(blockM(), candidate.tileM);
  shared[F::tileTripsN] = blocks(blockN(), candidate.tileN);
  shared[F::stepTrips] = blocks(blockK(), intrinsic.k) * product(nest.outerK);
  shared[F::lastTileM] = blockM() % candidate.tileM;
  shared[F::lastTileN] = blockN() % candidate.tileN;
  shared[F::lastVectorN] = blockN() % intrinsic.n;
}

/// Of one register tile, of one cache block, and of the whole operand.
void Extractor::setLevelBytes() {
  double k = double(blockK()) * product(nest.outerK);
  double lhsByte = intrinsic.lhs.bits / 8.0, rhsByte = intrinsic.rhs.bits / 8.0;
  double accByte = intrinsic.acc.bits / 8.0;
  shared[F::lhsTileBytes] = candidate.tileM * k * lhsByte;
  shared[F::rhsTileBytes] = candidate.tileN * k * rhsByte;
  shared[F::resultTileBytes] = candidate.tileM * candidate.tileN * accByte;
  shared[F::lhsBlockBytes] = blockM() * k * lhsByte;
  shared[F::rhsBlockBytes] = blockN() * k * rhsByte;
  shared[F::resultBlockBytes] = double(blockM()) * blockN() * accByte;
  shared[F::lhsAllBytes] = workload.lhs.elements() * lhsByte;
  shared[F::rhsAllBytes] = workload.rhs.elements() * rhsByte;
  shared[F::resultAllBytes] = workload.acc.elements() * accByte;
}

void Extractor::setLevels() {
  setTrips();
  setLevelBytes();
  shared[F::lhsIsPacked] = candidate.packLhs != Packing::None;
  shared[F::rhsIsPacked] = candidate.packRhs != Packing::None;
  shared[F::rhsIsPackedAhead] = candidate.packRhs == Packing::Ahead;
}
