//===- TuningSpec.h - Configurations as a tuning spec of IREE
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_IREE_TUNINGSPEC_H
#define UCMOH_IREE_TUNINGSPEC_H

#include "ucmoh/Iree/Tune.h"

namespace ucmoh {

/// Writes a file for iree-compile's --iree-codegen-tuning-spec-path, or for a device
/// --iree-codegen-transform-dialect-library, with the best configuration of each op.
void writeTuningSpec(llvm::raw_ostream &os, llvm::ArrayRef<TunedOp> ops);

/// Writes the module, in generic form, with the best configuration of each op as its attribute
/// compilation_info.
void writeAnnotated(llvm::raw_ostream &os, mlir::ModuleOp module, llvm::ArrayRef<TunedOp> ops);

} // namespace ucmoh

#endif // UCMOH_IREE_TUNINGSPEC_H
