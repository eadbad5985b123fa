//===- Gate.cpp - Samples of time that nothing disturbed
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Measure/Gate.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace ucmoh;

static llvm::Expected<Sample> attempt(const GateOptions &options,
                                      llvm::function_ref<llvm::Expected<double>()> call) {
  auto first = call();
  if (!first)
    return first.takeError();
  Sample sample;
  if (*first >= options.sampleSeconds) {
    sample.seconds = *first;
    sample.calls = 1;
    return sample;
  }
  double total = 0;
  while (total < options.sampleSeconds) {
    auto seconds = call();
    if (!seconds)
      return seconds.takeError();
    total += *seconds;
    ++sample.calls;
  }
  sample.seconds = total / sample.calls;
  return sample;
}

llvm::Expected<Sample> ucmoh::takeSample(Sentinel &sentinel, const GateOptions &options,
                                         llvm::function_ref<llvm::Expected<double>()> call) {
  Sample best;
  for (int i = 0; i < options.attempts && !best.calm; ++i) {
    bool calmBefore = sentinel.wait(options.waitSeconds);
    auto sample = attempt(options, call);
    if (!sample)
      return sample.takeError();
    sentinel.isCalm(); // brings its operands back to the cache
    sample->calm = calmBefore && sentinel.isCalm();
    if (i == 0 || sample->calm || sample->seconds < best.seconds)
      best = *sample;
  }
  return best;
}
