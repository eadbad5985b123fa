//===- CompiledGroups.h - The groups of a program, and their code
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_IREE_COMPILEDGROUPS_H
#define UCMOH_IREE_COMPILEDGROUPS_H

#include "ucmoh/Compile/Dispatch.h"
#include "ucmoh/Iree/Group.h"

namespace ucmoh {

/// Code, and what it computes.
struct CompiledGroup {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< the group as its only function
  Dispatch dispatch;                        ///< its code
  std::string location;                     ///< where the root of the first such group stands
  std::vector<Group> places;                ///< all groups that it computes
  bool mergesWeights = false;               ///< into one constant, in each place
  int64_t workgroups = 1;                   ///< each of which calls the code
  llvm::SmallVector<bool> isPart;           ///< for each input, whether it gets only a part
};

/// Holds what became of the contractions of a program.
struct CompiledGroups {
  /// Compiles the groups of `module`, equal ones once, as `program` says. What cannot be compiled
  /// is left. `progress` is told of each group how many are done, of how many.
  static CompiledGroups compile(mlir::ModuleOp module, GroupOptions groups,
                                const CompileOptions &program,
                                llvm::function_ref<void(size_t, size_t)> progress);

  std::vector<CompiledGroup> groups; ///< each with code of its own
  std::vector<LeftOp> left;          ///< contractions that were left alone

private:
  void leave(const Group &group, const std::string &reason);
  void leaveLarge();
};

} // namespace ucmoh

#endif // UCMOH_IREE_COMPILEDGROUPS_H
