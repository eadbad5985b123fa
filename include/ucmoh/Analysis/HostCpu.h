//===- HostCpu.h - The CPU that this process runs on
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_HOSTCPU_H
#define UCMOH_ANALYSIS_HOSTCPU_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace ucmoh {

/// Whether instructions count that an emulator adds to the CPU's (test/Emulator). They do where
/// code for a named target is to run; they do not for what the CPU is asked to be good at: "host".
enum class Emulated { Excluded, Included };

/// The features of this CPU by LLVM's names, and those that the environment variable
/// UCMOH_EMULATED_FEATURES ("+a,+b") adds.
llvm::StringMap<bool> hostFeatures(Emulated emulated);

/// Whether this process executes code of that triple, given the CPU has its features; else an
/// emulator does.
bool isHostArchitecture(llvm::StringRef triple);

/// LLVM's name of this CPU, with `plausibleCpu` where LLVM goes by the model's number.
llvm::StringRef hostCpuName();

/// A hypervisor may report another model's number than the CPU's: `name` then, whose processor
/// lacks some of `features`. If so, of the x86-64 processors that LLVM knows, the one with the
/// fewest features too many or missing; else `name`.
llvm::StringRef plausibleCpu(llvm::StringRef name, const llvm::StringMap<bool> &features);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_HOSTCPU_H
