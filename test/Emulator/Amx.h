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

/// Executes an instruction of AMX on tiles that each thread has beside its registers: ldtilecfg,
/// sttilecfg, tilerelease, tilezero, tileloadd, tileloaddt1, tilestored, tdpb{ss,su,us,uu}d,
/// tdpbf16ps, tdpfp16ps. False where it is none of these, or one at which a CPU would fault.
bool executeAmx(const Instruction &instruction);

} // namespace emulator

#endif // UCMOH_TEST_EMULATOR_AMX_H
