//===- Timing.cpp - Samples taken in quiet moments ------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include <chrono>

using namespace bench;

/// A noisy machine may stay so for a while.
static constexpr double quietWaitSeconds = 2;

static double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

static void sample(Implementation &implementation, ucmoh::Sentinel &sentinel,
                   double sampleSeconds) {
  auto call = [&]() -> llvm::Expected<ucmoh::CallTimes> {
    double start = now();
    implementation.run();
    return ucmoh::CallTimes{now() - start};
  };
  ucmoh::Sample taken = llvm::cantFail( // `call` cannot
      ucmoh::takeSample(sentinel, {sampleSeconds, quietWaitSeconds, /*attempts=*/1}, call));
  if (taken.quiet)
    implementation.seconds.push_back(taken.seconds.front());
  else
    ++implementation.dropped;
}

void bench::timeInterleaved(std::vector<Implementation> &implementations, ucmoh::Sentinel &sentinel,
                            int rounds, double sampleSeconds) {
  for (int round = 0; round < 4 * rounds; ++round)
    for (Implementation &implementation : implementations)
      if (int(implementation.seconds.size()) < rounds)
        sample(implementation, sentinel, sampleSeconds);
}
