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
/// UCMOH_EMULATED_FEATURES ("+a,+b") adds. UCMOH_HOST_CPU names a processor of LLVM
/// ("x86-64-v3", "znver3"): what this CPU has beyond it is hidden then, and what an emulator adds
/// to what is hidden.
llvm::StringMap<bool> hostFeatures(Emulated emulated);

/// Whether this process executes code of that triple, given the CPU has its features; else an
/// emulator does.
bool isHostArchitecture(llvm::StringRef triple);

/// LLVM's name of this CPU, or that of UCMOH_HOST_CPU, if `plausibleCpu` finds nothing better.
llvm::StringRef hostCpuName();

/// A hypervisor may report another model's number than the CPU's, and hide features. `name` is
/// believed if it has the same of the features that kernels may use, those of the embedded targets,
/// as this x86-64 CPU. Else the best of LLVM's processors of this `maker` ("AMD", "INTEL"; of all,
/// where it is empty): with the fewest of these features missing, which nothing can add; then one
/// with the same features; then `name`, of which some are hidden; then with the fewest hidden, and
/// the fewest differences in all other features.
llvm::StringRef plausibleCpu(llvm::StringRef name, llvm::StringRef maker,
                             const llvm::StringMap<bool> &features);

/// The features of a processor of LLVM ("znver3"), with what they imply and what every x86-64 CPU
/// has; empty if LLVM has no such one.
llvm::StringMap<bool> featuresOfCpu(llvm::StringRef cpu);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_HOSTCPU_H
