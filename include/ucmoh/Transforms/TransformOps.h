//===- TransformOps.h - The transformation in schedules of the transform dialect
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_TRANSFORMOPS_H
#define UCMOH_TRANSFORMS_TRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#define GET_OP_CLASSES
#include "ucmoh/Transforms/TransformOps.h.inc"

namespace ucmoh {

/// Adds `transform.ucmoh.choose` and `transform.ucmoh.tensorize` to the transform dialect.
void registerTransformOps(mlir::DialectRegistry &registry);

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_TRANSFORMOPS_H
