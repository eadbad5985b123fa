//===- Explore.h - The best candidates of each op, measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_EXPLORE_H
#define UCMOH_RUNTIME_EXPLORE_H

#include "ucmoh/Runtime/Runner.h"

namespace ucmoh {

/// Compiles `function` once for each of the `options.top` best predicted candidates (all of them
/// when negative), that rank for all of its ops at the same time, and times each op where it
/// stands, the programs interleaved. Returns, per op, an array of {"rank", "measured_rank",
/// "choice", "predicted_seconds", "seconds", "verified", "error"}, in predicted order. A program
/// that fails has an "error"; the others go on.
llvm::Expected<llvm::json::Array> exploreCandidates(mlir::ModuleOp module, llvm::StringRef function,
                                                    const RunOptions &options,
                                                    const ResultFile &expected);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_EXPLORE_H
