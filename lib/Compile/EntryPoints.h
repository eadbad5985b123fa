//===- EntryPoints.h - The functions that C programs call
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COMPILE_ENTRYPOINTS_H
#define UCMOH_LIB_COMPILE_ENTRYPOINTS_H

#include "CInterface.h"

namespace llvm {
class Module;
} // namespace llvm

namespace ucmoh {

/// Adds NAME_packed_bytes, NAME_pack, NAME_run and NAME_describe, and NAME_use_threads where
/// kernels have several threads. They call the function of the module through ucmoh_call of
/// Support.h.
void addEntryPoints(llvm::Module &module, const CInterface &interface, const LibraryTarget &target);

} // namespace ucmoh

#endif // UCMOH_LIB_COMPILE_ENTRYPOINTS_H
