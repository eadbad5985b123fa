//===- TrapHandler.cpp - The emulator begins with the process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"
#include <cstdlib>

/// Says what was added where ucmoh::hostFeatures reads it.
[[gnu::constructor]] static void begin() {
  setenv("UCMOH_EMULATED_FEATURES", emulator::emulatedFeatures().c_str(), /*overwrite=*/1);
  emulator::installTrapHandler();
}
