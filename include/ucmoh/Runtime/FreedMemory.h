//===- FreedMemory.h - Buffers that are used again
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_FREEDMEMORY_H
#define UCMOH_RUNTIME_FREEDMEMORY_H

namespace ucmoh {

/// Makes this process, and those forked from it, keep the memory that they free: a call that
/// allocates its result would else get new pages each time, and their first touch (milliseconds for
/// 10 MB on a virtual machine) would be timed. False where the allocator gives large buffers back
/// all the same, as one that is preloaded may: times of large results are too long then.
bool keepFreedMemory();

/// The same, with a warning on standard error, once, instead of false.
void keepFreedMemoryOrWarn();

} // namespace ucmoh

#endif // UCMOH_RUNTIME_FREEDMEMORY_H
