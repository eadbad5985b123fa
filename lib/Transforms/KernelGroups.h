//===- KernelGroups.h - Kernels that can be one function
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_KERNELGROUPS_H
#define UCMOH_LIB_TRANSFORMS_KERNELGROUPS_H

#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// Kernels whose bodies differ in the values of constants at most, such as the scales of quantized
/// layers.
struct KernelGroup {
  llvm::SmallVector<KernelOp> kernels;
  /// The constants whose values differ, as positions in `opsOf` each kernel.
  llvm::SetVector<unsigned> varying;
};

/// The ops of a kernel's body in pre-order, without its terminator.
llvm::SmallVector<mlir::Operation *> opsOf(KernelOp kernel);

/// In the order of each group's first kernel.
llvm::SmallVector<KernelGroup> groupKernels(llvm::ArrayRef<KernelOp> kernels);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_KERNELGROUPS_H
