//===- LowerBound.h - Candidates that cannot be a task's best
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_COLLECT_LOWERBOUND_H
#define UCMOH_MEASURE_COLLECT_LOWERBOUND_H

#include "ucmoh/Analysis/Choice.h"

namespace ucmoh {

/// Seconds that the executions of the candidate's intrinsic take by themselves on a CPU, at `share`
/// of the cycles that were probed. Of intrinsics that multiply fragments of the same shapes and
/// types the fastest one's count: LLVM may take its instruction (`vpdpwssd` for `vpmaddwd` and an
/// addition).
double executionSeconds(const Workload &workload, const Candidate &candidate, const Target &target,
                        double share);

/// Leaves out the candidates whose executions alone take longer than `bestSeconds`.
void keepBeatable(std::vector<RankedCandidate> &ranked, const Workload &workload,
                  const Target &target, double share, double bestSeconds);

} // namespace ucmoh

#endif // UCMOH_MEASURE_COLLECT_LOWERBOUND_H
