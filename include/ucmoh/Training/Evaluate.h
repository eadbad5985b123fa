//===- Evaluate.h - Tables of how well models rank
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_EVALUATE_H
#define UCMOH_TRAINING_EVALUATE_H

#include "ucmoh/Training/Metrics.h"
#include "llvm/Support/JSON.h"

namespace ucmoh {

/// The scores that models of one kind give to each program of a data set; lower is better.
struct ModelScores {
  std::string model;                     ///< its name in tables
  bool predictsSeconds = false;          ///< scores are seconds
  std::vector<std::vector<float>> seeds; ///< one for each weights
};

/// Lists and their programs are grouped by one of these.
enum class GroupBy { Types, Target, Intrinsic, Machine, Class };

/// One line of a table: a model on a part of the lists.
struct Evaluation {
  std::string group, model;       ///< group: "all", "types f32", "target x86_avx512f", …
  size_t lists = 0, programs = 0; ///< that were judged
  std::vector<Metrics> seeds;     ///< one for each weights

  /// The mean of a metric over the seeds.
  double mean(double Metrics::*value) const;
  /// Standard deviation over the seeds; NaN for one.
  double spread(double Metrics::*value) const;
};

/// Every model on all lists, then on those of each group; of a target's or an intrinsic's lists
/// only its own programs count. Further "models" are "random" (five shuffles) and, where programs
/// were measured twice, "ceiling": the first run's seconds as scores of the second.
std::vector<Evaluation> evaluate(const Dataset &data, llvm::ArrayRef<ProgramList> lists,
                                 llvm::ArrayRef<ModelScores> models, llvm::ArrayRef<GroupBy> by);

/// A Markdown table: mean and, where there are several seeds, spread.
std::string toMarkdown(llvm::ArrayRef<Evaluation> evaluations);
/// [{"group", "model", "lists", "programs", "seeds", a key for each of metricColumns: the mean,
/// "spread": {the same keys}}]; null for NaN.
llvm::json::Value toJson(llvm::ArrayRef<Evaluation> evaluations);

/// Each program in the lists: {"task": [name], "intrinsic": [name], "measured": [seconds],
/// "models": [{"model", "predicted": [seconds]}]}, the first seed of each model that predicts them.
llvm::json::Value predictionsToJson(const Dataset &data, llvm::ArrayRef<ProgramList> lists,
                                    llvm::ArrayRef<ModelScores> models);

} // namespace ucmoh

#endif // UCMOH_TRAINING_EVALUATE_H
