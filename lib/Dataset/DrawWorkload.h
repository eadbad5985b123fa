//===- DrawWorkload.h - Workloads at random
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_DATASET_DRAWWORKLOAD_H
#define UCMOH_LIB_DATASET_DRAWWORKLOAD_H

#include "llvm/ADT/StringRef.h"
#include <random>
#include <string>

namespace ucmoh {

/// Whether workloads of these types (TaskInfo::types) can be drawn.
bool canDraw(llvm::StringRef types);

/// A module with one product, batched product or convolution of these types, as text. Sizes are
/// drawn evenly by their logarithms, from one row to large images: 0.2 to 800 MFLOP. The same state
/// of `random` gives the same text on every machine.
std::string drawWorkload(llvm::StringRef types, std::mt19937_64 &random);

} // namespace ucmoh

#endif // UCMOH_LIB_DATASET_DRAWWORKLOAD_H
