//===- Timing.h - Samples taken while nothing disturbs --------------------===//
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
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// Seconds of monotonic time.
double now();

class Sentinel {
public:
  /// `best`: seconds that the sentinel's GEMM takes undisturbed, if known from before; else 0.
  explicit Sentinel(double best);
  /// Lowers `best` to what is seen within `seconds`.
  void calibrate(double seconds);
  /// Whether the GEMM runs within 6 % of its best now; of this process's best after 200 looks.
  bool isCalm();
  /// Waits for calm, at most `seconds`. Whether it came.
  bool waitForCalm(double seconds);
  double best() const { return bestSeconds; }

private:
  double measure();
  Buffer lhs, rhs, result; ///< on pages of their own: alignment must not change from run to run
  double bestSeconds;
  double bestHere = 1e9; ///< seconds, of this process
  int measurements = 0;
};

/// One implementation of a task.
struct Contender {
  std::string name;                          ///< who
  std::string detail;                        ///< how: the library's kernel, the candidate
  std::function<void()> run;                 ///< the timed part
  std::function<const char *()> plainResult; ///< the result in the task's layout, after `run`
  double error = 0;                          ///< see maxError
  std::vector<double> seconds = {};          ///< accepted samples, per call
  int dropped = 0;                           ///< samples that were disturbed
};

/// Takes `rounds` samples of each contender, in turns. A sample is at least `sampleSeconds` long
/// and counts only if it began and ended in calm and the thread was not preempted; a contender is
/// tried at most 4 * `rounds` times.
void timeInTurns(std::vector<Contender> &contenders, Sentinel &sentinel, int rounds,
                 double sampleSeconds);

} // namespace bench

#endif // UCMOH_BENCHMARKS_TIMING_H
