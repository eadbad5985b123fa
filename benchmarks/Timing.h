//===- Timing.h - Samples taken in quiet moments --------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// On shared machines a cached kernel flips between two speeds for seconds at a time, because
/// something outside shares the caches; clocks, loads and register-only loops do not see it. The
/// sentinel does: a fixed GEMM that lives in L2.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_BENCHMARKS_TIMING_H
#define UCMOH_BENCHMARKS_TIMING_H

#include "Task.h"
#include "ucmoh/Runtime/Sentinel.h"
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// Something to time. `seconds` and `dropped` are filled in by timeInterleaved.
struct Implementation {
  std::string name;                          ///< who
  std::string detail;                        ///< how: the library's kernel, the candidate
  std::function<void()> run;                 ///< the timed part
  std::function<const char *()> plainResult; ///< the result in the task's layout, after `run`
  double error = 0;                          ///< see maxError
  std::vector<double> seconds = {};          ///< accepted samples, per call
  int dropped = 0;                           ///< samples that were noisy
};

/// Takes `rounds` samples of each implementation, interleaved, through the same gate as all of
/// UCMoH's measurements (ucmoh/Runtime/Sentinel.h). A noisy sample is dropped and repeated, up to 4
/// times as many.
void timeInterleaved(std::vector<Implementation> &implementations, ucmoh::Sentinel &sentinel,
                     int rounds, double sampleSeconds);

} // namespace bench

#endif // UCMOH_BENCHMARKS_TIMING_H
