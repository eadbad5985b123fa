//===- TaskSearch.h - Which candidates of one task to measure next
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TUNE_TASKSEARCH_H
#define UCMOH_TUNE_TASKSEARCH_H

#include "ucmoh/Tune/GaussianProcess.h"
#include <optional>
#include <string>

namespace ucmoh {

/// Says what measurements of a task change in the ranking of what is not measured yet.
enum class Correction {
  None,   ///< nothing but how fast all of them are: the model's ranking stays
  Linear, ///< a linear function of the features, fitted to what the model was wrong by
  Nearby  ///< candidates are expected to be as wrong as those that are like them
};

/// "none", "linear" or "nearby".
std::optional<Correction> parseCorrection(llvm::StringRef name);

/// Returns the constants of docs/tune.md for that correction.
Kernel kernelOf(Correction correction);

/// A task as the tuner sees it: numbered candidates, 0 the model's pick, with predicted seconds and
/// a point each. Knows no IR and no clock, so the same observations give the same answers.
class TaskSearch {
public:
  TaskSearch(std::vector<double> predictedSeconds, std::vector<FeaturePoint> points, double uses,
             const Kernel &kernel);

  /// `count` candidates, or as many as are left, whose measurement promises most; the model's pick
  /// first. What is under way is known to come, and nothing is proposed twice.
  std::vector<size_t> propose(size_t count);
  /// They are being measured.
  void begin(llvm::ArrayRef<size_t> candidates);
  /// A candidate took so long; for one that was measured before, all of its samples count.
  void observe(size_t candidate, double seconds);
  /// A candidate cannot be measured.
  void fail(size_t candidate);

  /// Seconds that measuring `candidates` is expected to save per call of the whole model.
  double expectedGain(llvm::ArrayRef<size_t> candidates);

  /// How many candidates there are.
  size_t size() const { return predicted.size(); }
  /// How many of them were measured.
  size_t countMeasured() const { return process.countObservations(); }
  /// Whether all were measured or have failed.
  bool isExhausted() const;
  /// The fastest one measured; none before.
  std::optional<size_t> getBest() const { return best; }
  /// Returns the measured seconds of a candidate; 0 for others.
  double getSeconds(size_t candidate) const { return seconds[candidate]; }
  /// The best candidate's time of one call, else what is expected of the model's pick.
  double getBestSeconds() const;
  /// The time of one call with the model's pick: measured, else expected.
  double getPickSeconds() const;
  /// How often the model computes the task.
  double getUses() const { return uses; }
  /// Returns the seconds that are expected of a candidate, after all that was measured.
  double expectedSeconds(size_t candidate) const;

private:
  enum class State : char { Open, UnderWay, Measured, Failed };
  double improvement(size_t candidate) const;
  size_t findMostPromising() const;

  std::vector<double> predicted, seconds;
  std::vector<State> states;
  GaussianProcess process; ///< models the logarithm of measured over predicted seconds
  double uses;
  std::optional<size_t> best;
};

} // namespace ucmoh

#endif // UCMOH_TUNE_TASKSEARCH_H
