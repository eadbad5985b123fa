//===- InlineKernels.h - Kernels replaced by their bodies
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_INLINEKERNELS_H
#define UCMOH_LIB_TRANSFORMS_INLINEKERNELS_H

#include "mlir/IR/BuiltinOps.h"

namespace ucmoh {

/// Replaces all bufferized kernels by their bodies. Those that are outlined, or equal to each other
/// but for constants, become calls of functions; with `outlineNetworks` all do that are
/// not the only one of their function.
llvm::LogicalResult inlineKernels(mlir::ModuleOp module, bool outlineNetworks = false);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_INLINEKERNELS_H
