//===- WindowCandidates.h - The legal ways to compute a depthwise convolution
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_WINDOWS_WINDOWCANDIDATES_H
#define UCMOH_LIB_ANALYSIS_WINDOWS_WINDOWCANDIDATES_H

#include "ucmoh/Analysis/Candidates.h"

namespace ucmoh {

/// Fails when no block of windows can use the intrinsic, of whatever types.
mlir::LogicalResult verifyLanes(const Intrinsic &intrinsic, Explain explain);

/// Fails when the candidate cannot be compiled for the depthwise workload; its intrinsic can.
mlir::LogicalResult verifyWindows(const Workload &workload, const Candidate &candidate,
                                  Explain explain);

/// Adds all blocks worth trying of all intrinsics that multiply lane by lane.
void addWindowCandidates(const Workload &workload, const Target &target,
                         std::vector<Candidate> &candidates);

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_WINDOWS_WINDOWCANDIDATES_H
