//===- InlineKernels.h - Kernels replaced by their bodies
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_INLINEKERNELS_H
#define UCMOH_LIB_TRANSFORMS_INLINEKERNELS_H

#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// Puts the body of a bufferized kernel in its place.
void inlineKernel(KernelOp kernel);

/// All of a module; a kernel on tensors is an error.
llvm::LogicalResult inlineKernels(mlir::ModuleOp module);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_INLINEKERNELS_H
