//===- TilePermission.h - Leave of the kernel to use tile registers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_MEASURE_TILEPERMISSION_H
#define UCMOH_LIB_MEASURE_TILEPERMISSION_H

#include "llvm/ADT/StringRef.h"

namespace ucmoh {

/// Linux gives a process the 8 KiB of tile registers only on request: without it, the first
/// instruction on tiles ends the process. Asks, once per process, if `features` ("+a,+b") has such
/// instructions. A kernel or CPU without tiles refuses, which changes nothing.
void requestTilePermission(llvm::StringRef features);

} // namespace ucmoh

#endif // UCMOH_LIB_MEASURE_TILEPERMISSION_H
