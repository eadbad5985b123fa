//===- Timing.cpp - Samples taken while nothing disturbs ------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include <chrono>

using namespace bench;

/// A disturbed machine may stay so for a while.
static constexpr double calmWaitSeconds = 2;

static double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

static void sample(Contender &contender, ucmoh::Sentinel &sentinel, double sampleSeconds) {
  auto call = [&]() -> llvm::Expected<ucmoh::CallTimes> {
    double start = now();
    contender.run();
    return ucmoh::CallTimes{now() - start};
  };
  ucmoh::Sample taken = llvm::cantFail( // `call` cannot
      ucmoh::takeSample(sentinel, {sampleSeconds, calmWaitSeconds, /*attempts=*/1}, call));
  if (taken.calm)
    contender.seconds.push_back(taken.seconds.front());
  else
    ++contender.dropped;
}

void bench::timeInTurns(std::vector<Contender> &contenders, ucmoh::Sentinel &sentinel, int rounds,
                        double sampleSeconds) {
  for (int round = 0; round < 4 * rounds; ++round)
    for (Contender &contender : contenders)
      if (int(contender.seconds.size()) < rounds)
        sample(contender, sentinel, sampleSeconds);
}
