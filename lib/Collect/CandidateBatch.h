//===- CandidateBatch.h - Candidates of one op, compiled together in a child process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_COLLECT_CANDIDATEBATCH_H
#define UCMOH_MEASURE_COLLECT_CANDIDATEBATCH_H

#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Runtime/Sentinel.h"
#include "ucmoh/Runtime/Trial.h"

namespace ucmoh {

/// Starts a child process that holds the function `entry` of `module` once per choice, and answers
///
/// | {"do": ...} | answer |
/// |---|---|
/// | "compile" | all of them, not on the core that measures: {} |
/// | "verify", "index" | packs, runs once, compares with `expected`: {"verified", "message",
/// "seconds"} of the op in that run |
/// | "time", "index", "sample_seconds", "gated", "at_best_clock" | {"seconds", "quiet"}: a sample,
/// see Gate.h |
///
/// `inputs` are the function's arguments. `module` is as ucmoh-prepare leaves it, so that choices
/// can be pinned on its ops.
llvm::Expected<std::unique_ptr<ChildProcess>>
startCandidateBatch(mlir::ModuleOp module, std::string entry, std::vector<ChoiceAttr> choices,
                    std::vector<Tensor> inputs, const TrialOptions &options,
                    const ResultFile &expected);

} // namespace ucmoh

#endif // UCMOH_MEASURE_COLLECT_CANDIDATEBATCH_H
