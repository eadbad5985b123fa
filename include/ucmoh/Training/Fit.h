//===- Fit.h - Trains the network
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_FIT_H
#define UCMOH_TRAINING_FIT_H

#include "ucmoh/Training/Selection.h"

namespace ucmoh {

/// How to train, and on what.
struct FitOptions {
  std::string output; ///< weights, .safetensors
  std::string from;   ///< weights to begin with; random ones if empty
  /// File from which an interrupted training without validation goes on; none if empty.
  std::string state;
  std::string logPath;              ///< JSON, one entry per epoch; none if empty
  Split split = Split::Holdout;     ///< the programs that are not learned
  std::vector<std::string> without; ///< nor are programs that these name (Selection.h)
  std::vector<std::string> ablate;  ///< groups of features that are zero (networkInputGroups())
  uint64_t seed = 1;                ///< decides first weights, order and jitter
  int64_t threads = 1;              ///< that LibTorch has
  int64_t epochs = 60;              ///< passes over the data
  int64_t programsPerStep = 512;    ///< whole parts of lists, until there are that many
  /// Longer lists are divided, anew in every epoch: a step is to see many tasks.
  int64_t programsPerList = 16;
  double learningRate = 2e-3; ///< at the start; falls to zero as a cosine
  double weightDecay = 1;     ///< share of a weight that a step takes away, times its rate
  /// Share of the tasks whose programs only decide which epoch's weights are kept.
  double validation = 0.1;
  double rankWeight = 1, gain = 4, slope = 4;          ///< see lambdaRank
  double regressionWeight = 1, regressionEmphasis = 1; ///< see regression
  /// Standard deviation of log2 of the factors that machines' numbers get in every second list; 0:
  /// they stay.
  double machineJitter = 0;
  double biasWeight = 0.1; ///< how much a list's mean error counts in it
};

/// For some hundred rows of another machine: fewer, smaller and shorter steps.
FitOptions fineTuning();

/// Trains on the lists of the data that the options leave, and writes the weights of the epoch that
/// was best on tasks kept aside for that. Progress goes to standard error. The same data, options
/// and machine give the same bits, as long as LibTorch uses one thread. Errors: no lists, unknown
/// names, a schema of another build, a file that cannot be written.
llvm::Error fit(const Dataset &data, const FitOptions &options);

} // namespace ucmoh

#endif // UCMOH_TRAINING_FIT_H
