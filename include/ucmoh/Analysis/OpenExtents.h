//===- OpenExtents.h - Which open extents of a function are the same
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_OPENEXTENTS_H
#define UCMOH_ANALYSIS_OPENEXTENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <limits>

namespace ucmoh {

/// Extents that a program promises: both ends belong to the range.
struct ExtentRange {
  /// 1 or more; 0 where an argument is only joined with others, as an empty cache is
  int64_t least = 1;
  int64_t most = std::numeric_limits<int64_t>::max(); ///< at least `least`

  /// Whether the extent keeps the promise.
  bool contains(int64_t extent) const { return least <= extent && extent <= most; }
};

/// An extent that is a sum.
struct ExtentSum {
  llvm::SmallVector<int64_t> terms; ///< numbers of open extents that arguments have
  int64_t plus = 0;                 ///< a constant, in elements
};

/// The dynamic dims of a function's arguments and results. Those that ops require to be equal have
/// the same number.
class OpenExtents {
public:
  /// Reads a function on tensors.
  explicit OpenExtents(mlir::func::FuncOp function);

  /// The numbers of an argument's or a result's dims: -1 for those of known extent.
  llvm::ArrayRef<int64_t> ofArgument(unsigned position) const { return arguments[position]; }
  llvm::ArrayRef<int64_t> ofResult(unsigned position) const { return results[position]; }
  /// By number, what `ucmoh.assume` of all arguments with that extent promises.
  llvm::ArrayRef<ExtentRange> ranges() const { return promised; }
  /// By number, what is known of an extent that no argument has: where tensors are joined, one
  /// behind the other, it is the sum of theirs.
  llvm::ArrayRef<std::optional<ExtentSum>> sums() const { return joined; }
  /// Returns what the caller promises for a dim of a value: the widest range if nothing is known of
  /// it.
  ExtentRange rangeOf(mlir::Value value, int64_t dim) const;

private:
  using Dim = std::pair<void *, int64_t>; ///< a value and its dim
  static Dim dimOf(mlir::Value value, int64_t dim) { return {value.getAsOpaquePointer(), dim}; }
  /// A dim that is several dims of another value, one of which is open.
  struct Product {
    mlir::Value collapsed;
    int64_t dimOfCollapsed;
    mlir::Value expanded;
    int64_t dim;    ///< the open one of `expanded`
    int64_t factor; ///< the product of the others' extents
  };
  /// Returns whether that was not known.
  bool unite(mlir::Value a, int64_t dimOfA, mlir::Value b, int64_t dimOfB);
  void visit(mlir::Operation *op);
  void uniteReshaped(mlir::Value collapsed, mlir::Value expanded,
                     llvm::ArrayRef<mlir::ReassociationIndices> reassociation);
  void uniteSized(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Value value);
  void uniteCarried(mlir::scf::ForOp loop);
  llvm::SmallVector<int64_t> numbersOf(mlir::Value value);
  bool isOnlyJoined(Dim leader) const;
  void allowNothing();
  void promise(mlir::func::FuncOp function);
  bool uniteProducts();
  void uniteJoined();
  void sumUp();
  bool addTo(ExtentSum &sum, mlir::Value value, int64_t dim);

  llvm::EquivalenceClasses<Dim> classes;
  llvm::DenseMap<Dim, int64_t> numbers; ///< by the leader of a class
  llvm::SmallVector<llvm::SmallVector<int64_t>> arguments, results;
  llvm::SmallVector<ExtentRange> promised;
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, int64_t>> sized; ///< a dim by its size
  llvm::SmallVector<Product> products;
  llvm::SmallVector<mlir::tensor::ConcatOp> joins;
  llvm::SmallVector<std::optional<ExtentSum>> joined;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_OPENEXTENTS_H
