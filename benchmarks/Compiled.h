//===- Compiled.h - The task by a function that UCMoH compiled ------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_BENCHMARKS_COMPILED_H
#define UCMOH_BENCHMARKS_COMPILED_H

#include "Task.h"
#include "Timing.h"

namespace bench {

/// Loads a function by its description, written by compile_ours.py:
///   {"name", "detail", "library", "function",
///    "arguments": ["lhs", "rhs", "result" or "packed"...],
///    "pack": ranks of what @function.pack returns, "returns": ranks of what @function returns}
/// Calls go through the C interface of memrefs. @function.pack runs once, here.
llvm::Expected<Implementation> loadCompiled(const Task &task, const std::string &path,
                                            const Buffer &lhs, const Buffer &rhs);

} // namespace bench

#endif // UCMOH_BENCHMARKS_COMPILED_H
