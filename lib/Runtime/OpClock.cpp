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
static Clock::time_point started;

void OpClock::reset(int64_t opCount) { seconds.assign(opCount, 0); }

void OpClock::begin(int64_t) { started = Clock::now(); }

void OpClock::end(int64_t op) {
  double elapsed = std::chrono::duration<double>(Clock::now() - started).count();
  if (op >= 0 && op < static_cast<int64_t>(seconds.size()))
    seconds[op] += elapsed;
}

const std::vector<double> &OpClock::getSeconds() { return seconds; }
