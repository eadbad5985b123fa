//===- Tuner.h - The contractions of a model share a budget of measurements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TUNE_TUNER_H
#define UCMOH_TUNE_TUNER_H

#include "ucmoh/Records/Records.h"
#include "ucmoh/Tune/InPlace.h"
#include "ucmoh/Tune/RankedTask.h"
#include "ucmoh/Tune/Scheduler.h"

namespace ucmoh {

/// Says what the tuner tunes, and for how long.
struct TuneOptions {
  TrialOptions trial;                         ///< target, model and threads; the arguments' seed
  double budgetSeconds = 60;                  ///< for all that is done
  double timeoutSeconds = 120;                ///< for each step of a child process
  std::string ops = ".";                      ///< a regular expression of workloads' names
  std::string run = "tune";                   ///< the label of the rows
  Correction correction = Correction::Nearby; ///< see TaskSearch.h
  ScheduleOptions schedule;                   ///< with the number of trials
  bool gated = true;                          ///< samples wait for quiet moments
  std::vector<std::string> functions;         ///< those of the module that are compiled
  bool inPlace = true;                        ///< a choice has to win in the model, too
};

/// Seconds of "30", "30s", "5m" or "1h"; an error for anything else, and what is not positive.
/// `option` is what the text was given to.
llvm::Expected<double> parseBudget(llvm::StringRef text, llvm::StringRef option);

/// A task and what came of it.
struct TunedTask {
  std::string name;        ///< the workload's
  IdentityUses identities; ///< those of its ops
  int64_t uses = 0;        ///< in the model
  int64_t candidates = 0;  ///< that are legal
  int64_t trials = 0;      ///< measured in this session
  int64_t failures = 0;    ///< trials that crashed, took too long or gave wrong numbers
  size_t choice = 0;       ///< number of the candidate that is kept; 0 is the model's pick
  ChoiceAttr attribute;    ///< that candidate
  double before = 0;       ///< seconds of the model's pick; 0 where it was not measured
  double after = 0;        ///< seconds of the choice; 0 where it was not measured
  double seconds = 0;      ///< that measuring took
  std::string note;        ///< why the fastest one is not kept, or nothing was measured
};

/// Holds what the tuner knew at a moment.
struct TunePoint {
  double seconds = 0; ///< since the start
  int64_t trials = 0; ///< measured until then
  double before = 0;  ///< seconds of all uses of all tasks, with the model's picks
  double after = 0;   ///< ... with the best ones
};

/// Ranks all candidates of all tasks, measures what promises most, round by round, and keeps what
/// wins. Prints a line per round. A signal (Ctrl-C) ends the search after the round at hand.
class Tuner {
public:
  /// `module` must outlive the tuner. Fails when there is nothing to tune; rows of this machine
  /// that `records` has are as good as measured.
  static llvm::Expected<std::unique_ptr<Tuner>> create(mlir::ModuleOp module, Records &records,
                                                       const TuneOptions &options);

  /// Tasks of the next `count` rounds, fewer if no more is to be expected, each as a line of a
  /// task file with choices (Collect/TaskFile.h). Others may measure them: nothing is measured
  /// here, and what they add to the records is known to the next tuner.
  std::vector<llvm::json::Object> plan(size_t count);

  /// Measures. `onImprovement` is called whenever a choice changes; its error ends the search. A
  /// target that needs an emulator here is an error.
  llvm::Error run(llvm::function_ref<llvm::Error()> onImprovement);

  /// All tasks, as far as the search has come.
  std::vector<TunedTask> getTasks() const;
  /// A point per round.
  llvm::ArrayRef<TunePoint> getCurve() const { return curve; }
  /// The model's time in place, with the picks and with the choices; none where it was not
  /// measured.
  std::optional<std::pair<double, double>> getModelSeconds() const;
  /// Why the search ended.
  llvm::StringRef getEnd() const { return end; }
  /// The module as ucmoh-prepare leaves it, with the choices on its ops.
  mlir::ModuleOp pin();

private:
  struct Round {
    TuneRound plan;
    size_t fresh; ///< so many of the candidates are measured for the first time
    std::unique_ptr<TaskMeasurement> measurement;
  };
  Tuner(mlir::ModuleOp module, Records &records, const TuneOptions &options);
  llvm::Error load();
  llvm::Error rank();
  llvm::Error add(ModelTask found, std::vector<TaskSearch> &searches, std::string &reason);
  llvm::Error recall();
  bool isOver();
  std::optional<Round> startRound();
  void stopWaitingIfUseless(size_t noisy, size_t count);
  void keep(llvm::ArrayRef<Records::Row> rows);
  void fail(size_t task, size_t candidate, llvm::StringRef why);
  void take(Round &round);
  llvm::Error search(llvm::function_ref<llvm::Error()> onImprovement);
  void confirm();
  void timePicks();
  llvm::Error timeChoices();
  bool drop(llvm::function_ref<bool(const TunedTask &)> loses);
  llvm::Error confirmInPlace();
  void giveUp(size_t task, llvm::Error error);
  void addPoint();
  void printProgress(const Round &round) const;
  size_t choiceOf(size_t task) const;
  MeasureOptions measureOptions() const;

  mlir::ModuleOp module;
  Records &records;
  TuneOptions options;
  Target target;
  std::unique_ptr<CostModel> model;
  std::string machine; ///< its id in the records
  mlir::OwningOpRef<mlir::ModuleOp> prepared;
  std::vector<std::unique_ptr<RankedTask>> tasks;
  std::vector<std::string> ids; ///< the workloads' ids in the records
  std::optional<Scheduler> scheduler;
  std::vector<TunedTask> results; ///< results that the scheduler does not know
  std::vector<TunePoint> curve;
  std::optional<InPlaceTimes> picksInPlace, choicesInPlace;
  std::string end;
  bool areRecordsWhole = true;
  double start;
  double roundSeconds = 0; ///< all rounds took so long
  double reserve = 0;      ///< seconds that the end will take
  int64_t turns = 0;       ///< how often choices and picks are timed in the model
};

} // namespace ucmoh

#endif // UCMOH_TUNE_TUNER_H
