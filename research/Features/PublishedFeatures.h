//===- PublishedFeatures.h - How published cost models describe a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the project's cost model is judged against. Each function gives the rows of one program,
/// all of one width, one behind the other; research/README.md says what is as published and what is
/// not. Candidates must be legal.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_FEATURES_PUBLISHEDFEATURES_H
#define UCMOH_RESEARCH_FEATURES_PUBLISHEDFEATURES_H

#include "ucmoh/Dataset/FeatureKind.h"
#include <string>
#include <vector>

namespace ucmoh {

/// Ansor and TenSet: a row of 164 numbers for each statement that stores.
std::vector<float> ansorRows(const Workload &workload, const Candidate &candidate,
                             const Machine &machine);
std::vector<std::string> ansorNames();

/// TLP: the schedule as 25 primitives of 22 numbers each, the first 11 one-hot.
std::vector<float> tlpRows(const Workload &workload, const Candidate &candidate,
                           const Machine &machine);
std::vector<std::string> tlpNames();

/// UniCoMo: 27 rows (9 behaviours of a loop nest, an affine and a buffer or intrinsic vector) of
/// 179 numbers, and two more with log2(1 + cycles) of the intrinsic's implementation (latency,
/// throughput), which UniCoMo lacks.
std::vector<float> unicomoRows(const Workload &workload, const Candidate &candidate,
                               const Machine &machine);
std::vector<std::string> unicomoNames();

/// The assignment-feature tuner: a row for each level (problem, thread, cache tile, register tile,
/// intrinsic) and axis (batch, m, n, k), what the level assigns of the axis.
std::vector<float> assignmentRows(const Workload &workload, const Candidate &candidate,
                                  const Machine &machine);
std::vector<std::string> assignmentNames();

} // namespace ucmoh

#endif // UCMOH_RESEARCH_FEATURES_PUBLISHEDFEATURES_H
