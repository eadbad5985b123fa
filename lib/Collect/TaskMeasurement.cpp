//===- TaskMeasurement.cpp - The candidates of one task, measured against each other
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Collect/TaskMeasurement.h"
#include "CandidateBatch.h"
#include "ucmoh/Records/Statistics.h"
#include <algorithm>
#include <limits>

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

/// So many times slower than the best one: two rounds say enough.
static constexpr double prunedSlowness = 4;

/// Noisy samples serve as long as there are no others, and the lowest says most.
void MeasuredCandidate::add(double sample, bool quiet) {
  if (!quiet && !seconds.empty() && !isNoisy)
    return;
  if (!quiet && isNoisy)
    sample = std::min(sample, seconds.front());
  if (isNoisy)
    seconds.clear();
  isNoisy = !quiet;
  seconds.push_back(sample);
}

TaskMeasurement::TaskMeasurement(ModuleOp module, std::string entry,
                                 std::shared_ptr<TaskReference> reference,
                                 std::vector<ChoiceAttr> choices, const MeasureOptions &options)
    : module(module), entry(std::move(entry)), options(options), reference(std::move(reference)),
      bestSeconds(std::numeric_limits<double>::infinity()) {
  for (ChoiceAttr choice : choices)
    candidates.push_back({choice, {}, false, ""});
  for (size_t first = 0; first < candidates.size(); first += options.batchSize) {
    std::vector<size_t> &members = queue.emplace_back();
    for (size_t i = first; i < std::min(candidates.size(), first + options.batchSize); ++i)
      members.push_back(i);
  }
}

//===----------------------------------------------------------------------===//
// Children
//===----------------------------------------------------------------------===//

void TaskMeasurement::begin() { startCompilers(); }

void TaskMeasurement::startCompilers() {
  while (compiling.size() < options.compilers && !queue.empty()) {
    Batch batch;
    batch.members = std::move(queue.front());
    queue.pop_front();
    std::vector<ChoiceAttr> choices;
    for (size_t member : batch.members)
      choices.push_back(candidates[member].choice);
    auto child = startCandidateBatch(module, entry, std::move(choices), reference->getInputs(),
                                     options.trial, reference->getExpected());
    llvm::Error error = child ? (*child)->send(json::Object{{"do", "compile"}}) : child.takeError();
    if (error) {
      split(batch, llvm::toString(std::move(error)));
      continue;
    }
    batch.child = std::move(*child);
    compiling.push_back(std::move(batch));
  }
}

/// Halves a batch that does not compile until the culprit is alone.
void TaskMeasurement::split(Batch &batch, const std::string &error) {
  if (batch.members.size() == 1) {
    candidates[batch.members.front()].error = error;
    return;
  }
  auto middle = batch.members.begin() + batch.members.size() / 2;
  queue.emplace_front(middle, batch.members.end());
  queue.emplace_front(batch.members.begin(), middle);
}

