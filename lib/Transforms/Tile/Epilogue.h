//===- Epilogue.h - What joins a kernel before and after the reduction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_EPILOGUE_H
#define UCMOH_LIB_TRANSFORMS_TILE_EPILOGUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ucmoh/Analysis/Nest.h"

namespace ucmoh {

/// Elementwise work on the result of a contraction that its kernel does on the register tile.
struct Epilogue {
  mlir::linalg::GenericOp consumer; ///< null: the accumulator itself is stored
  /// The argument of the consumer's body that is the contraction's result.
  unsigned accArgument = 0;
  /// The consumer's other tensor inputs, indexed by the workload's dims, and their body arguments.
  llvm::SmallVector<Operand> extras;
  llvm::SmallVector<unsigned> extraArguments;
};

/// Finds the one elementwise consumer that can be computed tile by tile under `nest`.
Epilogue findEpilogue(mlir::linalg::LinalgOp op, const Workload &workload, const Nest &nest);

/// Finds the operand that the accumulation starts from: none where the result is filled with zero
/// first.
std::optional<Operand> findInit(mlir::linalg::LinalgOp op, const Workload &workload,
                                const Nest &nest);

/// Clones the consumer's body: `arguments` are the accumulator and then the extras. Returns what it
/// yields. `arguments` may also be vectors, as may be what it yields.
llvm::SmallVector<mlir::Value> cloneBody(mlir::OpBuilder &builder, const Epilogue &epilogue,
                                         mlir::ValueRange arguments);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_EPILOGUE_H
