//===- MeasuringProcess.h - A process that measures for minutes or hours
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COLLECT_MEASURINGPROCESS_H
#define UCMOH_COLLECT_MEASURINGPROCESS_H

namespace ucmoh {

/// Makes this process one that measures: its children inherit an allocator that keeps freed
/// memory, and what compiles leaves the last core to what is measured. From now on Ctrl-C and
/// SIGTERM only set a flag, so that the work at hand is finished and recorded.
void becomeMeasuringProcess();

/// Whether Ctrl-C or SIGTERM came since then.
bool isInterrupted();

/// Seconds of a clock that only goes forward.
double getMonotonicSeconds();

} // namespace ucmoh

#endif // UCMOH_COLLECT_MEASURINGPROCESS_H
