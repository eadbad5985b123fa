//===- Dataset.h - Programs with features and seconds
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DATASET_DATASET_H
#define UCMOH_DATASET_DATASET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace ucmoh {

/// One workload.
struct TaskInfo {
  std::string id, name;                    ///< hash and name of the workload
  std::string types;                       ///< e.g. "u8s8s32"
  std::string split;                       ///< "train" or "holdout"; never train on the latter
  std::string workloadClass;               ///< e.g. "conv2d"
  int64_t flops = 0;                       ///< 2 * the product of all extents
  std::map<std::string, int64_t> networks; ///< network -> how often it has the workload

  /// Whether the task is only for judging.
  bool isHoldout() const { return split == "holdout"; }
  /// Occurrences in all networks together; 1 for a workload of none.
  int64_t weight() const;
  /// {"id", "name", "types", "split", "class", "flops", "networks"}; what lacks is empty.
  static TaskInfo fromJson(const llvm::json::Object &object);
  llvm::json::Object toJson() const;
};

/// P programs, R rows of features in all, `width` features in a row.
struct Dataset {
  std::string schema, dataHash; ///< hashes of the list of features and of the records
  std::vector<std::string> features, intrinsics, machines, runs; ///< names that numbers stand for
  std::vector<TaskInfo> tasks;                                   ///< that programs compute

  int64_t width = 0;                  ///< features in a row
  std::vector<float> rows;            ///< [R, width]
  std::vector<int64_t> offsets = {0}; ///< [P + 1]: rows of p are [offsets[p], offsets[p + 1])
  std::vector<double> seconds;        ///< [P], median of the repeats; NaN where the program failed
  std::vector<float> spread;          ///< [P], (p90 - p10) / median of the repeats
  std::vector<float> analytic;        ///< [P], seconds of the roofline
  std::vector<int32_t> task, intrinsic, machine, run; ///< [P], into the lists above

  /// How many programs there are: P.
  int64_t programs() const { return seconds.size(); }
  /// How many rows a program has.
  int64_t rowCount(int64_t program) const { return offsets[program + 1] - offsets[program]; }
  /// A program's rows, one behind the other.
  llvm::ArrayRef<float> rowsOf(int64_t program) const {
    return llvm::ArrayRef(rows).slice(offsets[program] * width, rowCount(program) * width);
  }
  /// "target" of "target::name".
  llvm::StringRef targetOf(int64_t program) const {
    return llvm::StringRef(intrinsics[intrinsic[program]]).split("::").first;
  }
};

/// A features file: a tensor for each column above, and as metadata the schema, `data_hash`, and as
/// JSON lists the features, tasks, intrinsics, machines and runs that the numbers stand for.
/// Errors: one that is none.
llvm::Expected<Dataset> readDatasetFile(llvm::StringRef path);
llvm::Error writeDatasetFile(llvm::StringRef path, const Dataset &data);

/// Appends the programs of `more`, which has features of the same schema. Tasks are the same if
/// their id is.
void append(Dataset &data, const Dataset &more);

} // namespace ucmoh

#endif // UCMOH_DATASET_DATASET_H
