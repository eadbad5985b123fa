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

/// What a model says of each program of a data set; lower is better.
struct ModelScores {
  std::string model;
  std::vector<float> scores;
};

/// One line of a table: a model on a part of the lists.
struct Evaluation {
  std::string split, group, model; ///< group: "all", "types f32", "machine zen4", "class conv2d"
  Metrics metrics;
  double ofCeiling = 0; ///< (top1 - random's) / (ceiling's - random's); NaN without a second run
};

/// Every model on all lists, and on those of each element type, machine and class; for train and
/// holdout. Further "models" are "random" (a seeded shuffle) and, where programs were measured
/// twice, "ceiling": the first run's seconds as scores of the second.
std::vector<Evaluation> evaluate(const Dataset &data, llvm::ArrayRef<ModelScores> models);

/// As a Markdown table per split and group.
std::string toMarkdown(llvm::ArrayRef<Evaluation> evaluations);
llvm::json::Value toJson(llvm::ArrayRef<Evaluation> evaluations);

} // namespace ucmoh

#endif // UCMOH_TRAINING_EVALUATE_H
