//===- Permission.h - Leave of the operating system
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_PERMISSION_H
#define UCMOH_MEASURE_PERMISSION_H

#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// Makes the system calls that the target's files name as `permission`, each once per process:
/// without it, the first instruction that needs it ends the process. A kernel or CPU that refuses
/// has no such instruction. Where the code is of another architecture, its emulator is asked by
/// none.
void requestPermissions(const Target &target);

} // namespace ucmoh

#endif // UCMOH_MEASURE_PERMISSION_H
