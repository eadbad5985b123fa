//===- RankedTask.cpp - A task of a model with all that could be chosen for it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/RankedTask.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/CostModel/Features.h"
#include "ucmoh/Records/Records.h"
#include "ucmoh/Records/Statistics.h"

using namespace mlir;
using namespace ucmoh;

llvm::Expected<std::unique_ptr<RankedTask>> RankedTask::make(MLIRContext &context, ModelTask task,
                                                             const Target &target,
                                                             const CostModel &model) {
  auto made = std::make_unique<RankedTask>();
  std::string reason;
  made->candidates = rankCandidates(task.workload, target, model, reason);
  if (made->candidates.empty())
    return llvm::createStringError(reason);
  auto parsed = PreparedTask::parse(context, task.ir, task.workload.name());
  if (!parsed)
    return parsed.takeError();
  if (!parsed->workload)
    return llvm::createStringError("alone it is no task: " + parsed->reason);
  made->parsed = std::move(*parsed);
  made->task = std::move(task);
  made->samples.resize(made->size());
  for (auto [number, entry] : llvm::enumerate(made->candidates)) {
    std::string choice;
    llvm::raw_string_ostream(choice) << entry.candidate.toAttr(0, "");
    made->numbers[canonicalChoice(choice)] = number;
  }
  return made;
}

TaskSearch RankedTask::makeSearch(const Target &target, Correction correction) const {
  std::vector<double> predicted;
  std::vector<FeaturePoint> points;
  for (const RankedCandidate &entry : candidates) {
    predicted.push_back(entry.predictedSeconds);
    points.push_back(locate(extractFeatures(task.workload, entry.candidate, target.machine)));
  }
  standardize(points);
  TaskSearch search(std::move(predicted), std::move(points), task.ops.size(), kernelOf(correction));
  for (auto [number, entry] : llvm::enumerate(candidates))
    if (failed(verifyCandidate(*parsed.workload, entry.candidate)))
      search.fail(number); // what makes it legal in the model is not part of the task
  return search;
}

std::optional<size_t> RankedTask::find(StringRef canonicalChoice) const {
  auto found = numbers.find(canonicalChoice);
  return found == numbers.end() ? std::nullopt : std::optional<size_t>(found->second);
}

double RankedTask::addSamples(size_t candidate, llvm::ArrayRef<double> seconds) {
  llvm::append_range(samples[candidate], seconds);
  return lowerMedian(samples[candidate]);
}

llvm::Expected<std::unique_ptr<TaskMeasurement>> RankedTask::begin(llvm::ArrayRef<size_t> chosen,
                                                                   const MeasureOptions &options) {
  if (!reference) {
    auto begun = TaskReference::begin(*parsed.plain, parsed.entry, options.trial);
    if (!begun)
      return begun.takeError();
    reference = std::move(*begun);
  }
  std::vector<ChoiceAttr> choices;
  for (size_t candidate : chosen)
    choices.push_back(candidates[candidate].candidate.toAttr(0, ""));
  auto measurement = std::make_unique<TaskMeasurement>(*parsed.prepared, parsed.entry, reference,
                                                       std::move(choices), options);
  measurement->begin();
  return measurement;
}
