//===- Baselines.h - Published cost models, trained on the same data
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the project's cost model is judged against. research/README.md has the sources, the
/// settings and what differs.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_NETWORKS_BASELINES_H
#define UCMOH_RESEARCH_NETWORKS_BASELINES_H

#include "ucmoh/Training/Selection.h"

namespace ucmoh {

struct BaselineOptions {
  std::string output;      ///< where the weights are written
  uint64_t seed = 1;       ///< draws weights and order
  int64_t epochs = 0;      ///< passes over the data, or trees; the published number if 0
  double limitSeconds = 0; ///< no further epoch begins after that; no limit if 0
  int64_t threads = 1;
  Split split = Split::Holdout;     ///< the programs that are not learned
  std::vector<std::string> without; ///< nor are programs that these name (Selection.h)
  /// The loss ranks the programs of a task among each other. Else, as published, those of a batch,
  /// whatever task they are of.
  bool ranksTasks = false;
  std::vector<std::string> repair; ///< names of unicomoRepairs(): what UniCoMo learns otherwise
};

/// A departure from UniCoMo as published, of its model only.
struct UnicomoRepair {
  llvm::StringLiteral name, meaning;
};
llvm::ArrayRef<UnicomoRepair> unicomoRepairs();

struct Baseline {
  llvm::StringLiteral name;
  llvm::StringLiteral schema; ///< the features that it wants
  /// Trains on the lists that the options leave and writes options.output. The same data, options
  /// and machine give the same bits, with one thread and without a limit. Progress goes to standard
  /// error.
  llvm::Error (*fit)(const Dataset &data, const BaselineOptions &options);
  /// Scores each program of the data; lower is better. Errors: a file that is none of its weights.
  llvm::Expected<std::vector<float>> (*score)(llvm::StringRef weights, const Dataset &data);
};

/// Errors: no baseline of that name (with those that there are), data with other features.
llvm::Expected<const Baseline &> findBaseline(llvm::StringRef name, const Dataset &data);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_NETWORKS_BASELINES_H
