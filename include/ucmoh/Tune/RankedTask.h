//===- RankedTask.h - A task of a model with all that could be chosen for it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TUNE_RANKEDTASK_H
#define UCMOH_TUNE_RANKEDTASK_H

#include "mlir/IR/BuiltinOps.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Collect/TaskMeasurement.h"
#include "ucmoh/Transforms/PreparedTask.h"
#include "ucmoh/Tune/TaskSearch.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace ucmoh {

/// Workloads by their identity (see identityOf), and how many ops of a model compute each.
using IdentityUses = std::map<std::string, int64_t>;

/// Contractions of a model that are the same workload, but for the values of zero points, which
/// take the same time.
struct ModelTask {
  Workload workload;                             ///< the workload of the first of them
  std::string ir;                                ///< a module with one function @f that holds it
  IdentityUses identities;                       ///< those of its ops
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

/// A task with its candidates, the model's pick first, and what was measured of them.
class RankedTask {
public:
  /// Fails with the reason why nothing can be measured of the task.
  static llvm::Expected<std::unique_ptr<RankedTask>>
  make(mlir::MLIRContext &context, ModelTask task, const Target &target, const CostModel &model);

  /// As it is in the model.
  const ModelTask &getTask() const { return task; }
  /// How many candidates there are.
  size_t size() const { return candidates.size(); }
  /// A candidate by its number.
  const RankedCandidate &operator[](size_t candidate) const { return candidates[candidate]; }

  /// Makes the scheduler's view of the task.
  TaskSearch makeSearch(const Target &target, Correction correction) const;
  /// The number of the candidate with that canonical choice, if it is one of them.
  std::optional<size_t> find(llvm::StringRef canonicalChoice) const;
  /// Takes samples of a candidate in; the median of all that there are.
  double addSamples(size_t candidate, llvm::ArrayRef<double> seconds);

  /// Begins to compile the candidates, and the reference unless it was before.
  llvm::Expected<std::unique_ptr<TaskMeasurement>> begin(llvm::ArrayRef<size_t> chosen,
                                                         const MeasureOptions &options);

private:
  ModelTask task;
  PreparedTask parsed;
  std::vector<RankedCandidate> candidates;
  llvm::StringMap<size_t> numbers; ///< by canonical choice
  std::vector<std::vector<double>> samples;
  std::shared_ptr<TaskReference> reference;
};

} // namespace ucmoh

#endif // UCMOH_TUNE_RANKEDTASK_H
