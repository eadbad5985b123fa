//===- OpClock.cpp - Time per op of a running program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/OpClock.h"
#include <chrono>
#include <thread>

using namespace ucmoh;

using Clock = std::chrono::steady_clock;

static int64_t opCount = 0;
static std::vector<OpSpan> spans;
static Clock::time_point zero, started;
static std::thread::id caller; ///< the thread that is timed

static double secondsBetween(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

void OpClock::reset(int64_t count) {
  opCount = count;
  spans.clear(); // which keeps its memory, so that later calls do not allocate between ops
  caller = std::this_thread::get_id();
  zero = Clock::now();
}

double OpClock::getElapsedSeconds() { return secondsBetween(zero, Clock::now()); }

void OpClock::begin(int64_t) {
  if (std::this_thread::get_id() == caller)
    started = Clock::now();
}

void OpClock::end(int64_t op) {
  if (std::this_thread::get_id() != caller)
    return;
  double elapsed = secondsBetween(started, Clock::now());
  if (op >= 0 && op < opCount)
    spans.push_back({op, secondsBetween(zero, started), elapsed});
}

std::vector<double> OpClock::getSeconds() {
  std::vector<double> seconds(opCount, 0);
  for (const OpSpan &span : spans)
    seconds[span.op] += span.seconds;
  return seconds;
}

const std::vector<OpSpan> &OpClock::getSpans() { return spans; }
