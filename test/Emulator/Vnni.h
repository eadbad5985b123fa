//===- Vnni.h - Dot products on vectors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_EMULATOR_VNNI_H
#define UCMOH_TEST_EMULATOR_VNNI_H

#include "Decoder.h"

namespace emulator {

/// Executes vpdpb{us,ss,su,uu}d[s], vpdpwssd[s] (VEX and EVEX) or vdpbf16ps (EVEX). False, with
/// nothing changed, where the instruction is none of these or a form that this does not know.
bool executeVnni(const Instruction &instruction, ucontext_t &context);

} // namespace emulator

#endif // UCMOH_TEST_EMULATOR_VNNI_H
