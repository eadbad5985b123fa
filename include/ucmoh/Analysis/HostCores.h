//===- HostCores.h - The cores that this thread may use
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_HOSTCORES_H
#define UCMOH_ANALYSIS_HOSTCORES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace ucmoh {

/// Of each core on which the calling thread may run the number of one logical CPU, ascending; not
/// empty. Threads of one core (SMT) share its registers' ports and its caches, so they count as
/// one.
std::vector<int> allowedCores();

/// The first of `cpus` of each core; `siblingsOf` says which logical CPUs share one with that, in
/// any words that are the same for all of them. Where it says nothing, the CPU is a core.
std::vector<int> firstOfEachCore(llvm::ArrayRef<int> cpus,
                                 llvm::function_ref<std::string(int)> siblingsOf);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_HOSTCORES_H
