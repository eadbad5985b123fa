//===- ReadData.h - Measurements of any kind of file as a data set
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DATASET_READDATA_H
#define UCMOH_DATASET_READDATA_H

#include "ucmoh/Dataset/Dataset.h"

namespace ucmoh {

class FeatureKind;

/// Records that were read, and what was skipped.
struct ReadData {
  Dataset data;                            ///< the records that could be used
  std::map<std::string, unsigned> skipped; ///< reason -> how many rows were left out

  /// A warning for each reason, on standard error.
  void warn() const;
};

/// How records become a data set.
struct ReadOptions {
  const FeatureKind *kind = nullptr; ///< how programs are described; null: programFeatures()
  int64_t leastSamples = 1;          ///< rows that were timed less often are left out
  /// Whose numbers describe the programs: empty for those that were recorded with them, else the
  /// name of a machine or a file, as behind '@' in a target. "default": what the compiler knows of
  /// the recorded machine without a file, the caches that the system tells.
  std::string machine;
};

/// Reads features files (*.safetensors) as they are. All others are records, exports or databases:
/// their workloads and candidates are rebuilt from text and described by features. Rows that two of
/// them have count once. Errors: a file that cannot be read, features of different schemas, no row
/// that can be used (and why).
llvm::Expected<ReadData> readData(llvm::ArrayRef<std::string> paths, const ReadOptions &options);

} // namespace ucmoh

#endif // UCMOH_DATASET_READDATA_H
