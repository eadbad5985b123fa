//===- HostFeatures.cpp - Prints what this CPU has, for lit.cfg.py
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/HostCpu.h"
#include "llvm/Support/raw_ostream.h"

/// One feature a line, by LLVM's name: without those that UCMOH_HOST_CPU hides, and with those that
/// an emulator adds which is loaded before.
int main() {
  for (const auto &feature : ucmoh::hostFeatures(ucmoh::Emulated::Included))
    if (feature.getValue())
      llvm::outs() << feature.getKey() << "\n";
  return 0;
}
