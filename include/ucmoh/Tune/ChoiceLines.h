//===- ChoiceLines.h - Choices of a tuner as files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TUNE_CHOICELINES_H
#define UCMOH_TUNE_CHOICELINES_H

#include "ucmoh/Tune/Tuner.h"

namespace ucmoh {

/// Replaces the file by a line per task, as the option `choices` of passes and tools reads them:
/// never half of it.
llvm::Error writeChoices(llvm::StringRef path, llvm::ArrayRef<TunedTask> tasks);

/// A row per task: before, after, trials, seconds; and the model.
void printTable(const Tuner &tuner, llvm::raw_ostream &out);

} // namespace ucmoh

#endif // UCMOH_TUNE_CHOICELINES_H
