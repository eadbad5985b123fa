//===- Programs.h - Programs of a data set as cost models see them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_PROGRAMS_H
#define UCMOH_TRAINING_PROGRAMS_H

#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Dataset/Dataset.h"

namespace ucmoh {

/// Error: the data set's features are not the "ucmoh" ones of this build.
llvm::Error checkSchema(const Dataset &data);

/// The program as the compiler's cost models get it. Needs checkSchema.
ProgramFeatures programFeatures(const Dataset &data, int64_t program);

/// The model's score of each program of the data set, restrained as in the compiler where it does
/// not know the machine. Needs checkSchema.
std::vector<float> scoreAll(const Dataset &data, const CostModel &model);

/// Scores that something else computed: one number a line for each program of the data; lower is
/// better. Errors: a file that cannot be read, another number of lines, a line that is no number.
llvm::Expected<std::vector<float>> readScores(llvm::StringRef path, const Dataset &data);

} // namespace ucmoh

#endif // UCMOH_TRAINING_PROGRAMS_H
