//===- OutlineKernels.h - Kernels that call functions
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_OUTLINEKERNELS_H
#define UCMOH_LIB_TRANSFORMS_OUTLINEKERNELS_H

#include "mlir/IR/BuiltinOps.h"

namespace ucmoh {

/// Moves the bodies of kernels that are outlined, or equal to each other but for constants, into
/// functions, which the kernels then call; with `outlineNetworks` those of all that are not the
/// only one of their function. Kernels may be on tensors or on buffers.
llvm::LogicalResult outlineKernels(mlir::ModuleOp module, bool outlineNetworks = false);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_OUTLINEKERNELS_H
