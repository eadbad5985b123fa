//===- Replace.h - Groups of a dump of IREE's, replaced by dispatches
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_IREE_REPLACE_H
#define UCMOH_IREE_REPLACE_H

#include "ucmoh/Iree/CompiledGroups.h"

namespace ucmoh {

/// Replaces the groups of `module`, a program that IREE has printed in generic form, by dispatches,
/// and writes it with their code, for iree-compile's --compile-from. `target` as in
/// writeObjectSpec.
void writeReplaced(llvm::raw_ostream &os, mlir::ModuleOp module,
                   llvm::ArrayRef<CompiledGroup> groups, llvm::StringRef target);

} // namespace ucmoh

#endif // UCMOH_IREE_REPLACE_H
