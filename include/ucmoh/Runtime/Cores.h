//===- Cores.h - On which of its cores a thread runs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_CORES_H
#define UCMOH_RUNTIME_CORES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace ucmoh {

/// Keeps the calling thread, and those that it starts, on these cores, with their caches.
void stayOn(llvm::ArrayRef<int> cores);

/// Stays on `count` of the cores that were allowed at the first of these calls, in this process or
/// the one it is a fork of: the last ones, since the first serves most interrupts.
void stayOnLast(int64_t count);

/// Leaves the last of those cores to others, where there is another one.
void avoidLast();

/// From now on the calling thread takes its core from all that have no real-time priority, until it
/// waits. Returns whether the system allows it (root, CAP_SYS_NICE or a limit of RTPRIO).
bool goBeforeOthers();

/// Whether that would be allowed.
bool mayGoBeforeOthers();

} // namespace ucmoh

#endif // UCMOH_RUNTIME_CORES_H
