//===- Collector.cpp - Measurements of many tasks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Collect/Collector.h"
#include "PlannedTask.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Collect/CandidateRow.h"
#include "ucmoh/Collect/TaskFile.h"
#include "ucmoh/Runtime/MeasuringProcess.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Walks over the tasks; compiles the next one while the last batch of this one is measured.
class Collector {
public:
  Collector(CollectContext &context, std::vector<CollectTask> tasks)
      : context(context), tasks(std::move(tasks)), start(getMonotonicSeconds()) {}
  llvm::Error run();

private:
  void planNext();
  llvm::Error measure();
  bool isOver() const {
    return isInterrupted() || getMonotonicSeconds() - start > context.options.budgetSeconds;
  }
  void printProgress(size_t index, const PlannedTask &task, int64_t failed);

  CollectContext &context;
  std::vector<CollectTask> tasks;
  double start;
  size_t next = 0;                      ///< task to plan
  std::unique_ptr<PlannedTask> planned; ///< started
  size_t plannedIndex = 0;
  /// The first task that this process measures: what was done before it says nothing of the time to
  /// come.
  size_t firstIndex = 0;
  double firstStart = 0;
  int64_t rows = 0, failures = 0;
};
} // namespace

/// Plans and starts the next task that has something to measure.
void Collector::planNext() {
  while (!planned && next < tasks.size() && !isOver()) {
    const CollectTask &task = tasks[next++];
    std::string reason;
    auto made = PlannedTask::plan(context, task, reason);
    llvm::Error error = made ? llvm::Error::success() : made.takeError();
    if (!error && *made)
      error = (*made)->begin();
    if (error || !*made) {
      if (error)
        reason = llvm::toString(std::move(error));
      llvm::errs() << llvm::formatv("[{0}/{1}] {2}: {3}\n", next, tasks.size(), task.name, reason);
      continue;
    }
    planned = std::move(*made);
    plannedIndex = next;
    if (firstIndex == 0) {
      firstIndex = next;
      firstStart = getMonotonicSeconds();
    }
  }
}

void Collector::printProgress(size_t index, const PlannedTask &task, int64_t failed) {
  double elapsed = getMonotonicSeconds() - start;
  double left =
      (getMonotonicSeconds() - firstStart) / (index - firstIndex + 1) * (tasks.size() - index);
  llvm::errs() << llvm::formatv("[{0}/{1}] {2}: {3} candidates, {4} failed, {5} noisy, best "
                                "{6:f1} us; {7} rows, {8:f1} a second, {9:f1} hours left\n",
                                index, tasks.size(), tasks[index - 1].name, task.size(), failed,
                                task.countNoisy(), task.getBestSeconds() * 1e6, rows,
                                rows / elapsed, left / 3600);
}

llvm::Error Collector::measure() {
  std::unique_ptr<PlannedTask> task = std::move(planned);
  size_t index = plannedIndex; // from 1 on
  const std::string &name = tasks[index - 1].name;
  llvm::Error error = task->run([&] { planNext(); });
  if (error) {
    llvm::errs() << name << ": no reference: " << llvm::toString(std::move(error)) << "\n";
    return llvm::Error::success();
  }
  auto failed = task->record(context);
  if (!failed)
    return failed.takeError();
  rows += task->size();
  failures += *failed;
  printProgress(index, *task, *failed);
  return llvm::Error::success();
}

llvm::Error Collector::run() {
  while (true) {
    planNext();
    if (!planned)
      break;
    if (auto error = measure())
      return error;
  }
  llvm::errs() << llvm::formatv("{0} rows, {1} failed, in {2:f0} s\n", rows, failures,
                                getMonotonicSeconds() - start);
  return llvm::Error::success();
}

llvm::Error ucmoh::collect(MLIRContext &mlir, std::vector<CollectTask> tasks, Records &records,
                           const CollectOptions &options) {
  auto target = loadTarget(&mlir, options.target);
  if (failed(target))
    return llvm::createStringError("unknown target '" + options.target + "'");
  if (target->device && options.beatable > 0)
    return llvm::createStringError("executions alone say how long a program takes on a CPU only; "
                                   "leave out --beatable for target '" +
                                   options.target + "'");
  int64_t cores = cpusAtStart().size();
  if (options.threads < 1 || options.threads > cores)
    return llvm::createStringError(llvm::formatv(
        "--threads={0} cannot be measured: this process may use {1} core(s), and each thread needs "
        "its own",
        options.threads, cores));
  target->threads = options.threads;
  std::string message;
  auto model = createModelFor(*target, options.model, message);
  if (!model)
    return llvm::createStringError(message);
  auto machine = recordMachine(*target, records);
  if (!machine)
    return machine.takeError();
  becomeMeasuringProcess();
  if (options.importantShare < 1)
    tasks = keepImportant(mlir, std::move(tasks), options.importantShare);
  CollectContext context{mlir, *target, std::move(model), records, *machine, options};
  return Collector(context, std::move(tasks)).run();
}
