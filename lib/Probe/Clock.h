//===- Clock.h - What the time is
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_PROBE_CLOCK_H
#define UCMOH_LIB_PROBE_CLOCK_H

#include <chrono>

namespace ucmoh {

using TimePoint = std::chrono::steady_clock::time_point;

inline TimePoint now() { return std::chrono::steady_clock::now(); }

inline double secondsBetween(TimePoint start, TimePoint end) {
  return std::chrono::duration<double>(end - start).count();
}

inline double secondsSince(TimePoint start) { return secondsBetween(start, now()); }

} // namespace ucmoh

#endif // UCMOH_LIB_PROBE_CLOCK_H
