//===- FeatureExtractor.h - A candidate as features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_FEATUREEXTRACTOR_H
#define UCMOH_ANALYSIS_FEATUREEXTRACTOR_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/CostModel/Features.h"

namespace ucmoh {

/// The statements that the candidate makes of the workload, one row each: those that are executed
/// in each call (what is packed ahead is not). Needs no IR.
ProgramFeatures extractFeatures(const Workload &workload, const Candidate &candidate,
                                const Machine &machine);

/// Sets the features of the group `machine`.
void describeMachine(const Machine &machine, FeatureRow &row);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_FEATUREEXTRACTOR_H
