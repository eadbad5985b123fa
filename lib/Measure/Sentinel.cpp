//===- Sentinel.cpp - Whether the machine is as fast as it can be
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Measure/Sentinel.h"
#include <algorithm>
#include <chrono>
#include <thread>

using namespace ucmoh;

using Clock = std::chrono::steady_clock;

static constexpr int rows = 4, columns = 192, steps = 512; // rhs: 384 KiB
static constexpr double slowdownAllowed = 1.06;
static constexpr int calibrationRuns = 200;
static constexpr int looksBeforeSleep = 8;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Sentinel::Sentinel() : lhs(rows * steps, 1.0f), rhs(steps * columns, 1.0f), result(rows * columns) {
  best = run();
  for (int i = 0; i < calibrationRuns; ++i)
    best = std::min(best, run());
}

double Sentinel::run() {
  auto start = Clock::now();
  std::fill(result.begin(), result.end(), 0.0f);
  for (int k = 0; k < steps; ++k)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        result[i * columns + j] += lhs[i * steps + k] * rhs[k * columns + j];
  // The result is read, so that the loops are not removed.
  volatile float sink = result[0];
  (void)sink;
  return secondsSince(start);
}

bool Sentinel::isCalm() {
  double seconds = run();
  bool calm = seconds <= slowdownAllowed * best;
  best = std::min(best, seconds);
  return calm;
}

bool Sentinel::wait(double seconds) {
  auto start = Clock::now();
  while (true) {
    run(); // brings the operands back to the cache
    // Whoever sleeps lets others use this core's caches: only when a short disturbance is over.
    for (int i = 0; i < looksBeforeSleep; ++i)
      if (isCalm())
        return true;
    if (secondsSince(start) > seconds)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}
