//===- Collector.h - Measurements of many tasks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COLLECT_COLLECTOR_H
#define UCMOH_COLLECT_COLLECTOR_H

#include "mlir/IR/MLIRContext.h"
#include "ucmoh/Collect/TaskFile.h"
#include "ucmoh/Records/Records.h"

namespace ucmoh {

/// Says which candidates of each task are measured, and how.
struct CollectOptions {
  std::string target = "host", model = "analytic"; ///< as of the pass
  std::string run = "1";       ///< label of this independent run of measurements
  int64_t guided = 12;         ///< candidates per task and group: among the model's best
  int64_t uniform = 10;        ///< ... among all that the pass would consider
  int64_t wild = 6;            ///< ... among legal ones that it would not
  int64_t active = 0;          ///< ... that tell a model most
  int64_t first = 0;           ///< not 0: the model's first of a task in any group, no others
  int64_t atLeast = 0;         ///< not 0: in that mix, until a group has so many in this run
  int64_t threads = 1;         ///< that share a candidate, on as many cores
  double beatable = 0;         ///< not 0: none whose executions, at this share of the cycles
                               ///< probed, take longer than the best recorded (CPUs only)
  double importantShare = 1;   ///< share of the tasks, drawn by their floating-point operations
  std::string again;           ///< measure what the run of that label measured, and nothing else
  double againShare = 1;       ///< share of its candidates
  bool gated = true;           ///< samples wait for quiet moments
  bool atBestClock = true;     ///< ... and are brought to one clock, see GateOptions
  int64_t rounds = 4;          ///< samples of each candidate
  bool interleave = true;      ///< not all of a candidate's at once
  int64_t refinements = 6;     ///< more rounds over the best, at most
  double maxFlops = 3e9;       ///< larger tasks are left out
  double budgetSeconds = 1e9;  ///< no task is started after it
  double timeoutSeconds = 120; ///< for each step of a child process
};

/// Measures candidates of each task on the last core, while others are compiled, and adds
/// a task's rows to `records` when it is done. What is there already is left out, so that a
/// collection goes on where it was stopped. Prints a line per task. Fails only if nothing can be
/// measured at all: an unknown target, a database that cannot be written.
llvm::Error collect(mlir::MLIRContext &context, std::vector<CollectTask> tasks, Records &records,
                    const CollectOptions &options);

} // namespace ucmoh

#endif // UCMOH_COLLECT_COLLECTOR_H
