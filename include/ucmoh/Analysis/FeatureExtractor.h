//===- FeatureExtractor.h - A program as features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_FEATUREEXTRACTOR_H
#define UCMOH_ANALYSIS_FEATUREEXTRACTOR_H

#include "ucmoh/Analysis/Program.h"
#include "ucmoh/CostModel/Features.h"

namespace ucmoh {

/// Returns what a cost model sees of a program whose fragments are those of the intrinsic, on the
/// machine. There is a row for each kind of copy, for the steps of each kind of register tile and
/// for its end, and one for the grid of a device. Whoever made the program, and from what, does not
/// matter.
ProgramFeatures extractFeatures(const Program &program, const Intrinsic &intrinsic,
                                const Machine &machine);

/// Describes the program that the candidate makes of the workload. Needs no IR.
ProgramFeatures extractFeatures(const Workload &workload, const Candidate &candidate,
                                const Machine &machine);

/// Sets the features of the group `machine`.
void describeMachine(const Machine &machine, FeatureRow &row);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_FEATUREEXTRACTOR_H
