//===- Metrics.h - How good a ranking is
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_METRICS_H
#define UCMOH_TRAINING_METRICS_H

#include "ucmoh/Training/Selection.h"
#include <cmath>

namespace ucmoh {

/// A list with what a model says of it.
struct RankedList {
  std::vector<float> scores;       ///< lower is better; ties go to the earlier program
  std::vector<double> seconds;     ///< as measured
  std::vector<int32_t> intrinsics; ///< each program's, by number
  double weight = 1;               ///< how often networks have the task
};

/// The list as the dataset has it; `scores` are of all programs of the dataset.
RankedList rank(const Dataset &data, const ProgramList &list, llvm::ArrayRef<float> scores);
std::vector<RankedList> rank(const Dataset &data, llvm::ArrayRef<ProgramList> lists,
                             llvm::ArrayRef<float> scores);

/// Scores of a model. A score is NaN where it makes no sense for the model or the lists.
struct Metrics {
  /// Sum of weight * best seconds, over the sum of weight * best seconds among the first k: what is
  /// reached when the model's first k are measured.
  double top1 = NAN, top5 = NAN, top8 = NAN;
  /// Geometric mean over the lists, not weighted, of the same ratio.
  double top1Geomean = NAN, top5Geomean = NAN, top8Geomean = NAN;
  /// Share of pairs in the right order, averaged over the lists.
  double pairwise = NAN;
  /// Share of lists where the best intrinsic was picked, and mean of (best seconds of the picked
  /// intrinsic / best seconds) - 1. Both over lists with several intrinsics.
  double intrinsicAccuracy = NAN, intrinsicRegret = NAN;
  /// Root mean square error and r2 of log2(seconds) over all programs, where scores are seconds.
  double rmse = NAN, r2 = NAN;
  /// (top1 - random's) / (ceiling's - random's); evaluate() fills it.
  double ofCeiling = NAN;
};

/// The columns of tables.
struct MetricColumn {
  llvm::StringLiteral key, title; ///< in JSON, in Markdown
  double Metrics::*value;         ///< the number that the column shows
};
/// All columns, in the order of tables.
inline constexpr MetricColumn metricColumns[] = {
    {"top1", "top-1", &Metrics::top1},
    {"top5", "top-5", &Metrics::top5},
    {"top8", "top-8", &Metrics::top8},
    {"top1_geomean", "top-1 geomean", &Metrics::top1Geomean},
    {"top5_geomean", "top-5 geomean", &Metrics::top5Geomean},
    {"top8_geomean", "top-8 geomean", &Metrics::top8Geomean},
    {"pairwise", "pairwise", &Metrics::pairwise},
    {"intrinsic_accuracy", "intrinsic right", &Metrics::intrinsicAccuracy},
    {"intrinsic_regret", "its regret", &Metrics::intrinsicRegret},
    {"rmse", "RMSE", &Metrics::rmse},
    {"r2", "R²", &Metrics::r2},
    {"of_ceiling", "of ceiling", &Metrics::ofCeiling},
};

/// All NaN for no list.
Metrics measure(llvm::ArrayRef<RankedList> lists, bool predictsSeconds = false);

/// Best seconds among the first k programs of the ranking.
double bestOfFirst(const RankedList &list, size_t k);

/// Makes lists that show what a perfect memory of one run scores in another one: for each pair of
/// lists of the same task and machine, programs matched by their features, the seconds of the first
/// list are the scores of the second. Empty where nothing was measured twice.
std::vector<RankedList> remeasured(const Dataset &data, llvm::ArrayRef<ProgramList> lists);

} // namespace ucmoh

#endif // UCMOH_TRAINING_METRICS_H
