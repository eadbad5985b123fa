//===- InPlace.cpp - What choices do to the model that they are made for
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/InPlace.h"
#include "ucmoh/Runtime/Runner.h"

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

/// Calls of the model, and the time for them.
static constexpr int64_t repeats = 20;
static constexpr double samplesSeconds = 2;

void InPlaceTimes::keepLeast(const InPlaceTimes &other) {
  model = std::min(model, other.model);
  for (const auto &task : other.tasks) {
    double &seconds = tasks.try_emplace(task.first(), task.second).first->second;
    seconds = std::min(seconds, task.second);
  }
}

static double leastOf(const json::Object &row) {
  const json::Object *summary = row.getObject("seconds");
  return summary ? summary->getNumber("min").value_or(0) : 0;
}

llvm::Expected<InPlaceTimes> ucmoh::timeInPlace(ModuleOp module,
                                                llvm::ArrayRef<std::string> functions,
                                                const TrialOptions &trial, double timeoutSeconds) {
  RunOptions options;
  options.trial = trial;
  options.verify = false; // each kernel was
  options.repeats = repeats;
  options.budgetSeconds = samplesSeconds;
  options.timeoutSeconds = timeoutSeconds;
  InPlaceTimes times;
  for (const std::string &function : functions) {
    json::Object report = runFunction(module, function, options);
    if (auto error = report.getString("error"))
      return llvm::createStringError("@" + function + ": " + *error);
    times.model += leastOf(report);
    for (const json::Value &op : *report.getArray("ops"))
      times.tasks[op.getAsObject()->getString("workload").value_or("")] +=
          leastOf(*op.getAsObject());
  }
  return times;
}
