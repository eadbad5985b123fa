//===- Timing.cpp - Samples taken while nothing disturbs ------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <sys/resource.h>
#include <thread>

using namespace bench;

double bench::now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

//===----------------------------------------------------------------------===//
// Sentinel
//===----------------------------------------------------------------------===//

// 48 KiB + 96 KiB + 72 KiB: more than L1, less than L2.
static constexpr int kRows = 96, kColumns = 192, kDepth = 128;

Sentinel::Sentinel(double best)
    : lhs(sizeof(float) * kRows * kDepth), rhs(sizeof(float) * kDepth * kColumns),
      result(sizeof(float) * kRows * kColumns), bestSeconds(best > 0 ? best : INFINITY) {}

static void multiply(const float *lhs, const float *rhs, float *result) {
  for (int k = 0; k < kDepth; ++k)
    for (int m = 0; m < kRows; ++m)
      for (int n = 0; n < kColumns; ++n)
        result[m * kColumns + n] += lhs[m * kDepth + k] * rhs[k * kColumns + n];
}

double Sentinel::measure() {
  double best = INFINITY;
  for (int repeat = 0; repeat < 3; ++repeat) {
    double start = now();
    multiply(reinterpret_cast<float *>(lhs.data()), reinterpret_cast<float *>(rhs.data()),
             reinterpret_cast<float *>(result.data()));
    best = std::min(best, now() - start);
  }
  return best;
}

void Sentinel::calibrate(double seconds) {
  for (double end = now() + seconds; now() < end;)
    bestSeconds = std::min(bestSeconds, measure());
}

bool Sentinel::isCalm() {
  double seconds = measure();
  bestSeconds = std::min(bestSeconds, seconds);
  bestHere = std::min(bestHere, seconds);
  // Which physical pages a process got changes its cache conflicts for good: after a while its own
  // best counts.
  double reference = ++measurements < 200 ? bestSeconds : std::min(bestHere, 1.15 * bestSeconds);
  return seconds <= 1.06 * reference;
}

bool Sentinel::waitForCalm(double seconds) {
  for (double end = now() + seconds; now() < end;) {
    if (isCalm())
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

static long preemptions() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

static double secondsOf(const std::function<void()> &run, int repetitions) {
  double start = now();
  for (int i = 0; i < repetitions; ++i)
    run();
  return (now() - start) / repetitions;
}

static void sample(Contender &contender, Sentinel &sentinel, int repetitions) {
  bool calm = sentinel.waitForCalm(2.0);
  contender.run(); // brings its data into the caches again
  long before = preemptions();
  double seconds = secondsOf(contender.run, repetitions);
  if (calm && preemptions() == before && sentinel.isCalm())
    contender.seconds.push_back(seconds);
  else
    ++contender.dropped;
}

void bench::timeInTurns(std::vector<Contender> &contenders, Sentinel &sentinel, int rounds,
                        double sampleSeconds) {
  std::vector<int> repetitions;
  for (Contender &contender : contenders) {
    double once = std::min(secondsOf(contender.run, 1), secondsOf(contender.run, 1));
    repetitions.push_back(std::max(1, int(std::ceil(sampleSeconds / once))));
  }
  for (int round = 0; round < 4 * rounds; ++round)
    for (size_t i = 0; i < contenders.size(); ++i)
      if (int(contenders[i].seconds.size()) < rounds)
        sample(contenders[i], sentinel, repetitions[i]);
}
