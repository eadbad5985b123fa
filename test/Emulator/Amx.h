//===- Amx.h - Tiles
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_EMULATOR_AMX_H
#define UCMOH_TEST_EMULATOR_AMX_H

#include "Decoder.h"

namespace emulator {

/// Executes an instruction of AMX on the tiles of the interrupted program, or on some that each
/// thread has beside its registers where the CPU has none: ldtilecfg, sttilecfg, tilerelease,
/// tilezero, tileloadd, tileloaddt1, tilestored, tdpb{ss,su,us,uu}d, tdpbf16ps, tdpfp16ps. False
/// where it is none of these, or one at which a CPU would fault.
bool executeAmx(const Instruction &instruction, ucontext_t &context);

} // namespace emulator

#endif // UCMOH_TEST_EMULATOR_AMX_H
