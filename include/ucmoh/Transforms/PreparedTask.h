//===- PreparedTask.h - A task as IR and as a workload
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_PREPAREDTASK_H
#define UCMOH_TRANSFORMS_PREPAREDTASK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace ucmoh {

/// The module before anything is decided: choices are pinned there.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> prepareModule(mlir::ModuleOp module);

/// The same after --ucmoh-winograd, so that its contractions are those which ucmoh-select sees.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> prepareModule(mlir::ModuleOp module,
                                                                const std::string &target,
                                                                const std::string &model,
                                                                int64_t threads);

/// A program with one contraction that is measured: whoever needs its workload gets it from here.
struct PreparedTask {
  mlir::OwningOpRef<mlir::ModuleOp> plain;    ///< as written
  mlir::OwningOpRef<mlir::ModuleOp> prepared; ///< as the pass finds it
  std::string entry;                          ///< the only function
  std::optional<Workload> workload;           ///< none when the pass would leave the op alone
  std::string reason;                         ///< why there is none

  /// An error when `ir` is not a module with exactly one function. `name` is for messages.
  static llvm::Expected<PreparedTask> parse(mlir::MLIRContext &context, llvm::StringRef ir,
                                            llvm::StringRef name);
};

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_PREPAREDTASK_H
