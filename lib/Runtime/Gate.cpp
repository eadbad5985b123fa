//===- Gate.cpp - Samples of time in quiet moments
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Gate.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh;

static llvm::Expected<Sample> attempt(const GateOptions &options,
                                      llvm::function_ref<llvm::Expected<CallTimes>()> call) {
  auto first = call();
  if (!first)
    return first.takeError();
  if (first->front() >= options.sampleSeconds)
    return Sample{std::move(*first), 1, false};
  Sample sample{CallTimes(first->size()), 0, false};
  while (sample.seconds.front() < options.sampleSeconds) {
    auto times = call();
    if (!times)
      return times.takeError();
    for (auto [total, seconds] : llvm::zip_equal(sample.seconds, *times))
      total += seconds;
    ++sample.calls;
  }
  for (double &total : sample.seconds)
    total /= sample.calls;
  return sample;
}

static void toBestClock(Sample &sample, double slowness) {
  for (double &seconds : sample.seconds)
    seconds /= slowness;
}

llvm::Expected<Sample> ucmoh::takeSample(Sentinel &sentinel, const GateOptions &options,
                                         llvm::function_ref<llvm::Expected<CallTimes>()> call) {
  Sample best;
  for (int i = 0; i < options.attempts && !best.quiet; ++i) {
    bool quietBefore = sentinel.wait(options.waitSeconds);
    double slowness = sentinel.getSlowness();
    auto sample = attempt(options, call);
    if (!sample)
      return sample.takeError();
    sample->quiet = quietBefore && sentinel.isQuietAfterSample();
    if (options.atBestClock && sample->quiet)
      toBestClock(*sample, (slowness + sentinel.getSlowness()) / 2);
    if (i == 0 || sample->quiet || sample->seconds.front() < best.seconds.front())
      best = std::move(*sample);
  }
  return best;
}
