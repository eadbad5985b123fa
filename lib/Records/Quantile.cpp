//===- Quantile.cpp - What many samples say
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Records/Quantile.h"
#include <algorithm>

double ucmoh::lowerMedian(std::vector<double> samples) {
  auto middle = samples.begin() + (samples.size() - 1) / 2;
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

double ucmoh::quantile(llvm::ArrayRef<double> sorted, double fraction) {
  double at = fraction * (sorted.size() - 1);
  size_t below = static_cast<size_t>(at);
  double above = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (at - below) * (above - sorted[below]);
}
