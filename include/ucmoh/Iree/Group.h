//===- Group.h - Parts of a program that become one dispatch each
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_IREE_GROUP_H
#define UCMOH_IREE_GROUP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace ucmoh {

/// How far a group reaches from its contractions.
enum class GroupExtent {
  Contraction, ///< one contraction with the elementwise ops around it
  Network      ///< everything that only one result depends on
};

/// Ops of one block of which only the last one's result is used outside.
struct Group {
  llvm::SmallVector<mlir::Operation *> ops; ///< in their order; the last one is the root
  llvm::SmallVector<mlir::Value> inputs;    ///< values from outside that the ops use; weights last
  size_t weights = 0; ///< so many inputs are constants, or marked `ucmoh.weight`

  /// The op whose result is used outside.
  mlir::Operation *root() const { return ops.back(); }
  /// That result.
  mlir::Value result() const;
};

/// A contraction that no group has, and why.
struct LeftOp {
  mlir::Operation *op; ///< as it stands in the module
  std::string reason;  ///< in words
};

/// The groups of a module.
struct Groups {
  std::vector<Group> groups; ///< each has a contraction at least
  std::vector<LeftOp> left;  ///< contractions that are in none
};

/// Says what becomes a group.
struct GroupOptions {
  GroupExtent extent = GroupExtent::Contraction; ///< how far each reaches
  /// Whether the body of an op may use values from outside of it, such as constants. IREE's matcher
  /// does not compare those, and finds no such op.
  bool mayCapture = true;
  /// Whether weights that are constants become one, where there are several: a dispatch of IREE has
  /// few buffers.
  bool mayMergeWeights = false;
  /// That compute the rows of a group's result together, at most. IREE gives them to its threads.
  int64_t workgroups = 1;
};

/// Groups the contractions of all functions, those of another dialect included, whose ops are
/// not known (parsed with --allow-unregistered-dialect).
Groups findGroups(mlir::ModuleOp module, GroupOptions options);

/// A module with the group as the public function `name`, whose weights are marked.
mlir::OwningOpRef<mlir::ModuleOp> outline(const Group &group, llvm::StringRef name);

} // namespace ucmoh

#endif // UCMOH_IREE_GROUP_H
