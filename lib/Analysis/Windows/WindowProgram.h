//===- WindowProgram.h - The walk over windows as a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_WINDOWS_WINDOWPROGRAM_H
#define UCMOH_LIB_ANALYSIS_WINDOWS_WINDOWPROGRAM_H

#include "ucmoh/Analysis/Program.h"

namespace ucmoh {

/// Builds the program that the candidate makes of the depthwise workload. Rows of a window that lie
/// outside of the image are counted as if they were computed.
Program buildWindowProgram(const Workload &workload, const Candidate &candidate);

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_WINDOWS_WINDOWPROGRAM_H
