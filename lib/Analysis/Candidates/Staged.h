//===- Staged.h - Candidates of intrinsics whose operands are staged through shared memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_CANDIDATES_STAGED_H
#define UCMOH_LIB_ANALYSIS_CANDIDATES_STAGED_H

#include "ucmoh/Analysis/Candidates.h"

namespace ucmoh {

/// Adds the legal ones: warp tiles, blocks of warps, pipeline depths.
void addStagedCandidates(const Workload &workload, const Intrinsic &intrinsic, const Target &target,
                         std::vector<Candidate> &candidates);

/// whyIllegal for what only such candidates have to fulfil, or must not have otherwise.
std::string whyStagingIsWrong(const Workload &workload, const Candidate &candidate);

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_CANDIDATES_STAGED_H
