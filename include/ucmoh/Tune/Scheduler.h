//===- Scheduler.h - Which task gets the next round
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TUNE_SCHEDULER_H
#define UCMOH_TUNE_SCHEDULER_H

#include "ucmoh/Tune/TaskSearch.h"

namespace ucmoh {

/// How tasks share a budget.
struct ScheduleOptions {
  size_t roundSize = 8;         ///< candidates that are measured together
  double leastGain = 0.002;     ///< share of the model's time: less is not worth a round
  double sampleSeconds = 5e-3;  ///< a sample lasts so long at least
  double samples = 4;           ///< per candidate
  double compileSeconds = 0.05; ///< per candidate
  int64_t trials = INT64_MAX;   ///< measurements of all rounds together, at most
};

/// Candidates of one task that are measured together.
struct TuneRound {
  size_t task;                    ///< its number
  std::vector<size_t> candidates; ///< theirs; with the best one so far, which is measured again
};

/// Gives the next round to the task that can gain most per second of it. Knows no clock.
class Scheduler {
public:
  Scheduler(std::vector<TaskSearch> tasks, const ScheduleOptions &options)
      : tasks(std::move(tasks)), options(options), proposals(this->tasks.size()) {}

  /// The next round, whose candidates are under way from now on. None if nothing more is to be
  /// expected, or the trials are used up.
  std::optional<TuneRound> next();
  /// A candidate of the task was measured.
  void observe(size_t task, size_t candidate, double seconds);
  /// A candidate of the task cannot be measured.
  void fail(size_t task, size_t candidate);
  /// The task cannot be measured at all.
  void giveUp(size_t task);

  /// A task by its number.
  const TaskSearch &getTask(size_t task) const { return tasks[task]; }
  /// How many tasks there are.
  size_t size() const { return tasks.size(); }
  /// Seconds of all uses of all tasks, with the best that is known of each.
  double getTotalSeconds() const;
  /// The same with the model's pick of each.
  double getPickSeconds() const;
  /// Measurements that were begun.
  int64_t countTrials() const { return trials; }

private:
  struct Proposal {
    std::vector<size_t> candidates;
    double gain;
  };
  const Proposal &proposalOf(size_t task);
  double costOf(const TaskSearch &task, size_t count) const;

  std::vector<TaskSearch> tasks;
  ScheduleOptions options;
  std::vector<std::optional<Proposal>> proposals; ///< until something of the task changes
  int64_t trials = 0;
};

} // namespace ucmoh

#endif // UCMOH_TUNE_SCHEDULER_H
