//===- Runner.h - A function compiled, verified and timed
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_RUNNER_H
#define UCMOH_RUNTIME_RUNNER_H

#include "ucmoh/Runtime/Trial.h"

namespace ucmoh {

/// How a program is run and measured.
struct RunOptions {
  TrialOptions trial;             ///< options of the child process
  bool verify = true;             ///< against plain loops
  double leastDecibel = 10;       ///< signal to noise of a network that rounds and is right
  int64_t repeats = 20;           ///< samples, when the budget allows so many
  double budgetSeconds = 10;      ///< for the samples of one function
  double timeoutSeconds = 600;    ///< for each step in a child process
  int64_t top = 0;                ///< candidates per op that are measured besides; -1: all
  bool profile = false;           ///< one call more, each of whose ops is told
  std::string outputDirectory;    ///< results go there as .npy; empty: nowhere
  std::string argumentsDirectory; ///< arguments, weights too, go there as .npy; empty: nowhere
};

/// Never fails: what went wrong is in "error". The object is the JSON line that ucmoh-run prints:
/// {"function", "target", "machine", "ops": [{"op", "workload", "choice", "predicted_seconds",
/// "seconds": {"min", "median"}, "gops", "plain_seconds"}],
/// "rest": [{"name", "count", "seconds": {"min", "median"}}], "seconds": {"min", "median", "n"},
/// "plain_seconds", "verified", "max_abs_error", "emulated", "error"}.
/// With `top`, each op has "candidates": see Explore.h.
/// With `profile`, there is "profile": {"seconds", "spans": [[OP, START SECONDS, SECONDS], ...]} of
/// one call; ops are numbered as in "ops", then as in "rest". See Profile.h.
/// What is unknown is null. "plain_seconds" are those of plain loops. "quiet" is false where a
/// sample was taken in a noisy moment. With "emulated", code for another architecture or device was
/// verified in an emulator, and no time is known.
llvm::json::Object runFunction(mlir::ModuleOp module, llvm::StringRef function,
                               const RunOptions &options);

/// {"min", "median", "n"} of at least one sample; null of none.
llvm::json::Value summarize(const llvm::json::Array *samples);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_RUNNER_H
