//===- HostCores.h - The cores that this process may use
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_HOSTCORES_H
#define UCMOH_ANALYSIS_HOSTCORES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ucmoh {

/// The number of one logical CPU of each core on which the calling thread may run, ascending; not
/// empty. Threads of one core (SMT) share its registers' ports and its caches, so they count as
/// one.
std::vector<int> allowedCores();

/// The first of `cpus` of each core; `siblingsOf` says which logical CPUs share one with that, in
/// any words that are the same for all of them. Where it says nothing, the CPU is a core.
std::vector<int> firstOfEachCore(llvm::ArrayRef<int> cpus,
                                 llvm::function_ref<std::string(int)> siblingsOf);

/// Keeps the calling thread, and those that it starts, on these cores, with their caches.
void stayOn(llvm::ArrayRef<int> cores);

/// The logical CPUs that were allowed at the first of these calls, in this process or the one it is
/// a fork of.
llvm::ArrayRef<int> cpusAtStart();

/// Stays on `count` of their cores: the last ones, since the first serves most interrupts.
void stayOnLast(int64_t count);

/// Leaves the last of those cores to others, where there is another one.
void avoidLast();

/// From now on the calling thread takes its core from all that have no real-time priority, until it
/// waits. Returns whether the system allows it (root, CAP_SYS_NICE or a limit of RTPRIO).
bool goBeforeOthers();

/// Whether that would be allowed.
bool mayGoBeforeOthers();

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_HOSTCORES_H
