//===- BestKernels.cpp - How long contractions take with the kernels that a model picks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/BestKernels.h"
#include "ucmoh/Analysis/Choice.h"
#include <limits>

using namespace ucmoh;

double BestKernels::seconds(const Workload &workload) {
  auto [entry, isNew] = known.try_emplace(identityOf(workload), 0);
  if (isNew) {
    std::string reason;
    std::vector<RankedCandidate> ranked = rankCandidates(workload, target, *model, reason);
    entry->second =
        ranked.empty() ? std::numeric_limits<double>::infinity() : ranked.front().predictedSeconds;
  }
  return entry->second;
}
