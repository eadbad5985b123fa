//===- OpClock.h - Time per op of a running program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_OPCLOCK_H
#define UCMOH_RUNTIME_OPCLOCK_H

#include <cstdint>
#include <vector>

namespace ucmoh {

/// One execution of an op.
struct OpSpan {
  int64_t op;          ///< as numbered by --ucmoh-instrument
  double startSeconds; ///< since the reset
  double seconds;      ///< from begin to end
};

/// Generated code calls the clock before and after each op (see --ucmoh-instrument). One clock per
/// process. Of threads that share a loop, the one that called `reset` is timed.
class OpClock {
public:
  /// Starts from zero, for ops 0 to `count` - 1.
  static void reset(int64_t count);
  /// Since the reset, which is the zero of all spans, so that no span ends later than a call does.
  static double getElapsedSeconds();
  static void begin(int64_t op);
  static void end(int64_t op);
  /// Seconds in each op since the reset.
  static std::vector<double> getSeconds();
  /// Each execution of an op since the reset, in order.
  static const std::vector<OpSpan> &getSpans();
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_OPCLOCK_H
