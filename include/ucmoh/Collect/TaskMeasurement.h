//===- TaskMeasurement.h - The candidates of one task, measured against each other
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COLLECT_TASKMEASUREMENT_H
#define UCMOH_COLLECT_TASKMEASUREMENT_H

#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Runtime/Trial.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>

namespace ucmoh {

/// The results of plain loops, computed once in a child process, and the arguments that they were
/// computed from. All measurements of a task may share one.
class TaskReference {
public:
  /// Starts a child for the function `entry` of `plain`, which works while this process goes on.
  static llvm::Expected<std::shared_ptr<TaskReference>>
  begin(mlir::ModuleOp plain, const std::string &entry, const TrialOptions &options);

  /// Waits until the results are there; `seconds` at most for each step. The same answer each time.
  llvm::Error await(double seconds);

  /// The arguments.
  const std::vector<Tensor> &getInputs() const { return inputs; }
  /// Empty before `await`.
  const ResultFile &getExpected() const { return expected; }

private:
  llvm::Error publish(double seconds);

  ResultFile expected;
  std::vector<Tensor> inputs;
  std::unique_ptr<ChildProcess> child; ///< until the results are there
  std::string failure;                 ///< why there are none
};

/// A candidate and what became of it.
struct MeasuredCandidate {
  /// A run that takes so long is a sample by itself.
  static constexpr double longRunSeconds = 0.5;

  ChoiceAttr choice;           ///< all ops of the task have it
  std::vector<double> seconds; ///< one per round
  bool isNoisy = false;        ///< none of them was taken in a quiet moment
  std::string error;           ///< why there are none
  /// Whether there is a time.
  bool isMeasured() const { return error.empty() && !seconds.empty(); }
  /// Whether one run is enough.
  bool isLong() const { return !seconds.empty() && seconds.front() > longRunSeconds; }
  /// Takes a sample in: noisy ones serve as long as there are no others.
  void add(double sample, bool quiet);
};

/// How the candidates of a task are measured.
struct MeasureOptions {
  TrialOptions trial;          ///< options of the child processes
  double timeoutSeconds = 120; ///< for each step of a child
  size_t compilers = 2;        ///< batches that are compiled at the same time
  int64_t batchSize = 16;      ///< candidates that are compiled together
  bool gated = true;           ///< samples wait for quiet moments
  bool atBestClock = true;     ///< see GateOptions
  int64_t rounds = 4;          ///< samples of each candidate
  bool interleave = true;      ///< a sample of each candidate of a batch, then the next of each
  double sampleSeconds = 5e-3; ///< length of a sample
  int64_t refinements = 6;     ///< at most: more rounds over the best, until their order is stable
  double finalSeconds = 10e-3; ///< length of those samples
};

/// Compiles candidates batch by batch, the next ones while this one is measured; verifies each
/// against plain loops; times those of a batch, interleaved; times the best tenth of all again
/// until their order does not change. What fails has an error, the rest goes on.
class TaskMeasurement {
public:
  /// `module` is as ucmoh-prepare leaves it, so that choices can be pinned on its ops, and must
  /// outlive this.
  TaskMeasurement(mlir::ModuleOp module, std::string entry,
                  std::shared_ptr<TaskReference> reference, std::vector<ChoiceAttr> choices,
                  const MeasureOptions &options);

  /// Starts the first batches.
  void begin();
  /// Fails only if there is no reference. `beforeLastBatch` is called when no more compilation is
  /// left to start.
  llvm::Error run(llvm::function_ref<void()> beforeLastBatch);
  /// In the order of the choices.
  std::vector<MeasuredCandidate> takeCandidates() { return std::move(candidates); }

private:
  struct Batch {
    std::unique_ptr<ChildProcess> child;
    std::vector<size_t> members; ///< into candidates
  };
  void startCompilers();
  void split(Batch &batch, const std::string &error);
  /// False when the child is gone: what can still be measured is in the queue then.
  bool measure(Batch &batch);
  bool verify(Batch &batch);
  bool timeUnlessPruned(Batch &batch, size_t position, int64_t round);
  bool fail(Batch &batch, size_t position, llvm::Error error);
  llvm::Error takeTime(Batch &batch, size_t position, double sampleSeconds);
  void refine();
  std::vector<std::pair<Batch *, size_t>> findBest();

  mlir::ModuleOp module;
  std::string entry;
  MeasureOptions options;
  std::shared_ptr<TaskReference> reference;
  std::vector<MeasuredCandidate> candidates;
  std::deque<std::vector<size_t>> queue;
  std::deque<Batch> compiling;
  std::deque<Batch> kept; ///< measured, alive for more rounds
  double bestSeconds;
};

} // namespace ucmoh

#endif // UCMOH_COLLECT_TASKMEASUREMENT_H
