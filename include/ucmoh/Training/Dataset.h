//===- Dataset.h - Programs with features and seconds
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_DATASET_H
#define UCMOH_TRAINING_DATASET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace ucmoh {

/// One workload.
struct TaskInfo {
  std::string id, name;
  std::string types;         ///< e.g. "u8s8s32"
  std::string split;         ///< "train" or "holdout"; never train on the latter
  std::string workloadClass; ///< e.g. "conv2d"
  int64_t flops = 0;
  std::map<std::string, int64_t> networks; ///< network -> how often it has the workload

  bool isHoldout() const { return split == "holdout"; }
  /// Occurrences in all networks together; 1 for a workload of none.
  int64_t weight() const;
};

/// What ucmoh-featurize wrote: P programs, R rows of features in all, `width` features in a row.
struct Dataset {
  std::string schema, dataHash;
  std::vector<std::string> features, intrinsics, machines, runs; ///< what the numbers stand for
  std::vector<TaskInfo> tasks;

  int64_t width = 0;
  std::vector<float> rows;      ///< [R, width]
  std::vector<int64_t> offsets; ///< [P + 1]: rows of program p are [offsets[p], offsets[p + 1])
  std::vector<double> seconds;  ///< [P], median of the repeats; NaN where the program failed
  std::vector<float> spread;    ///< [P], (p90 - p10) / median of the repeats
  std::vector<float> analytic;  ///< [P], seconds of the roofline
  std::vector<int32_t> task, intrinsic, machine, run; ///< [P], into the lists above

  int64_t programs() const { return seconds.size(); }
  llvm::ArrayRef<float> rowsOf(int64_t program) const {
    return llvm::ArrayRef(rows).slice(offsets[program] * width,
                                      (offsets[program + 1] - offsets[program]) * width);
  }
};

/// Reads the files and joins them. Errors: one that is no features file, or of another schema than
/// the first.
llvm::Expected<Dataset> readDataset(llvm::ArrayRef<std::string> paths);

/// Programs that compete for one task on one machine, measured in one run: what a model ranks.
struct ProgramList {
  int32_t task, machine, run;
  std::vector<int64_t> programs; ///< into the dataset, in its order; none of them failed
};

/// All lists of at least two programs, in the order of their first program.
std::vector<ProgramList> listsOf(const Dataset &data);

} // namespace ucmoh

#endif // UCMOH_TRAINING_DATASET_H
