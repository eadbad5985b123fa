//===- ParsedTask.h - A task as IR and as a workload
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_COLLECT_PARSEDTASK_H
#define UCMOH_MEASURE_COLLECT_PARSEDTASK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Measure/TaskFile.h"
#include <optional>

namespace ucmoh {

struct ParsedTask {
  mlir::OwningOpRef<mlir::ModuleOp> plain;    ///< as written
  mlir::OwningOpRef<mlir::ModuleOp> prepared; ///< as the pass finds it
  std::string entry;                          ///< the only function
  std::optional<Workload> workload;           ///< none when the pass would leave the op alone
  std::string reason;                         ///< why there is none

  /// An error when the text is not a module with exactly one function.
  static llvm::Expected<ParsedTask> parse(mlir::MLIRContext &context, const CollectTask &task);
};

} // namespace ucmoh

#endif // UCMOH_MEASURE_COLLECT_PARSEDTASK_H
