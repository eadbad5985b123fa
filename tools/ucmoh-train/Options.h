//===- Options.h - Options of ucmoh-train
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TOOLS_TRAIN_OPTIONS_H
#define UCMOH_TOOLS_TRAIN_OPTIONS_H

#include "ucmoh/Training/Fit.h"
#include "llvm/Support/CommandLine.h"

namespace ucmoh {

// Functions, since options of several files want them before main.
inline llvm::cl::OptionCategory &trainCategory() {
  static llvm::cl::OptionCategory category("Options");
  return category;
}
inline llvm::cl::SubCommand &fitCommand() {
  static llvm::cl::SubCommand command("fit", "Trains the network");
  return command;
}
inline llvm::cl::SubCommand &evaluateCommand() {
  static llvm::cl::SubCommand command("evaluate", "Says how well models rank");
  return command;
}
inline llvm::cl::SubCommand &learnCommand() {
  static llvm::cl::SubCommand command("learn", "Learns on from new records without forgetting");
  return command;
}
inline llvm::cl::SubCommand &examCommand() {
  static llvm::cl::SubCommand command("exam", "Writes what `learn` judges weights by");
  return command;
}

/// Returns what the options of `fit` say, checked.
llvm::Expected<FitOptions> fitOptions();

/// Run `learn` and `exam` with the files of --records, whose programs need so many samples.
llvm::Error runLearn(llvm::ArrayRef<std::string> paths, int64_t leastSamples);
llvm::Error runExam(llvm::ArrayRef<std::string> paths, int64_t leastSamples);

} // namespace ucmoh

#endif // UCMOH_TOOLS_TRAIN_OPTIONS_H
