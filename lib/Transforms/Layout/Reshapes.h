//===- Reshapes.h - Blocks of an image that are cut out by reshapes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_LAYOUT_RESHAPES_H
#define UCMOH_LIB_TRANSFORMS_LAYOUT_RESHAPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ucmoh {

/// Keeps dims apart that a reshape merges with others and the next one cuts elsewhere, such as
/// channels with rows of blocks. Dims are only split in front of the transposes between such
/// reshapes, and merged behind them, so that a layout spreads up to one transpose that is left.
void splitBeforeMoving(mlir::func::FuncOp function);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_LAYOUT_RESHAPES_H
