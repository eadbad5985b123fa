//===- FeatureExtractor.cpp - A candidate as features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/FeatureExtractor.h"
#include "Features/Extractor.h"

using namespace mlir;
using namespace ucmoh;

Extractor::Extractor(const Workload &workload, const Candidate &candidate, const Machine &machine)
    : workload(workload), candidate(candidate), machine(machine), intrinsic(*candidate.intrinsic),
      nest(buildNest(workload, candidate.packLhs, candidate.packRhs)),
      rowTiles(nest, candidate, mayRepeatRows(workload, *candidate.intrinsic)),
      program(buildProgram(workload, candidate)) {
  describeMachine(machine, shared);
  setLoops();
  setLevels();
  setStrides();
}

ProgramFeatures Extractor::run() {
  ProgramFeatures rows;
  addConversions(rows);
  addPacking(rows);
  addTiles(rows);
  if (intrinsic.isStaged)
    addGrid(rows);
  else
    addTraffic(rows);
  return rows;
}

ProgramFeatures ucmoh::extractFeatures(const Workload &workload, const Candidate &candidate,
                                       const Machine &machine) {
  return Extractor(workload, candidate, machine).run();
}
