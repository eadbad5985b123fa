//===- Choice.h - The conductor: from a workload to a ranking of its candidates
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_CHOICE_H
#define UCMOH_ANALYSIS_CHOICE_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/CostModel/CostModel.h"

namespace ucmoh {

/// A legal candidate with what the model says of it.
struct RankedCandidate {
  Candidate candidate;     ///< with its intrinsic, tiles, order and packing
  float score;             ///< of the model; lower is better
  double predictedSeconds; ///< the model's, if it predicts seconds; else the roofline's
};

/// What the model predicts for a program on the target's machine, in seconds: the roofline's where
/// the model only ranks, or has not seen the machine.
double predictSeconds(const ProgramFeatures &program, const Target &target, const CostModel &model);

/// All legal candidates, best first; ties keep the order of enumeration. When there is none,
/// `reason` says why.
std::vector<RankedCandidate> rankCandidates(const Workload &workload, const Target &target,
                                            const CostModel &model, std::string &reason);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_CHOICE_H
