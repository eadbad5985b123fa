//===- Sentinel.h - Whether the machine is as fast as it can be
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_SENTINEL_H
#define UCMOH_MEASURE_SENTINEL_H

#include <vector>

namespace ucmoh {

/// A fixed product whose right operand fills much of the L2 cache, timed around measurements. On
/// shared machines cached kernels flip between two speeds for seconds, which arithmetic in
/// registers does not show but this does.
class Sentinel {
public:
  /// Takes a few milliseconds: finds out how fast the product can be.
  Sentinel();
  /// Runs it once; false when it is more than 6 % slower than ever seen.
  bool isCalm();
  /// Waits for a calm moment, `seconds` at most; false when there was none.
  bool wait(double seconds);

private:
  double run();

  std::vector<float> lhs, rhs, result;
  double best; ///< seconds
};

} // namespace ucmoh

#endif // UCMOH_MEASURE_SENTINEL_H
