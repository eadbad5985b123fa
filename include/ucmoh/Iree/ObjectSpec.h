//===- ObjectSpec.h - Compiled groups as a transform spec of IREE
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_IREE_OBJECTSPEC_H
#define UCMOH_IREE_OBJECTSPEC_H

#include "ucmoh/Iree/CompiledGroups.h"

namespace ucmoh {

/// Writes a file for iree-compile's --iree-preprocessing-transform-spec-filename, which contains
/// the code: it puts a dispatch of it wherever the ops of a group stand in a program. `target` is
/// IREE's attribute #hal.executable.target<...> of the device; where it is empty, the program is
/// to be compiled with --iree-hal-link-executables=false.
void writeObjectSpec(llvm::raw_ostream &os, llvm::ArrayRef<CompiledGroup> groups,
                     llvm::StringRef target);

} // namespace ucmoh

#endif // UCMOH_IREE_OBJECTSPEC_H