llvm::Error TaskMeasurement::run(llvm::function_ref<void()> beforeLastBatch) {
  if (auto error = reference->await(options.timeoutSeconds))
    return error;
  bool announced = false;
  while (startCompilers(), !compiling.empty()) {
    Batch batch = std::move(compiling.front());
    compiling.pop_front();
    auto compiled = batch.child->receive(options.timeoutSeconds);
    startCompilers();
    if (compiling.empty() && !announced) {
      announced = true;
      beforeLastBatch();
    }
    if (!compiled)
      split(batch, llvm::toString(compiled.takeError()));
    else if (measure(batch) && options.refinements > 0)
      kept.push_back(std::move(batch));
  }
  refine();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// When the child is gone, the other members get another one.
bool TaskMeasurement::fail(Batch &batch, size_t position, llvm::Error error) {
  candidates[batch.members[position]].error = llvm::toString(std::move(error));
  if (batch.child->isAlive())
    return true;
  std::vector<size_t> others;
  for (size_t member : batch.members)
    if (candidates[member].error.empty()) {
      candidates[member].seconds.clear();
      others.push_back(member);
    }
  if (!others.empty())
    queue.push_front(std::move(others));
  return false;
}

bool TaskMeasurement::verify(Batch &batch) {
  for (size_t position = 0; position < batch.members.size(); ++position) {
    MeasuredCandidate &candidate = candidates[batch.members[position]];
    auto verdict = batch.child->ask(json::Object{{"do", "verify"}, {"index", int64_t(position)}},
                                    options.timeoutSeconds);
    if (!verdict) {
      if (!fail(batch, position, verdict.takeError()))
        return false;
      continue;
    }
    if (!verdict->getBoolean("verified").value_or(false))
      candidate.error = "wrong result: " + verdict->getString("message").value_or("").str();
    else if (double seconds = verdict->getNumber("seconds").value_or(0);
             seconds > MeasuredCandidate::longRunSeconds)
      candidate.seconds.push_back(seconds);
  }
  return true;
}

llvm::Error TaskMeasurement::takeTime(Batch &batch, size_t position, double sampleSeconds) {
  auto sample = batch.child->ask(json::Object{{"do", "time"},
                                              {"index", int64_t(position)},
                                              {"sample_seconds", sampleSeconds},
                                              {"gated", options.gated},
                                              {"at_best_clock", options.atBestClock}},
                                 options.timeoutSeconds);
  if (!sample)
    return sample.takeError();
  bool quiet = sample->getBoolean("quiet").value_or(false);
  candidates[batch.members[position]].add(sample->getNumber("seconds").value_or(0), quiet);
  bestSeconds = std::min(bestSeconds, candidates[batch.members[position]].seconds.back());
  return llvm::Error::success();
}

bool TaskMeasurement::timeUnlessPruned(Batch &batch, size_t position, int64_t round) {
  const MeasuredCandidate &candidate = candidates[batch.members[position]];
  // All of its samples say so: one may have been noisy.
  bool isPruned = round > 1 && candidate.isMeasured() &&
                  *llvm::min_element(candidate.seconds) > prunedSlowness * bestSeconds;
  if (!candidate.error.empty() || candidate.isLong() || isPruned)
    return true;
  if (auto error = takeTime(batch, position, options.sampleSeconds))
    return fail(batch, position, std::move(error));
  return true;
}

bool TaskMeasurement::measure(Batch &batch) {
  if (!verify(batch))
    return false;
  int64_t size = batch.members.size();
  for (int64_t i = 0; i < size * options.rounds; ++i) {
    int64_t position = options.interleave ? i % size : i / options.rounds;
    int64_t round = options.interleave ? i / size : i % options.rounds;
    if (!timeUnlessPruned(batch, position, round))
      return false;
  }
  return true;
}

/// The best tenth, fastest first, and where to find each.
std::vector<std::pair<TaskMeasurement::Batch *, size_t>> TaskMeasurement::findBest() {
  std::vector<std::tuple<double, Batch *, size_t>> all;
  for (Batch &batch : kept)
    for (size_t position = 0; position < batch.members.size(); ++position)
      if (const MeasuredCandidate &candidate = candidates[batch.members[position]];
          candidate.isMeasured() && !candidate.isLong())
        all.emplace_back(lowerMedian(candidate.seconds), &batch, position);
  llvm::sort(all, [](const auto &a, const auto &b) { return std::get<0>(a) < std::get<0>(b); });
  all.resize(std::min<size_t>(all.size(), std::max<size_t>(3, all.size() / 10)));
  std::vector<std::pair<Batch *, size_t>> best;
  for (auto &[seconds, batch, position] : all)
    best.emplace_back(batch, position);
  return best;
}

void TaskMeasurement::refine() {
  auto best = findBest();
  for (int64_t round = 0; round < options.refinements; ++round) {
    for (auto [batch, position] : best)
      if (auto error = takeTime(*batch, position, options.finalSeconds)) {
        llvm::consumeError(std::move(error)); // all rounds are done: what was measured is kept
        return;
      }
    auto again = findBest();
    if (again == best && round > 0)
      return;
    best = std::move(again);
  }
}
