//===- Workgroups.h - A group shared by workgroups
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_IREE_WORKGROUPS_H
#define UCMOH_LIB_IREE_WORKGROUPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <optional>

namespace ucmoh {

/// What one of several workgroups computes: a part of the result's rows.
struct SharedGroup {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< the function of one workgroup
  int64_t workgroups;                       ///< that compute the result together
  llvm::SmallVector<bool> isPart;           ///< of each argument: whether it is a part as well
};

/// Shares the only function of the module among at most `workgroups`. Parts are whole pieces of
/// the buffers, of as many bytes each, one for each workgroup in turn. None where rows of the
/// result depend on each other, or no number of workgroups divides them.
std::optional<SharedGroup> shareRows(mlir::ModuleOp module, int64_t workgroups);

} // namespace ucmoh

#endif // UCMOH_LIB_IREE_WORKGROUPS_H
