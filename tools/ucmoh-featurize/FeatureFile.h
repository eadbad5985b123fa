//===- FeatureFile.h - What training reads
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TOOLS_FEATURIZE_FEATUREFILE_H
#define UCMOH_TOOLS_FEATURIZE_FEATUREFILE_H

#include "Featurizer.h"

namespace ucmoh {

/// Writes the tasks as tensors: P programs with R rows of W numbers in all.
///
///   rows F32 [R,W], offsets I64 [P+1], seconds F64 [P] (median of the repeats, NaN where the
///   program failed), spread F32 [P] ((p90 - p10) / median), task, intrinsic, machine, run I32 [P],
///   analytic F32 [P] (the roofline's seconds)
///
/// and as metadata the schema, `dataHash`, and as JSON lists the features, tasks, intrinsics,
/// machines and runs that the numbers stand for.
llvm::Error writeFeatureFile(llvm::StringRef path, llvm::ArrayRef<FeaturizedTask> tasks,
                             const FeatureKind &kind, uint64_t dataHash);

} // namespace ucmoh

#endif // UCMOH_TOOLS_FEATURIZE_FEATUREFILE_H
