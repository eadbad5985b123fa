//===- Sampler.h - Which candidates are worth a measurement
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COLLECT_SAMPLER_H
#define UCMOH_LIB_COLLECT_SAMPLER_H

#include "ucmoh/Analysis/Choice.h"

namespace ucmoh {

/// How many candidates are drawn for each intrinsic group of a task: the intrinsics of one target.
struct SampleOptions {
  int64_t guided = 12;  ///< among the best tenth by the cost model; its pick is always there
  int64_t uniform = 10; ///< among all that the pass would consider
  int64_t wild = 6;     ///< legal ones that the pass would not consider: mostly bad
  int64_t active = 0;   ///< that tell a model most: representative, diverse and uncertain ones
  uint64_t seed = 0;
  /// If not 0: draws in that proportion until a group has so many, those that were measured counted
  /// in, or until there are no more; nothing for a group that has them.
  int64_t atLeast = 0;
  std::vector<Candidate> measured;
};

/// Draws without repetition, group by group. `ranked`: all candidates of the pass, best first.
/// The same arguments give the same candidates.
std::vector<Candidate> sampleCandidates(const Workload &workload, const Target &target,
                                        llvm::ArrayRef<RankedCandidate> ranked,
                                        const SampleOptions &options);

/// Seconds that the executions of the candidate's intrinsic take by themselves on a CPU, at `share`
/// of the cycles that were probed. Of intrinsics that multiply fragments of the same shapes and
/// types the fastest one's count: LLVM may take its instruction (`vpdpwssd` for `vpmaddwd` and an
/// addition).
double executionSeconds(const Workload &workload, const Candidate &candidate, const Target &target,
                        double share);

/// Leaves out the candidates whose executions alone take longer than `bestSeconds`.
void keepBeatable(std::vector<RankedCandidate> &ranked, const Workload &workload,
                  const Target &target, double share, double bestSeconds);

/// A candidate among others.
struct ActivePoint {
  std::vector<double> position; ///< the features that a model sees; as many for all
  double uncertainty = 0;       ///< from 0 on: how much models disagree about it
};

/// Indices of `count` points, one after the other the one with the greatest product of
/// representativeness (how near the others are), diversity (how far the chosen ones are), and
/// uncertainty. Coordinates are standardized first. Takes time and memory of points squared.
std::vector<size_t> chooseInformative(std::vector<ActivePoint> points, size_t count);

/// Points of candidates, given best first by the model that guides. Uncertain is what the roofline
/// ranks elsewhere.
std::vector<ActivePoint> describeCandidates(const Workload &workload, const Machine &machine,
                                            llvm::ArrayRef<const RankedCandidate *> ranked);

} // namespace ucmoh

#endif // UCMOH_LIB_COLLECT_SAMPLER_H
