//===- CutContraction.h - A contraction of dynamic extent as pieces
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_EXTENTS_CUTCONTRACTION_H
#define UCMOH_LIB_TRANSFORMS_EXTENTS_CUTCONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ucmoh/Analysis/OpenExtents.h"

namespace ucmoh {

/// Rows of the largest piece: enough to use each packed element of the weights often.
inline constexpr int64_t mostRows = 128;

/// Returns the ranges that are promised for the extents of an op's loops: by its own
/// `ucmoh.assume`, or by that of the function's argument that has the extent.
llvm::SmallVector<ExtentRange> rangesOfLoops(mlir::linalg::LinalgOp op, const OpenExtents &extents);

/// Replaces a contraction, and the elementwise op that its kernel can take in, by loops over pieces
/// of static size. Fails where the op has a form that is left alone.
llvm::LogicalResult cutContraction(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                                   llvm::ArrayRef<ExtentRange> ranges);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_EXTENTS_CUTCONTRACTION_H
