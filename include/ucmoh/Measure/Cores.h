//===- Cores.h - Which cores this thread may run on
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_CORES_H
#define UCMOH_MEASURE_CORES_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace ucmoh {

/// Numbers of the cores that the calling thread may run on, ascending; not empty.
std::vector<int> allowedCores();

/// Keeps the calling thread, and those that it starts, on these cores, with their caches.
void stayOn(llvm::ArrayRef<int> cores);

} // namespace ucmoh

#endif // UCMOH_MEASURE_CORES_H
