//===- LowerBound.cpp - Candidates that cannot be a task's best
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerBound.h"
#include "ucmoh/Analysis/FeatureExtractor.h"

using namespace ucmoh;
using F = Feature;

static bool multiplyAlike(const Intrinsic &a, const Intrinsic &b) {
  return a.m == b.m && a.n == b.n && a.k == b.k && a.lhs == b.lhs && a.rhs == b.rhs;
}

static double fastestCycles(const Intrinsic &intrinsic, const Target &target) {
  double cycles = intrinsic.throughputCycles;
  for (const Intrinsic &other : target.intrinsics)
    if (multiplyAlike(intrinsic, other))
      cycles = std::min(cycles, other.throughputCycles);
  return cycles;
}

double ucmoh::executionSeconds(const Workload &workload, const Candidate &candidate,
                               const Target &target, double share) {
  double executions = 0; // of the thread that has most
  for (const FeatureRow &row : extractFeatures(workload, candidate, target.machine))
    executions += row[F::executions] * row[F::busiestShare];
  return executions * share * fastestCycles(*candidate.intrinsic, target) /
         (target.machine.clockGHz * 1e9);
}

void ucmoh::keepBeatable(std::vector<RankedCandidate> &ranked, const Workload &workload,
                         const Target &target, double share, double bestSeconds) {
  llvm::erase_if(ranked, [&](const RankedCandidate &entry) {
    return executionSeconds(workload, entry.candidate, target, share) > bestSeconds;
  });
}
