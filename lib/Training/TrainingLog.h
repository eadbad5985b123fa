//===- TrainingLog.h - How a training went
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRAINING_TRAININGLOG_H
#define UCMOH_LIB_TRAINING_TRAININGLOG_H

#include "llvm/Support/Error.h"
#include <chrono>
#include <optional>
#include <vector>

namespace ucmoh {

/// Losses are per list.
struct EpochLog {
  /// On tasks that are kept aside: the loss, and geometric means over their lists of best / picked
  /// seconds.
  struct Validation {
    double loss = 0, top1 = 0, top5 = 0;
  };
  int64_t epoch = 0;
  double trainLoss = 0;
  std::optional<Validation> validation; ///< none if no tasks are kept aside
  double seconds = 0;                   ///< of training, without validation
};

/// Shows each epoch on standard error, with the time that is left, and keeps it.
class TrainingLog {
public:
  /// `done`: epochs of an interrupted training.
  TrainingLog(int64_t epochs, int64_t done) : epochs(epochs), done(done) {}
  void add(const EpochLog &epoch);
  /// {"best_epoch", "epochs": [{"epoch", "train_loss", "seconds"}]}, with validation also
  /// "validation_loss", "top1", "top5".
  llvm::Error write(llvm::StringRef path, int64_t bestEpoch) const;

private:
  int64_t epochs, done;
  std::vector<EpochLog> entries;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRAINING_TRAININGLOG_H
