//===- MeasuringProcess.h - A process that measures
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_MEASURINGPROCESS_H
#define UCMOH_RUNTIME_MEASURINGPROCESS_H

namespace ucmoh {

/// Makes this process, and those forked from it, keep the memory that they free: a call that
/// allocates its result would else get new pages each time, and their first touch (milliseconds for
/// 10 MB on a virtual machine) would be timed. False where the allocator gives large buffers back
/// all the same, as one that is preloaded may: times of large results are too long then.
bool keepFreedMemory();

/// The same, with a warning on standard error, once, instead of false.
void keepFreedMemoryOrWarn();

/// Makes this process one that measures: its children inherit an allocator that keeps freed
/// memory, and what compiles leaves the last core to what is measured. From now on Ctrl-C and
/// SIGTERM only set a flag, so that the work at hand is finished and recorded.
void becomeMeasuringProcess();

/// Whether Ctrl-C or SIGTERM came since then.
bool isInterrupted();

/// Seconds of a clock that only goes forward.
double getMonotonicSeconds();

} // namespace ucmoh

#endif // UCMOH_RUNTIME_MEASURINGPROCESS_H
