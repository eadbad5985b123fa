//===- TaskFile.h - Tasks that are measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COLLECT_TASKFILE_H
#define UCMOH_COLLECT_TASKFILE_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace ucmoh {

/// A contraction or convolution as a module of its own.
struct CollectTask {
  std::string name;                 ///< for people
  std::string ir;                   ///< a module with one public function, which holds one such op
  llvm::json::Object tags;          ///< kept with the records: networks, split, ...
  std::vector<std::string> choices; ///< #ucmoh.choice: measure these; if empty, others are drawn
};

/// Reads JSON lines {"name", "ir", "tags", "choices"}, of which "ir" has to be there. Errors name
/// the line.
llvm::Expected<std::vector<CollectTask>> readTaskFile(llvm::StringRef path);

/// Keeps `share` of the tasks, in their order, drawn without repetition with chances proportional
/// to their importance: floating-point operations times how often networks have the task. A task's
/// draw depends on its text alone. Tasks that cannot be parsed are kept, to be reported later.
std::vector<CollectTask> keepImportant(mlir::MLIRContext &context, std::vector<CollectTask> tasks,
                                       double share);

} // namespace ucmoh

#endif // UCMOH_COLLECT_TASKFILE_H
