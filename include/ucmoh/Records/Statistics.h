//===- Statistics.h - What a database of measurements holds, and quantiles
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RECORDS_STATISTICS_H
#define UCMOH_RECORDS_STATISTICS_H

#include "ucmoh/Records/Records.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <tuple>
#include <vector>

namespace ucmoh {

/// The middle one; of an even number the lower of the two: noise makes a sample slower.
/// At least one sample.
double lowerMedian(std::vector<double> samples);

/// Between neighbours, as far as `fraction` (0 to 1) says; `sorted` has at least one.
double quantile(llvm::ArrayRef<double> sorted, double fraction);

/// Summarizes a database, as `ucmoh-records stats` prints it.
struct RecordsStatistics {
  /// Rows of one machine, intrinsic and types.
  struct Group {
    int64_t rows = 0, failures = 0; ///< failures are rows, too
  };
  /// Machine, intrinsic and types.
  using GroupKey = std::tuple<std::string, std::string, std::string>;

  Records::Counts counts{};         ///< counts of the whole database
  std::map<GroupKey, Group> groups; ///< by machine, intrinsic and the tag "types"
  int64_t tasks = 0;                ///< pairs of a workload and a machine with rows
  /// Distinct choices of a task.
  int64_t fewestCandidates = 0, medianCandidates = 0, mostCandidates = 0;
  std::map<std::string, int64_t> failures; ///< by `failureReason`
  /// The median over rows of (p90 - p10) / median of their repeats; 0 if none repeats.
  double medianSpread = 0;
  std::map<std::string, int64_t> runs;
  int64_t firstTime = 0, lastTime = 0; ///< Unix seconds; 0 without rows
};

/// Reads all rows once.
llvm::Expected<RecordsStatistics> computeStatistics(Records &records);

/// The first line of an error, with # for each number: what failures have in common.
std::string failureReason(llvm::StringRef error);

} // namespace ucmoh

#endif // UCMOH_RECORDS_STATISTICS_H
