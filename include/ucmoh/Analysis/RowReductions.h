//===- RowReductions.h - Reductions that a kernel takes into its store
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_ROWREDUCTIONS_H
#define UCMOH_ANALYSIS_ROWREDUCTIONS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Analysis/Formula.h"
#include "ucmoh/Analysis/KernelShape.h"

namespace ucmoh {

/// On a reduction, true or false: whether the kernel that computes what it reads takes it in.
constexpr llvm::StringLiteral inStoreMark = "ucmoh.in_store";

/// A reduction of the rows of a contraction's result, such as their maximum or the sum of their
/// squares. A kernel that takes it in leaves partial values of each row, as many as a fragment has
/// columns.
struct RowReduction {
  mlir::linalg::GenericOp op;       ///< rows are parallel in it, columns reduced
  mlir::Operation *combiner;        ///< in its body, of two numbers
  mlir::vector::CombiningKind kind; ///< what the combiner is
  FormulaRef value;                 ///< what is reduced, computed from an element of `result`
  mlir::OpResult result;            ///< the one that is reduced, in the op that ends the kernel
  /// Where the partial values of an element lie, by the workload's dims: in a tensor with the dims
  /// of the op's result, and one for them. It has no value yet.
  Operand partials;

  /// What changes no number that it is combined with.
  mlir::TypedAttr neutral() const;
};

/// Finds the reductions of what `last` computes, the op whose results the kernel writes, that the
/// kernel may take in. It may not where partial values of a row would be several threads', where it
/// computes some rows twice, and where columns are not reduced lane by lane.
llvm::SmallVector<RowReduction> findRowReductions(mlir::Operation *last, const KernelShape &shape);

/// Whether the reduction takes less time in the store than on its own, where a loop finds the
/// result in a cache and reads each row once more anyway. That is so if a row does not stay in L1
/// until then, and for maxima of floats, whose latency the store hides, of a large result of one
/// thread with so few rows that L1 holds their partial values.
bool paysInStore(const RowReduction &reduction, const Candidate &candidate, const Machine &machine);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_ROWREDUCTIONS_H
