//===- Metrics.h - How good a ranking is
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_METRICS_H
#define UCMOH_TRAINING_METRICS_H

#include "ucmoh/Training/Dataset.h"

namespace ucmoh {

/// A list with what a model says of it.
struct RankedList {
  std::vector<float> scores;   ///< lower is better; ties go to the earlier program
  std::vector<double> seconds; ///< as measured
  std::vector<int32_t> intrinsics;
  double weight = 1; ///< how often networks have the task
};

/// The list as the dataset has it; `scores` are of all programs of the dataset.
RankedList rank(const Dataset &data, const ProgramList &list, llvm::ArrayRef<float> scores);

struct Metrics {
  size_t lists = 0, programs = 0;
  /// Sum of weight * best seconds, over the sum of weight * best seconds among the first k.
  double top1 = 0, top5 = 0;
  /// Geometric mean over the lists, not weighted, of best / picked seconds.
  double top1Geomean = 0, top5Geomean = 0;
  /// Share of pairs in the right order, averaged over the lists.
  double pairwise = 0;
  /// Mean of (best seconds of the picked intrinsic / best seconds) - 1, and the share of lists with
  /// several intrinsics where the best one was picked. Both over lists with several intrinsics.
  double intrinsicRegret = 0, intrinsicAccuracy = 0;
};

/// Zeros for no list.
Metrics measure(llvm::ArrayRef<RankedList> lists);

/// Best seconds among the first k programs of the ranking.
double bestOfFirst(const RankedList &list, size_t k);

/// What a perfect memory of one run scores in another one: for each pair of lists of the same task
/// and machine, programs matched by their features, the seconds of the first list are the scores of
/// the second. Empty where nothing was measured twice.
std::vector<RankedList> remeasured(const Dataset &data, llvm::ArrayRef<ProgramList> lists);

} // namespace ucmoh

#endif // UCMOH_TRAINING_METRICS_H
