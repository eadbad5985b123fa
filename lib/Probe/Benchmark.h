//===- Benchmark.h - Something that is measured again and again
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_PROBE_BENCHMARK_H
#define UCMOH_LIB_PROBE_BENCHMARK_H

#include "ucmoh/Runtime/Executable.h"
#include <chrono>
#include <functional>

namespace ucmoh {

using TimePoint = std::chrono::steady_clock::time_point;

inline TimePoint now() { return std::chrono::steady_clock::now(); }

inline double secondsBetween(TimePoint start, TimePoint end) {
  return std::chrono::duration<double>(end - start).count();
}

inline double secondsSince(TimePoint start) { return secondsBetween(start, now()); }

/// Samples of one time. The machine may be slow for seconds, but is never too fast: what counts is
/// the fast end of many samples that are spread over the whole measurement.
class Benchmark {
public:
  /// `measure` returns the seconds of one unit: an execution, an addition, a byte, a read.
  Benchmark(std::string name, bool usesCaches, std::function<double()> measure)
      : name(std::move(name)), usesCaches(usesCaches), measure(std::move(measure)) {}

  void sample() { seconds.push_back(measure()); }
  /// Samples for two milliseconds, and counts what begins after the first of them: a core's clock
  /// depends on the instructions that it executes, and follows them late.
  void takeRound();
  int64_t samples() const { return seconds.size(); }
  /// Seconds of one unit; needs a sample.
  double best() const;
  /// By how much of the lower one the bests of the first and of the second half of the samples
  /// differ: what another measurement is likely to differ by, at least. 0 for a single sample.
  double disagreement() const;

  std::string name;
  bool usesCaches; ///< to be sampled in quiet moments

private:
  std::function<double()> measure;
  std::vector<double> seconds;
};

/// Times a compiled function whose last argument, an index, says how often its loop runs: so often
/// that one call takes `callSeconds` at least, less what a call without an iteration takes. Returns
/// the seconds of one unit, of which one iteration has `unitsPerIteration`.
llvm::Expected<std::function<double()>> timeFunction(Executable &executable, llvm::StringRef name,
                                                     const std::vector<Tensor> &arguments,
                                                     double unitsPerIteration,
                                                     double callSeconds = 30e-6);

/// Prepares what calling such a function takes.
llvm::Expected<std::unique_ptr<Invocation>> prepareFunction(Executable &executable,
                                                            llvm::StringRef name,
                                                            const std::vector<Tensor> &arguments,
                                                            Tensor iterations);

} // namespace ucmoh

#endif // UCMOH_LIB_PROBE_BENCHMARK_H
