//===- Permission.h - Leave of the operating system
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_PERMISSION_H
#define UCMOH_ANALYSIS_PERMISSION_H

#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// Makes the system call that the file of a target of this architecture names as `permission`, once
/// per process: without it, the first instruction that needs it ends the process. Returns whether
/// the system, and the CPU, grant it; a target that names none needs none.
bool requestPermission(TargetOp target);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_PERMISSION_H
