//===- PlannedTask.h - A task with the candidates that are to be measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COLLECT_PLANNEDTASK_H
#define UCMOH_LIB_COLLECT_PLANNEDTASK_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Collect/Collector.h"
#include "ucmoh/Collect/TaskFile.h"
#include "ucmoh/Collect/TaskMeasurement.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Transforms/PreparedTask.h"

namespace ucmoh {

/// Holds what all tasks of a collection share.
struct CollectContext {
  mlir::MLIRContext &mlir;
  Target target;
  std::unique_ptr<CostModel> model;
  Records &records;
  std::string machine; ///< its id in the records
  CollectOptions options;
};

/// A task from its text to its rows.
class PlannedTask {
public:
  /// Parses the task and draws its candidates. Null if there is nothing (left) to measure; `reason`
  /// says why.
  static llvm::Expected<std::unique_ptr<PlannedTask>>
  plan(CollectContext &context, const CollectTask &task, std::string &reason);

  /// Starts the reference and the first batches.
  llvm::Error begin();
  /// See TaskMeasurement::run; after `begin`.
  llvm::Error run(llvm::function_ref<void()> beforeLastBatch);
  size_t size() const { return programs.size(); }
  /// Adds a row per candidate to the records; returns how many failed.
  llvm::Expected<int64_t> record(CollectContext &context);
  /// Candidates with no sample that was taken in a quiet moment; 0 before `record`.
  int64_t countNoisy() const { return noisy; }
  /// The seconds of the fastest candidate; infinite before `record`, or if all failed.
  double getBestSeconds() const { return bestSeconds; }

private:
  llvm::Expected<std::vector<Candidate>> readMeasured(CollectContext &context, llvm::StringRef run);
  llvm::Expected<std::vector<Candidate>> drawNew(CollectContext &context);
  llvm::Expected<std::vector<Candidate>> readGiven(CollectContext &context,
                                                   llvm::ArrayRef<std::string> choices);
  llvm::Expected<std::vector<Candidate>> drawAgain(CollectContext &context);
  llvm::Error keepNew(CollectContext &context, std::vector<Candidate> &candidates);

  PreparedTask parsed;
  std::string id;                    ///< the workload's id in the records
  std::vector<std::string> programs; ///< hash per candidate
  std::vector<ChoiceAttr> choices;   ///< in the same order
  MeasureOptions options;
  std::unique_ptr<TaskMeasurement> measurement;
  double bestSeconds;
  int64_t noisy = 0;
};

} // namespace ucmoh

#endif // UCMOH_LIB_COLLECT_PLANNEDTASK_H
