//===- Choice.h - The conductor: from a workload to a ranking of its candidates
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_CHOICE_H
#define UCMOH_ANALYSIS_CHOICE_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/CostModel/CostModel.h"

namespace ucmoh {

/// A legal candidate with what the model says of it.
struct RankedCandidate {
  Candidate candidate;     ///< with its intrinsic, tiles, order and packing
  float score;             ///< the model's; lower is better
  double predictedSeconds; ///< the model's, if it predicts seconds; else the roofline's
};

/// Returns the seconds that the model predicts for a program on the target's machine, or the
/// roofline's where the model only ranks, or has not seen the machine.
double predictSeconds(const ProgramFeatures &program, const Target &target, const CostModel &model);

/// All legal candidates, best first; ties keep the order of enumeration. When there is none,
/// `reason` says why.
std::vector<RankedCandidate> rankCandidates(const Workload &workload, const Target &target,
                                            const CostModel &model, std::string &reason);

/// Why `model` is asked beyond its measurements, if it is: they had no intrinsic like one of the
/// target's (of the same shape and element types but for their signs, under whatever name and on
/// whatever machine). Empty for models that were made from no measurements, such as the roofline.
std::string whyUnseen(const CostModel &model, const Target &target);

/// Whether the model was made from measurements with so many threads, or from none at all. Where it
/// was not, rankCandidates asks it about the thread that has most to do, as a program of one
/// thread.
bool knowsThreads(const CostModel &model, int64_t threads);

/// Whether the model may be believed on the target's machine: it was made from measurements of a
/// machine with such numbers, or from none at all. No model knows a machine without numbers.
/// Elsewhere rankCandidates restrains it (CostModel.h).
bool knowsMachine(const CostModel &model, const Target &target);

/// Creates the model that the option `model` of passes and tools names. "auto" is the embedded
/// weights where they have seen the target's intrinsics, else the roofline. All else as
/// createCostModel. What a user should know of that (the roofline stands in, or weights are asked
/// beyond what they have seen) goes to `caveat`, one sentence without a full stop.
std::unique_ptr<CostModel> createModelFor(const Target &target, llvm::StringRef name,
                                          std::string &error, std::string *caveat = nullptr);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_CHOICE_H
