//===- Borders.h - Borders of padded tensors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_BORDERS_H
#define UCMOH_TRANSFORMS_BORDERS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ucmoh {

/// Whether a pad adds a border of static sizes and one value around a tensor of static shape.
bool hasStaticBorder(mlir::tensor::PadOp pad);

/// A buffer of its own for the result of such a pad, with the border written, at the insertion
/// point. Bufferization would fill all of it and then copy the source into it: a pass more over
/// what is often an image. Buffers of two pads are two, so that neither is copied for the other.
mlir::Value createBorder(mlir::OpBuilder &builder, mlir::tensor::PadOp pad);

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_BORDERS_H
