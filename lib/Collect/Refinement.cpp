//===- Refinement.cpp - The best candidates, until their order is stable
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskMeasurement.h"
#include "ucmoh/Records/Statistics.h"

using namespace mlir;
using namespace ucmoh;

/// The best tenth, fastest first, and where to find each.
std::vector<std::pair<TaskMeasurement::Batch *, size_t>> TaskMeasurement::findBest() {
  std::vector<std::tuple<double, Batch *, size_t>> all;
  for (Batch &batch : kept)
    for (size_t position = 0; position < batch.members.size(); ++position)
      if (const MeasuredCandidate &candidate = candidates[batch.members[position]];
          candidate.isMeasured() && !candidate.isLong())
        all.emplace_back(lowerMedian(candidate.seconds), &batch, position);
  llvm::sort(all, [](const auto &a, const auto &b) { return std::get<0>(a) < std::get<0>(b); });
  all.resize(std::min<size_t>(all.size(), std::max<size_t>(3, all.size() / 10)));
  std::vector<std::pair<Batch *, size_t>> best;
  for (auto &[seconds, batch, position] : all)
    best.emplace_back(batch, position);
  return best;
}

void TaskMeasurement::refine() {
  auto best = findBest();
  for (int64_t round = 0; round < options.refinements; ++round) {
    for (auto [batch, position] : best)
      if (auto error = takeTime(*batch, position, options.finalSeconds)) {
        llvm::consumeError(std::move(error)); // all rounds are done: what was measured is kept
        return;
      }
    auto again = findBest();
    if (again == best && round > 0)
      return;
    best = std::move(again);
  }
}
