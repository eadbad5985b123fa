//===- Formula.h - What the elements of a tensor are computed from, element by element
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_FORMULA_H
#define UCMOH_ANALYSIS_FORMULA_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace ucmoh {

struct Formula;
/// Formulas share parts, which do not change.
using FormulaRef = std::shared_ptr<const Formula>;

/// One number as a tree, for each point of some variables: what it is computed from, through
/// elementwise ops, reshapes and slices, down to elements of tensors.
struct Formula {
  /// How the number is made. The last four stand in no body: arithmetic in f32, on operands of any
  /// type.
  enum Kind {
    Element,  ///< an element of the tensor `value`, at `index`
    Constant, ///< the scalar `value`
    Compute,  ///< what `value`, the result of an op in a body, computes from `operands`
    Add,      ///< the sum of both operands
    Sub,      ///< the first one minus the second one
    Mul,      ///< their product
    Div       ///< the first one by the second one
  };
  Kind kind;         ///< the root's kind
  mlir::Value value; ///< null for arithmetic
  /// Operands of an op; null ones are 0 in sums, 1 in products.
  llvm::SmallVector<FormulaRef> operands;
  llvm::SmallVector<mlir::AffineExpr> index; ///< over the variables

  /// The type of the number; null for arithmetic.
  mlir::Type getType() const;
};

/// The element of a tensor of static shape at `index`. Null where an op on the way is not
/// understood, or where there are very many. Elements of tensors for which `isLeaf` holds are not
/// followed further.
FormulaRef traceElement(mlir::Value tensor, llvm::ArrayRef<mlir::AffineExpr> index,
                        llvm::function_ref<bool(mlir::Value)> isLeaf = {});

/// The same for a number in the body of a linalg op of static shape, at these values of its loops.
/// Null where the op that computes the number is not understood.
FormulaRef traceScalar(mlir::linalg::LinalgOp op, mlir::Value number,
                       llvm::ArrayRef<mlir::AffineExpr> loops,
                       llvm::function_ref<bool(mlir::Value)> isLeaf = {});

/// The indices of an element in dims of these extents, where `index` is its index in the dim that
/// they are joined to.
llvm::SmallVector<mlir::AffineExpr> splitIndex(mlir::AffineExpr index,
                                               llvm::ArrayRef<int64_t> extents);

/// a OP b, in f32. Null stands for a formula that changes nothing: 1 in products, 0 in sums.
FormulaRef combine(Formula::Kind kind, FormulaRef a, FormulaRef b);

/// Calls `visit` for each element of a tensor in the formula.
void forEachElement(const FormulaRef &formula, llvm::function_ref<void(const Formula &)> visit);

/// How many neighbouring values of the variable have the same number, counted from multiples of
/// that: 0 if all have, 1 if neighbours differ.
int64_t runOfEqual(const FormulaRef &formula, unsigned variable);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_FORMULA_H
