//===- RandomPrograms.h - Programs of random statements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_UNIT_RANDOMPROGRAMS_H
#define UCMOH_TEST_UNIT_RANDOMPROGRAMS_H

#include "ucmoh/CostModel/Features.h"
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace ucmoh {

/// No real programs, but of real sizes: 1 to 40 statements of one kind each, values from 1 to 2^30
/// and zeros. The first statement computes, so that none takes no time.
inline std::vector<ProgramFeatures> randomPrograms(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  auto uniform = [&] { return random() / 4294967296.0; };
  std::vector<ProgramFeatures> programs(count);
  for (ProgramFeatures &program : programs) {
    program.resize(1 + random() % (random() % 8 ? 12 : 40));
    for (FeatureRow &row : program) {
      for (float &value : row.values)
        value = uniform() < 0.2 ? 0 : static_cast<float>(std::floor(std::exp2(30 * uniform())));
      for (unsigned kind = 0; kind < static_cast<unsigned>(Feature::lhsBufferBytes); ++kind)
        row.values[kind] = 0;
      row.values[random() % static_cast<unsigned>(Feature::isGrid)] = 1;
      for (Feature divisor :
           {Feature::steps, Feature::stepsPerIteration, Feature::clockGHz, Feature::tileColumns,
            Feature::accBits, Feature::l1BytesPerCycle, Feature::broadcastBytesPerCycle,
            Feature::l2BytesPerCycle, Feature::l3BytesPerCycle, Feature::memoryBytesPerCycle,
            Feature::intrinsicM})
        row[divisor] = 1 + random() % 64;
      // What a level must deliver is a part of what the level before must.
      for (Feature bytes : {Feature::lhsBytes, Feature::rhsBytes, Feature::outBytes}) {
        float *levels = &row[bytes];
        std::sort(levels, levels + 4, std::greater<float>());
      }
      row[Feature::busiestShare] = 1;
      row[Feature::clockGHz] = 3;
    }
    for (unsigned kind = 0; kind < static_cast<unsigned>(Feature::isGrid); ++kind)
      program.front().values[kind] = kind == static_cast<unsigned>(Feature::isCompute);
  }
  return programs;
}

} // namespace ucmoh

#endif // UCMOH_TEST_UNIT_RANDOMPROGRAMS_H
