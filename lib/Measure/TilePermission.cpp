//===- TilePermission.cpp - Leave of the kernel to use tile registers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePermission.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>

static void request() {
  // asm/prctl.h of kernels before 5.16 does not have the request; 18 is XSAVE's number of TILEDATA.
  constexpr int archReqXcompPerm = 0x1023, tileData = 18;
  syscall(SYS_arch_prctl, archReqXcompPerm, tileData);
}
#else
static void request() {}
#endif

void ucmoh::requestTilePermission(llvm::StringRef features) {
  if (!llvm::is_contained(llvm::split(features, ","), "+amx-tile"))
    return;
  static const bool once = (request(), true);
  (void)once;
}
