//===- IterationWeights.h - What iterations make of weights, ahead of them -----===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_ITERATIONWEIGHTS_H
#define UCMOH_LIB_TRANSFORMS_ITERATIONWEIGHTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace ucmoh {

/// The operands of an op, and the values that its regions capture.
llvm::SetVector<mlir::Value> usedBy(mlir::Operation *op);

/// Clones what computes `value`, down to what `mapping` has, and if there is a `block`, to what is
/// made outside of it.
mlir::Value cloneWithSources(mlir::OpBuilder &builder, mlir::Value value, mlir::IRMapping &mapping,
                             mlir::Block *block = nullptr);

/// Computes ahead of a loop what each of its iterations makes of weights and its number alone, such
/// as the packed matrix of an expert. A loop of its own makes a tensor of all iterations, whose
/// first dim numbers them, and the loop reads a slice of that:
///
///     for i = 0 to 8:                            all = for i = 0 to 8:
///       packed = pack(weights[i])         ->       all[i] = pack(weights[i])
///       result = product(x, packed)              for i = 0 to 8:
///                                                  result = product(x, all[i])
class IterationWeights {
public:
  explicit IterationWeights(mlir::scf::ForOp loop) : loop(loop) {}

  /// Rewrites the loop. Loops whose number of iterations is not a constant stay, and so do values
  /// that have far more elements than the weights which they are made of.
  void moveAhead();

private:
  void findValues();
  bool isWorthwhile(mlir::Value value) const;
  mlir::scf::ForOp createLoop(mlir::OpBuilder &builder);

  mlir::scf::ForOp loop;
  llvm::SetVector<mlir::Value> values; ///< made of weights, used by what is not
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_ITERATIONWEIGHTS_H
