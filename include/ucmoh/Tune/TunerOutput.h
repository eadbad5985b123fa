//===- TunerOutput.h - What a tuner leaves: choices, a table, a page
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TUNE_TUNEROUTPUT_H
#define UCMOH_TUNE_TUNEROUTPUT_H

#include "ucmoh/Tune/Tuner.h"

namespace ucmoh {

/// Replaces the file by a line per task, as the option `choices` of passes and tools reads them:
/// never half of it.
llvm::Error writeChoices(llvm::StringRef path, llvm::ArrayRef<TunedTask> tasks);

/// A row per task: before, after, trials, seconds; and the model.
void printTable(const Tuner &tuner, llvm::raw_ostream &out);

/// Replaces the file by a page that needs no other file: a row per task, as `printTable` has them,
/// and a plot of the time of all tasks against seconds of tuning. An error when it cannot be
/// written.
llvm::Error writeReport(llvm::StringRef path, const Tuner &tuner);

} // namespace ucmoh

#endif // UCMOH_TUNE_TUNEROUTPUT_H
