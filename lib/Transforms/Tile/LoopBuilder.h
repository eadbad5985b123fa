//===- LoopBuilder.h - Loops and addresses over the variables of a nest
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_LOOPBUILDER_H
#define UCMOH_LIB_TRANSFORMS_TILE_LOOPBUILDER_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ucmoh {

/// Emits loops, and addresses as affine functions of the current values of a nest's variables. At
/// first all variables are zero.
class LoopBuilder {
public:
  LoopBuilder(mlir::OpBuilder &builder, mlir::Location loc, unsigned variableCount)
      : builder(builder), loc(loc), values(variableCount, builder.getIndexAttr(0)) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Current values; assign to set one.
  llvm::SmallVector<mlir::OpFoldResult> values;

  mlir::Value index(int64_t value);
  mlir::Value asValue(mlir::OpFoldResult value);
  /// `expr` over the variables, and over `extra` values that follow them.
  mlir::OpFoldResult apply(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> extra = {});
  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult sub(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult mul(mlir::OpFoldResult a, int64_t factor);
  mlir::OpFoldResult divide(mlir::OpFoldResult a, int64_t factor);
  mlir::OpFoldResult remainder(mlir::OpFoldResult a, int64_t factor);
  /// A view of the buffer that begins `at` elements behind its first one.
  mlir::Value view(mlir::Value buffer, mlir::OpFoldResult at,
                   llvm::ArrayRef<mlir::OpFoldResult> shape, llvm::ArrayRef<int64_t> strides);
  mlir::Value view(mlir::Value buffer, mlir::OpFoldResult at, llvm::ArrayRef<int64_t> shape,
                   llvm::ArrayRef<int64_t> strides) {
    return view(buffer, at, getAsIndexOpFoldResult(builder.getContext(), shape), strides);
  }
  mlir::OpFoldResult min(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult max(mlir::OpFoldResult a, mlir::OpFoldResult b);

  /// A loop from `from` to `to` (not emitted when it is known to run once).
  void loop(mlir::OpFoldResult from, mlir::OpFoldResult to, int64_t step,
            llvm::function_ref<void(const mlir::OpFoldResult &)> body);
  /// A loop from 0 to `extent` whose iterations threads share.
  void parallelLoop(int64_t extent, int64_t step,
                    llvm::function_ref<void(const mlir::OpFoldResult &)> body);
  /// `body` under the condition a >= b (or unconditionally where that is known).
  void ifAtLeast(mlir::OpFoldResult a, int64_t b, llvm::function_ref<void()> body);
  /// `body` under the condition least <= a <= most.
  void ifBetween(mlir::OpFoldResult a, int64_t least, int64_t most,
                 llvm::function_ref<void()> body);
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_LOOPBUILDER_H
