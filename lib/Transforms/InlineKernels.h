//===- InlineKernels.h - Kernels replaced by their bodies
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_INLINEKERNELS_H
#define UCMOH_LIB_TRANSFORMS_INLINEKERNELS_H

#include "mlir/IR/Operation.h"

namespace ucmoh {

/// Replaces all bufferized kernels below `root` by their bodies.
llvm::LogicalResult inlineKernels(mlir::Operation *root);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_INLINEKERNELS_H
