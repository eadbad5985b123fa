//===- LoopBuilder.h - Loops and addresses over the variables of a nest
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_LOOPBUILDER_H
#define UCMOH_LIB_TRANSFORMS_TILE_LOOPBUILDER_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "ucmoh/Analysis/Nest.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ucmoh {

/// Emits loops, and addresses as affine functions of the current values of a nest's variables. At
/// first all variables are zero.
class LoopBuilder {
public:
  LoopBuilder(mlir::OpBuilder &builder, mlir::Location loc, const Nest &nest);

  mlir::OpBuilder &builder;
  mlir::Location loc;

  // Positions in nest.variables().
  unsigned batchAt(unsigned i) const { return i; }
  unsigned outerMAt(unsigned i) const { return nest.batch.size() + i; }
  unsigned outerNAt(unsigned i) const { return outerMAt(nest.outerM.size()) + i; }
  unsigned mAt() const { return outerNAt(nest.outerN.size()); }
  unsigned nAt() const { return mAt() + 1; }
  unsigned outerKAt(unsigned i) const { return nAt() + 1 + i; }
  unsigned kAt() const { return outerKAt(nest.outerK.size()); }
  unsigned variableCount() const { return kAt() + 1; }

  /// Current values; assign to set one.
  llvm::SmallVector<mlir::OpFoldResult> values;

  mlir::Value index(int64_t value);
  mlir::Value asValue(mlir::OpFoldResult value);
  /// `expr` over the variables, and over `extra` values that follow them.
  mlir::OpFoldResult apply(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> extra = {});
  /// How much `index` grows when one variable grows by one (in which it must be linear).
  int64_t strideOf(mlir::AffineExpr index, unsigned variable) const {
    return coefficient(index, variable);
  }
  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult sub(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult mul(mlir::OpFoldResult a, int64_t factor);
  mlir::OpFoldResult min(mlir::OpFoldResult a, mlir::OpFoldResult b);

  /// A loop from `from` to `to` (not emitted when it is known to run once). `what` names it in the
  /// IR, as attribute `ucmoh.loop`.
  void loop(llvm::StringRef what, mlir::OpFoldResult from, mlir::OpFoldResult to, int64_t step,
            llvm::function_ref<void(mlir::OpFoldResult)> body);
  /// A loop from 0 to `extent` whose iterations threads share.
  void parallelLoop(llvm::StringRef what, int64_t extent, int64_t step,
                    llvm::function_ref<void(mlir::OpFoldResult)> body);
  /// A loop over all values of one variable of the nest.
  void loopOver(llvm::StringRef what, unsigned variable, int64_t extent,
                llvm::function_ref<void()> body);
  /// `body` under the condition a >= b (or unconditionally where that is known).
  void ifAtLeast(mlir::OpFoldResult a, int64_t b, llvm::function_ref<void()> body);

private:
  const Nest &nest;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_LOOPBUILDER_H
