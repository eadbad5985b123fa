//===- ActiveSampler.h - Candidates that tell a model most
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_COLLECT_ACTIVESAMPLER_H
#define UCMOH_MEASURE_COLLECT_ACTIVESAMPLER_H

#include "ucmoh/Analysis/Choice.h"

namespace ucmoh {

/// A candidate among others.
struct ActivePoint {
  std::vector<double> position; ///< what a model sees of it; the same length for all
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

#endif // UCMOH_MEASURE_COLLECT_ACTIVESAMPLER_H
