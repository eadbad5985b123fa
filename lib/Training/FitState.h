//===- FitState.h - A training that can be interrupted
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRAINING_FITSTATE_H
#define UCMOH_LIB_TRAINING_FITSTATE_H

#include "ucmoh/Dataset/Dataset.h"
#include "ucmoh/Training/Fit.h"
#include <random>
#include <torch/torch.h>

namespace ucmoh {

/// The state behind an epoch, with which a training goes on as if it had not stopped.
struct FitState {
  int64_t epoch = 0;                  ///< that was the last one
  double progress = 0;                ///< share of all steps that are done
  std::mt19937_64 random;             ///< as it is then
  std::vector<torch::Tensor> weights; ///< in the order of networkParameters()
};

/// A text that only trainings with the same data, weights and options share.
std::string fitKey(const Dataset &data, const FitOptions &options);

/// Writes the file as a whole or not at all.
llvm::Error writeState(llvm::StringRef path, llvm::StringRef key, const FitState &state,
                       const torch::optim::Optimizer &optimizer);

/// None if there is no such file, if it is of another training, or cannot be read. Else `optimizer`
/// is as it was.
std::optional<FitState> readState(llvm::StringRef path, llvm::StringRef key, size_t weights,
                                  torch::optim::Optimizer &optimizer);

} // namespace ucmoh

#endif // UCMOH_LIB_TRAINING_FITSTATE_H
