//===- LayoutRewriter.h - A function with its tensors in other layouts
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_LAYOUT_LAYOUTREWRITER_H
#define UCMOH_LIB_TRANSFORMS_LAYOUT_LAYOUTREWRITER_H

#include "LayoutAssignment.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace ucmoh {

/// Writes the ops of a function of one block anew, with tensors that lie as `layouts` says. Where
/// an op cannot follow, a transpose stands between: at the function's arguments and results, and
/// before reshapes that mix channels with the image.
class LayoutRewriter {
public:
  LayoutRewriter(mlir::func::FuncOp function, const LayoutAssignment &layouts)
      : function(function), layouts(layouts), rewriter(function.getContext()) {}

  void run();

private:
  mlir::Operation *convert(mlir::Operation *op);
  mlir::Operation *convertLinalg(mlir::linalg::LinalgOp op);
  mlir::Operation *convertPad(mlir::tensor::PadOp pad, llvm::ArrayRef<int64_t> layout);
  mlir::Operation *convertSlice(mlir::OffsetSizeAndStrideOpInterface slice,
                                llvm::ArrayRef<int64_t> layout);
  mlir::Operation *convertReshape(mlir::Operation *op);

  /// The layout of a tensor of the old function in the new one.
  Permutation layoutOf(mlir::Value old) const;
  mlir::RankedTensorType typeOf(mlir::Value old) const;
  /// The tensor in the wanted layout, transposed if it lies in another one.
  mlir::Value get(mlir::Value old, llvm::ArrayRef<int64_t> wanted);
  mlir::Value get(mlir::Value old) { return get(old, layoutOf(old)); }
  mlir::Value remake(mlir::Value old, llvm::ArrayRef<int64_t> wanted);
  void restoreUses(mlir::Value old);

  mlir::func::FuncOp function;
  const LayoutAssignment &layouts;
  mlir::IRRewriter rewriter;
  llvm::DenseMap<mlir::Value, mlir::Value> moved; ///< in the layout that was assigned
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<Permutation, mlir::Value>, 1>> transposed;
};

} // namespace ucmoh

#endif
