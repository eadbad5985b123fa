//===- HostMachine.h - What is known of the machine that this process runs on
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_HOSTMACHINE_H
#define UCMOH_ANALYSIS_HOSTMACHINE_H

#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// Where ucmoh-probe installs the numbers of this CPU and `target=host` looks for them:
/// $XDG_DATA_HOME/ucmoh/machines/SIGNATURE.mlir, under ~/.local/share without that variable. Empty
/// if this user has no home.
std::string probedMachinePath(const TargetLibrary &library);

/// Tells this CPU from others whose numbers differ, even where a hypervisor hides its name: LLVM's
/// name, the family, model and stepping that the CPU reports, its data caches, and a hash of the
/// library's targets that it executes. "znver3-25-1-1-32K-512K-32768K-0f3a99c2".
std::string hostSignature(const TargetLibrary &library);

/// Advises a user whose choices rest on the numbers of no particular machine, in one line: what to
/// run, how long it takes and what it is worth. The advice is empty where a machine is known, or
/// where `name`, which the target was resolved from, asks for a machine ("host@default").
std::string adviceOnMachine(const Target &target, llvm::StringRef name);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_HOSTMACHINE_H
