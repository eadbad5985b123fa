//===- Gate.h - Samples of time in quiet moments
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_GATE_H
#define UCMOH_RUNTIME_GATE_H

#include "ucmoh/Runtime/Sentinel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace ucmoh {

/// How a sample is taken.
struct GateOptions {
  double sampleSeconds = 5e-3; ///< calls are repeated until a sample is this long
  double waitSeconds = 0.06;   ///< for a quiet moment, before a sample is taken anyway
  int attempts = 2;            ///< to get a sample that began and ended in a quiet moment
  /// Quiet samples are divided by how much slower than ever the sentinel was before and after them:
  /// for samples that are compared over minutes, in which the clock changes.
  bool atBestClock = false;
};

/// Seconds of one call, and of parts of it if there are any.
using CallTimes = std::vector<double>;

/// One sample: the mean of some calls.
struct Sample {
  CallTimes seconds;  ///< per call
  int64_t calls = 0;  ///< of which `seconds` is the mean
  bool quiet = false; ///< before and after
};

/// Takes a sample of `call`. The first call of each attempt is not counted unless it takes longer
/// than a whole sample: the sentinel has used the caches.
llvm::Expected<Sample> takeSample(Sentinel &sentinel, const GateOptions &options,
                                  llvm::function_ref<llvm::Expected<CallTimes>()> call);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_GATE_H
