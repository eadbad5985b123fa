//===- Extractor.h - Builds the feature rows of one program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_FEATURES_EXTRACTOR_H
#define UCMOH_ANALYSIS_FEATURES_EXTRACTOR_H

#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/Program.h"
#include "ucmoh/Analysis/RowTiles.h"
#include "llvm/Support/MathExtras.h"

namespace ucmoh {

/// What all rows share is set once; then each kind of statement adds its rows.
class Extractor {
public:
  Extractor(const Workload &workload, const Candidate &candidate, const Machine &machine);
  ProgramFeatures run();

private:
  using F = Feature;

  // Shared.cpp
  void setLoops();
  void setStrides();
  /// From one value of the group's innermost dim to the next, in memory; 0 without dims.
  double strideBytes(const Operand &operand, const Nest::Group &group, unsigned bits) const;

  // Levels.cpp
  void setLevels();
  void setTrips();
  void setLevelBytes();

  // Copies.cpp
  FeatureRow &addCopy(ProgramFeatures &rows, F kind, double elements, double run, unsigned bits);
  void addConversions(ProgramFeatures &rows);
  void addPacking(ProgramFeatures &rows);
  void addStagedPacking(ProgramFeatures &rows);
  double packedElements(Statement::Kind kind) const;
  /// Contiguous elements along the reduction (or along n).
  double run(const Operand &operand, const Nest::Group &group) const;

  // Tiles.cpp
  /// The loads and executions of straight-line code; the numbers are of one pass through it.
  struct Steps {
    const Statement *compute = nullptr;
    int64_t rhsLoads = 0, lhsLoads = 0, partialLoads = 0;
  };
  void addTiles(ProgramFeatures &rows);
  void addSteps(ProgramFeatures &rows, const Steps &steps);
  void addStore(ProgramFeatures &rows, const Statement &store);

  // Traffic.cpp
  bool staysInL1(double heldBytes) const;
  void addTraffic(ProgramFeatures &rows);
  void addGrid(ProgramFeatures &rows);

  static int64_t product(const llvm::SmallVector<Nest::Group> &groups) {
    int64_t extent = 1;
    for (const Nest::Group &group : groups)
      extent *= group.extent;
    return extent;
  }
  int64_t blocks(int64_t extent, int64_t block) const { return llvm::divideCeil(extent, block); }
  /// Elements of a cache block, which never goes beyond the loop that it cuts.
  int64_t blockM() const { return std::min(candidate.cacheM, nest.m.extent); }
  int64_t blockN() const { return std::min(candidate.cacheN, nest.n.extent); }
  int64_t blockK() const { return std::min(candidate.cacheK, nest.k.extent); }

  const Workload &workload;
  const Candidate &candidate;
  const Machine &machine;
  const Intrinsic &intrinsic;
  Nest nest;
  RowTiles rowTiles;
  Program program;
  FeatureRow shared;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_FEATURES_EXTRACTOR_H
