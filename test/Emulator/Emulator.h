//===- Emulator.h - Instructions that this CPU lacks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_EMULATOR_EMULATOR_H
#define UCMOH_TEST_EMULATOR_EMULATOR_H

#include <string>
#include <ucontext.h>

namespace emulator {

/// Executes the instruction at which `context` stands and moves on to the next one. False, with
/// nothing changed, where the emulator does not know it.
bool emulate(ucontext_t &context);

/// Handles SIGILL by emulation; an unknown instruction is printed and ends the process.
void installTrapHandler();

/// "+amx-tile,+amx-int8,...": the features, in LLVM's names, that this CPU lacks and the emulator
/// adds.
std::string emulatedFeatures();

} // namespace emulator

#endif // UCMOH_TEST_EMULATOR_EMULATOR_H
