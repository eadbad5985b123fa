//===- Configuration.cpp - IREE's ways to tile a contraction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/Configuration.h"
#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// A cache tile becomes vectors before it is unrolled; IREE refuses larger ones.
static constexpr int64_t mostCacheElements = 64 * 64;
/// Steps of the reduction in one vector. More change nothing; but one element of half a word would
/// be extended by itself.
static constexpr int64_t vectorSteps[] = {1, 2, 4};
static constexpr int64_t vectorRows[] = {1, 2, 4, 6, 7, 8, 12, 14, 16};
static constexpr int64_t cacheSteps[] = {64, 128, 256, 512};
static constexpr int64_t cacheFactors[] = {1, 2, 4, 8};
/// Rows and columns of a workgroup, about: few enough that all cores have some.
static constexpr int64_t distributed = 64;

const Intrinsic *ucmoh::findSumIntrinsic(const Workload &workload, const Target &target) {
  const Intrinsic *found = nullptr;
  for (const Intrinsic &intrinsic : target.intrinsics) {
    const ElementType &type = workload.acc.type;
    bool isOfSums = intrinsic.lhs == type && intrinsic.rhs == type && intrinsic.acc == type;
    if (isOfSums && (!found || found->n < intrinsic.n))
      found = &intrinsic;
  }
  return found;
}

/// Translates the configuration for the walk over a kernel's nest.
static Candidate toCandidate(const Configuration &configuration, const Intrinsic &intrinsic) {
  Candidate candidate;
  candidate.intrinsic = &intrinsic;
  candidate.tileM = configuration.vectorM;
  candidate.tileN = configuration.vectorN;
  candidate.cacheM = configuration.cacheM;
  candidate.cacheN = configuration.cacheN;
  candidate.cacheK = configuration.cacheK;
  candidate.order.rowBlocksOutside = true;
  return candidate;
}

bool ucmoh::fitsRegisters(const Configuration &configuration, const Intrinsic &intrinsic) {
  int64_t perRow = configuration.vectorN / intrinsic.n;
  return configuration.vectorM * perRow + perRow + 1 <= intrinsic.registerCount;
}

/// Operands narrower than the sums are extended in registers, each time that they are loaded: for
/// each execution of the intrinsic's, those of a column of rows (after they were broadcast) and of
/// a row of columns.
static double extensionSeconds(const Workload &workload, const Configuration &configuration,
                               const Intrinsic &intrinsic, const Machine &machine) {
  auto isNarrow = [&](const Operand &operand) {
    return operand.type.bits < workload.acc.type.bits;
  };
  double perExecution = 0;
  if (isNarrow(workload.lhs))
    perExecution += 2.0 * intrinsic.n / configuration.vectorN;
  if (isNarrow(workload.rhs))
    perExecution += double(intrinsic.m) / configuration.vectorM;
  double executions = workload.flops() / (2.0 * intrinsic.m * intrinsic.n * intrinsic.k);
  return executions * perExecution * intrinsic.throughputCycles / (machine.clockGHz * 1e9);
}

double ucmoh::predictSeconds(const Workload &workload, const Configuration &configuration,
                             const Intrinsic &intrinsic, const Target &target,
                             const CostModel &model) {
  ProgramFeatures features =
      extractFeatures(workload, toCandidate(configuration, intrinsic), target.machine);
  float score;
  model.score(features, score);
  return score + extensionSeconds(workload, configuration, intrinsic, target.machine);
}

static int64_t growTo(int64_t tile, int64_t extent) {
  int64_t grown = tile;
  while (grown * 2 <= distributed && extent % (grown * 2) == 0)
    grown *= 2;
  return grown;
}

namespace {
/// Walks the space of configurations of one workload.
class Enumeration {
public:
  Enumeration(const Workload &workload, const Intrinsic &intrinsic)
      : m(workload.extent(DimRole::M)), n(workload.extent(DimRole::N)),
        k(workload.extent(DimRole::K)), intrinsic(intrinsic),
        fewestSteps(workload.lhs.type.bits < workload.acc.type.bits ? 2 : 1) {}

  std::vector<Configuration> run() {
    for (int64_t rows : vectorRows)
      for (int64_t columns = intrinsic.n; columns <= 8 * intrinsic.n; columns *= 2)
        for (int64_t steps : vectorSteps)
          if (steps >= fewestSteps && m % rows == 0 && n % columns == 0 && k % steps == 0)
            addCacheTiles({0, 0, 0, 0, 0, rows, columns, steps});
    return std::move(found);
  }

private:
  void addCacheTiles(Configuration configuration) {
    if (!fitsRegisters(configuration, intrinsic))
      return;
    for (int64_t rows : cacheFactors)
      for (int64_t columns : cacheFactors) {
        configuration.cacheM = rows * configuration.vectorM;
        configuration.cacheN = columns * configuration.vectorN;
        if (m % configuration.cacheM == 0 && n % configuration.cacheN == 0 &&
            configuration.cacheM * configuration.cacheN <= mostCacheElements)
          addReductions(configuration);
      }
  }

  void addReductions(Configuration configuration) {
    configuration.distributionM = growTo(configuration.cacheM, m);
    configuration.distributionN = growTo(configuration.cacheN, n);
    for (int64_t steps : cacheSteps)
      if (k % steps == 0 && steps < k) {
        configuration.cacheK = steps;
        found.push_back(configuration);
      }
    configuration.cacheK = k;
    found.push_back(configuration);
  }

  int64_t m, n, k;
  const Intrinsic &intrinsic;
  int64_t fewestSteps; ///< the fewest steps of the reduction that one vector has
  std::vector<Configuration> found;
};
} // namespace

std::vector<Configuration> ucmoh::rankConfigurations(const Workload &workload, const Target &target,
                                                     const CostModel &model, std::string &reason) {
  const Intrinsic *intrinsic = findSumIntrinsic(workload, target);
  if (!intrinsic) {
    reason = "no intrinsic of the target multiplies what has the type of its sums";
    return {};
  }
  std::vector<Configuration> configurations = Enumeration(workload, *intrinsic).run();
  if (configurations.empty())
    reason = "no tiles of whole vectors divide its extents";
  for (Configuration &configuration : configurations)
    configuration.predictedSeconds =
        predictSeconds(workload, configuration, *intrinsic, target, model);
  llvm::stable_sort(configurations, [](const Configuration &a, const Configuration &b) {
    return a.predictedSeconds < b.predictedSeconds;
  });
  return configurations;
}
