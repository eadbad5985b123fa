//===- Affinity.h - Which cores this process runs on
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_AFFINITY_H
#define UCMOH_MEASURE_AFFINITY_H

#include <cstdint>

namespace ucmoh {

/// Stays on `count` of the cores that are allowed now, with their caches: the last ones, since the
/// first serves most interrupts.
void pinToLastCores(int64_t count);

/// Leaves the last of the allowed cores to others, where there is another one.
void avoidLastCore();

} // namespace ucmoh

#endif // UCMOH_MEASURE_AFFINITY_H
