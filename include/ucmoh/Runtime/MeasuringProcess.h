//===- MeasuringProcess.h - How a process prepares itself for measurements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_MEASURINGPROCESS_H
#define UCMOH_RUNTIME_MEASURINGPROCESS_H

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

/// Makes this process, and those forked from it, keep the memory that they free: a call that
/// allocates its result would else get new pages each time, and their first touch (milliseconds for
/// 10 MB on a virtual machine) would be timed. False where the allocator gives large buffers back
/// all the same, as one that is preloaded may: times of large results are too long then.
bool keepFreedMemory();

/// The same, with a warning on standard error, once, instead of false.
void keepFreedMemoryOrWarn();

} // namespace ucmoh

#endif // UCMOH_RUNTIME_MEASURINGPROCESS_H
