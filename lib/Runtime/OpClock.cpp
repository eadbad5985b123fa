//===- OpClock.cpp - Time per op of a running program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/OpClock.h"
#include <chrono>

using namespace ucmoh;

using Clock = std::chrono::steady_clock;

static std::vector<double> seconds;
static std::vector<OpSpan> spans;
static Clock::time_point zero, started;

static double secondsBetween(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

void OpClock::reset(int64_t opCount) {
  seconds.assign(opCount, 0);
  spans.clear();
  zero = Clock::now();
}

void OpClock::begin(int64_t) { started = Clock::now(); }

void OpClock::end(int64_t op) {
  double elapsed = secondsBetween(started, Clock::now());
  if (op < 0 || op >= static_cast<int64_t>(seconds.size()))
    return;
  seconds[op] += elapsed;
  spans.push_back({op, secondsBetween(zero, started), elapsed});
}

const std::vector<double> &OpClock::getSeconds() { return seconds; }

const std::vector<OpSpan> &OpClock::getSpans() { return spans; }
