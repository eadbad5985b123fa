//===- DrawPrograms.h - Programs that nobody measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DATASET_DRAWPROGRAMS_H
#define UCMOH_DATASET_DRAWPROGRAMS_H

#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Dataset/Dataset.h"

namespace ucmoh {

/// Says which programs are drawn.
struct DrawOptions {
  int64_t programs = 65536; ///< at least, of all machines together
  int64_t guided = 3;       ///< for each task and target: the best of what was looked at
  int64_t uniform = 3;      ///< ... and others of it
  int64_t pool = 24;        ///< ... so many are looked at
  uint64_t seed = 1;        ///< decides which workloads and candidates are drawn
};

/// Draws workloads of the types, and their candidates on the machines with the targets and numbers
/// of threads, that the records in `paths` have: what is measured in them plays no part. Candidates
/// are enumerated as the compiler does, and seconds are those that `model` predicts. Errors:
/// records that cannot be read, or of nothing that can be drawn; a model that predicts no seconds.
llvm::Expected<Dataset> drawPrograms(llvm::ArrayRef<std::string> paths, const CostModel &model,
                                     const DrawOptions &options);

} // namespace ucmoh

#endif // UCMOH_DATASET_DRAWPROGRAMS_H
