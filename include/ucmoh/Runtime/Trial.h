//===- Trial.h - A program that runs in a process of its own
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_TRIAL_H
#define UCMOH_RUNTIME_TRIAL_H

#include "ucmoh/Runtime/ChildProcess.h"
#include "ucmoh/Runtime/CompiledProgram.h"
#include "ucmoh/Runtime/Inputs.h"
#include "ucmoh/Runtime/TensorFile.h"

namespace ucmoh {

/// Holds what a trial is told at its start.
struct TrialOptions {
  CompileOptions program;          ///< how the function is compiled
  InputOptions inputs;             ///< the arguments of the calls
  std::optional<double> tolerance; ///< relative; by default that of the narrowest float involved
};

/// The tolerance that is asked for, else that of the narrowest float among arguments and results.
double toleranceOf(const CompiledProgram &program, const TrialOptions &options);

/// Starts a child process that compiles `entry` of `module` and answers these requests:
///
/// | {"do": ...} | answer |
/// |---|---|
/// | "prepare" | compiles, packs, runs once: {"ops": [{"workload", "flops", "choice",
///   "predicted_seconds"}], "rest": [{"name", "count"}], "kernels": [{"kernel", "registers",
///   "spill_bytes", "shared_memory_bytes", "error"}], "emulated"} |
/// | "publish" | the results are in `results`: {} |
/// | "verify" | compares with `results`: {"verified", "max_abs_error", "message", "snr_db",
///   "differing", "rounds"} |
/// | "check" | compiles once more, compares each kernel on its inputs: {"checks": [{"op",
///   "verified", "max_abs_error", "message"}]} |
/// | "time", "repeats", "budget_seconds" | {"seconds": [..], "ops": [[..] per op], "rest": [[..]
///   per row], "quiet"} |
/// | "profile" | one more call: {"seconds", "spans"} |
/// | "save", "directory" | writes NAME.INDEX.npy: {} |
/// | "save arguments", "directory" | writes NAME.argument.INDEX.npy: {} |
///
/// In an emulator "time" has no samples. A first run that exceeds the budget is the only one, and
/// not quiet: it was not waited for.
llvm::Expected<std::unique_ptr<ChildProcess>> startTrial(mlir::ModuleOp module, std::string entry,
                                                         const TrialOptions &options,
                                                         const ResultFile &results);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_TRIAL_H
