//===- Statistics.cpp - What a database of measurements holds, and quantiles
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Records/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>

using namespace ucmoh;
using llvm::StringRef;

double ucmoh::lowerMedian(std::vector<double> samples) {
  auto middle = samples.begin() + (samples.size() - 1) / 2;
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

double ucmoh::quantile(llvm::ArrayRef<double> sorted, double fraction) {
  double at = fraction * (sorted.size() - 1);
  size_t below = static_cast<size_t>(at);
  double above = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (at - below) * (above - sorted[below]);
}

std::string ucmoh::failureReason(StringRef error) {
  std::string reason;
  for (char letter : error.split('\n').first)
    if (!llvm::isDigit(letter))
      reason += letter;
    else if (!StringRef(reason).ends_with("#"))
      reason += '#';
  return reason;
}

static double spreadOf(std::vector<double> seconds) {
  llvm::sort(seconds);
  return (quantile(seconds, 0.9) - quantile(seconds, 0.1)) / lowerMedian(seconds);
}

namespace {
/// Takes rows in the order of `forEachRow`: those of a task come together.
class Counter {
public:
  llvm::Error start(Records &records);
  void add(const Records::Row &row);
  RecordsStatistics finish();

private:
  void finishTask();

  RecordsStatistics statistics;
  llvm::StringMap<std::string> types, machines; // by the id of workload and machine
  std::pair<std::string, std::string> task;
  llvm::StringSet<> choices; // those of `task`
  std::vector<int64_t> candidates;
  std::vector<double> spreads;
};
} // namespace

llvm::Error Counter::start(Records &records) {
  if (llvm::Error error = records.counts().moveInto(statistics.counts))
    return error;
  llvm::Error error = records.forEachWorkload({}, [&](const Records::Workload &workload) {
    types[workload.id()] = workload.tags.getString("types").value_or("?").str();
    return llvm::Error::success();
  });
  if (error)
    return error;
  return records.forEachMachine({}, [&](const Records::Machine &machine) {
    machines[machine.id()] = machine.name;
    return llvm::Error::success();
  });
}

void Counter::finishTask() {
  if (!choices.empty())
    candidates.push_back(choices.size());
  choices.clear();
}

void Counter::add(const Records::Row &row) {
  if (std::pair next(row.workload, row.machine); next != task) {
    finishTask();
    task = next;
  }
  choices.insert(row.choice);
  auto &group = statistics.groups[{machines[row.machine], row.intrinsic, types[row.workload]}];
  ++group.rows;
  ++statistics.runs[row.run];
  if (!row.error.empty()) {
    ++group.failures;
    ++statistics.failures[failureReason(row.error)];
  }
  if (row.seconds.size() > 1)
    spreads.push_back(spreadOf(row.seconds));
  if (statistics.firstTime == 0 || row.time < statistics.firstTime)
    statistics.firstTime = row.time;
  statistics.lastTime = std::max(statistics.lastTime, row.time);
}

RecordsStatistics Counter::finish() {
  finishTask();
  llvm::sort(candidates);
  statistics.tasks = candidates.size();
  if (!candidates.empty()) {
    statistics.fewestCandidates = candidates.front();
    statistics.medianCandidates = candidates[candidates.size() / 2];
    statistics.mostCandidates = candidates.back();
  }
  if (!spreads.empty())
    statistics.medianSpread = lowerMedian(spreads);
  return std::move(statistics);
}

llvm::Expected<RecordsStatistics> ucmoh::computeStatistics(Records &records) {
  Counter counter;
  llvm::Error error = records.snapshot([&]() -> llvm::Error {
    if (llvm::Error error = counter.start(records))
      return error;
    return records.forEachRow({}, [&](const Records::Row &row) {
      counter.add(row);
      return llvm::Error::success();
    });
  });
  if (error)
    return error;
  return counter.finish();
}
