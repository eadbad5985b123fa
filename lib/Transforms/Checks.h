//===- Checks.h - Kernels compared with plain loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_CHECKS_H
#define UCMOH_LIB_TRANSFORMS_CHECKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// On ops that a kernel is compared with: they stay as they are and become plain loops.
constexpr llvm::StringLiteral referenceMark = "ucmoh.reference";

/// Clones `op`, and `last` if that is another one, and compares what they compute with `results`,
/// those that `kernel` computes in their place: all, or what `wanted` leaves of the only one. The
/// builder stands behind the kernel.
void addChecks(mlir::RewriterBase &rewriter, KernelOp kernel, mlir::linalg::LinalgOp op,
               mlir::Operation *last, mlir::ValueRange results,
               mlir::tensor::ExtractSliceOp wanted = {});

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_CHECKS_H
