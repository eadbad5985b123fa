//===- Location.cpp - Where a program is among others
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/Location.h"
#include <cmath>

std::vector<double> ucmoh::locate(const ProgramFeatures &rows) {
  std::vector<double> position(featureCount);
  for (const FeatureRow &row : rows)
    for (unsigned i = 0; i < featureCount; ++i)
      position[i] += row.values[i];
  for (double &value : position)
    value = std::copysign(std::log1p(std::abs(value)), value);
  return position;
}
