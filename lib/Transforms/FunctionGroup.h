//===- FunctionGroup.h - Ops that become calls of one function
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_FUNCTIONGROUP_H
#define UCMOH_LIB_TRANSFORMS_FUNCTIONGROUP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

namespace ucmoh {

/// An op whose work a function can do.
struct OutlinedOp {
  mlir::Operation *op; ///< without results; the call takes its place
  /// The function's body: one block, with an argument for each of the operands.
  mlir::Region *body;
  llvm::SmallVector<mlir::Value> operands;
};

/// Ops whose bodies differ in the values of constants at most, such as the scales of quantized
/// layers.
class FunctionGroup {
public:
  explicit FunctionGroup(OutlinedOp first) : members{std::move(first)} {}

  /// The groups of these ops, in the order of each group's first one.
  static std::vector<FunctionGroup> groupsOf(llvm::ArrayRef<OutlinedOp> ops);

  llvm::ArrayRef<OutlinedOp> getMembers() const { return members; }

  /// One function for all members: it is compiled once. What varies among them is passed behind the
  /// operands. The function is named after the first one's caller and `kind`, and LLVM does not
  /// inline it. Ops that are in no function of the module are an error.
  mlir::FailureOr<mlir::func::FuncOp> replaceByCalls(llvm::StringRef kind,
                                                     mlir::SymbolTable &symbols);

private:
  bool join(const OutlinedOp &op);
  mlir::func::FuncOp outline(llvm::StringRef kind, mlir::SymbolTable &symbols);
  llvm::SmallVector<mlir::Operation *> varyingOf(const OutlinedOp &member) const;

  llvm::SmallVector<OutlinedOp> members;
  /// The constants whose values differ, as positions among the ops of each body.
  llvm::SetVector<unsigned> varying;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_FUNCTIONGROUP_H
