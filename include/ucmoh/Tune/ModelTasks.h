//===- ModelTasks.h - The distinct contractions of a model, each as a task of its own
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TUNE_MODELTASKS_H
#define UCMOH_TUNE_MODELTASKS_H

#include "mlir/IR/BuiltinOps.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ucmoh {

/// Contractions of a model that are the same workload.
struct ModelTask {
  Workload workload;                             ///< of the first of them
  std::string identity;                          ///< see identityOf
  std::string ir;                                ///< a module with one function @f that holds it
  llvm::SmallVector<mlir::linalg::LinalgOp> ops; ///< all of them
};

/// Those of a module as ucmoh-prepare leaves it, in its order, but for public functions that are
/// not in `functions`. A task's function has what makes
/// its operands (fills, paddings, extensions) and the elementwise op that reads its result, since
/// these become parts of the kernel; what comes from elsewhere is an argument. `leave` is told of
/// contractions that are no task, and why.
std::vector<ModelTask>
findModelTasks(mlir::ModuleOp prepared, llvm::ArrayRef<std::string> functions,
               llvm::function_ref<void(mlir::Operation *, llvm::StringRef)> leave);

} // namespace ucmoh

#endif // UCMOH_TUNE_MODELTASKS_H
