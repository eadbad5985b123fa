//===- TaskSelection.h - Which tasks are worth their time
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_COLLECT_TASKSELECTION_H
#define UCMOH_MEASURE_COLLECT_TASKSELECTION_H

#include "mlir/IR/MLIRContext.h"
#include "ucmoh/Collect/TaskFile.h"

namespace ucmoh {

/// Keeps `share` of the tasks, in their order, drawn without repetition with chances proportional
/// to their importance: floating-point operations times how often networks have the task. A task's
/// draw depends on its text alone. Tasks that cannot be parsed are kept, to be reported later.
std::vector<CollectTask> keepImportant(mlir::MLIRContext &context, std::vector<CollectTask> tasks,
                                       double share);

} // namespace ucmoh

#endif // UCMOH_MEASURE_COLLECT_TASKSELECTION_H
