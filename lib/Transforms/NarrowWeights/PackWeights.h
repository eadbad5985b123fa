//===- PackWeights.h - Weights of few bits as kernels read them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_PACKWEIGHTS_H
#define UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_PACKWEIGHTS_H

#include "NarrowEmitter.h"
#include "mlir/IR/Builders.h"
#include "ucmoh/Analysis/NarrowWeights.h"

namespace ucmoh {

/// Computes a formula over (row, step) for each row and each group of steps, as a tensor of f32; 1
/// for null. The ops depend on what the formula depends on, so those of weights move to @NAME.pack.
mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc, const FormulaRef &formula,
                        int64_t rows, int64_t groups, int64_t group);

/// The integers minus `shift` as a tensor of `type` and of the shape rows x groups x steps of a
/// group, or if `groupsOutside`, groups x rows x steps of a group.
mlir::Value materializeIntegers(mlir::OpBuilder &builder, mlir::Location loc,
                                const Dequantization &numbers, llvm::ArrayRef<int64_t> shape,
                                bool groupsOutside, int64_t shift, mlir::Type type);

/// The integers as panels (see NarrowPlan), flat.
mlir::Value packIntegers(mlir::OpBuilder &builder, mlir::Location loc, const NarrowPlan &plan,
                         mlir::Value integers);

/// Numbers by column and group as panels, flat.
mlir::Value packScales(mlir::OpBuilder &builder, mlir::Location loc, const NarrowPlan &plan,
                       mlir::Value scales);

/// The same tensor with zeros behind it.
mlir::Value padBehind(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                      llvm::ArrayRef<int64_t> shape);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_PACKWEIGHTS_H
