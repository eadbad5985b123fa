//===- FeatureFile.cpp - What training reads
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FeatureFile.h"
#include "ucmoh/CostModel/Safetensors.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ucmoh;
namespace json = llvm::json;

namespace {

/// Names in the order in which they were first used.
class Names {
public:
  int32_t number(llvm::StringRef name) {
    auto [entry, isNew] = numbers.try_emplace(name, list.size());
    if (isNew)
      list.push_back(name.str());
    return entry->second;
  }
  std::string text() const { return llvm::formatv("{0}", json::Value(json::Array(list))); }

private:
  llvm::StringMap<int32_t> numbers;
  std::vector<std::string> list;
};

/// The columns of the file.
struct Columns {
  std::vector<float> rows, spread, analytic;
  std::vector<int64_t> offsets = {0};
  std::vector<double> seconds;
  std::vector<int32_t> task, intrinsic, machine, run;
  Names intrinsics, machines, runs;
  json::Array tasks;

  void add(const FeaturizedTask &featurized, size_t width);
};

} // namespace

/// The value below which the share `q` of the sorted values lies.
static double quantile(llvm::ArrayRef<double> sorted, double q) {
  double at = q * (sorted.size() - 1);
  size_t below = static_cast<size_t>(at);
  double above = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (at - below) * (above - sorted[below]);
}

static json::Object describe(const Records::Workload &workload) {
  json::Object task = workload.tags; // networks, types, split, class
  task["id"] = workload.id();
  task["name"] = workload.name;
  task["flops"] = workload.flops;
  return task;
}

void Columns::add(const FeaturizedTask &featurized, size_t width) {
  for (const FeaturizedRow &program : featurized.programs) {
    rows.insert(rows.end(), program.rows.begin(), program.rows.end());
    offsets.push_back(rows.size() / width);
    std::vector<double> sorted = program.record->seconds;
    llvm::sort(sorted);
    double median = sorted.empty() ? std::nan("") : quantile(sorted, 0.5);
    seconds.push_back(median);
    spread.push_back(sorted.empty() ? 0 : (quantile(sorted, 0.9) - quantile(sorted, 0.1)) / median);
    analytic.push_back(program.analyticSeconds);
    task.push_back(tasks.size());
    intrinsic.push_back(intrinsics.number(program.intrinsic));
    machine.push_back(machines.number(program.machine));
    run.push_back(runs.number(program.record->run));
  }
  tasks.push_back(describe(*featurized.workload));
}

llvm::Error ucmoh::writeFeatureFile(llvm::StringRef path, llvm::ArrayRef<FeaturizedTask> tasks,
                                    const FeatureKind &kind, uint64_t dataHash) {
  std::vector<std::string> features = kind.names();
  Columns columns;
  for (const FeaturizedTask &task : tasks)
    columns.add(task, features.size());
  int64_t programs = columns.seconds.size(), width = features.size();
  int64_t rows = columns.offsets.back();
  NamedTensors tensors = {
      {"offsets", TensorView::of<int64_t>(columns.offsets, {programs + 1})},
      {"seconds", TensorView::of<double>(columns.seconds, {programs})},
      {"rows", TensorView::of<float>(columns.rows, {rows, width})},
      {"spread", TensorView::of<float>(columns.spread, {programs})},
      {"analytic", TensorView::of<float>(columns.analytic, {programs})},
      {"task", TensorView::of<int32_t>(columns.task, {programs})},
      {"intrinsic", TensorView::of<int32_t>(columns.intrinsic, {programs})},
      {"machine", TensorView::of<int32_t>(columns.machine, {programs})},
      {"run", TensorView::of<int32_t>(columns.run, {programs})},
  };
  auto text = [](json::Array list) {
    return llvm::formatv("{0}", json::Value(std::move(list))).str();
  };
  TensorMetadata metadata = {{"schema", kind.schema()},
                             {"data_hash", llvm::utohexstr(dataHash, /*LowerCase=*/true)},
                             {"features", text(json::Array(features))},
                             {"tasks", text(std::move(columns.tasks))},
                             {"intrinsics", columns.intrinsics.text()},
                             {"machines", columns.machines.text()},
                             {"runs", columns.runs.text()}};
  return writeSafetensors(path, tensors, metadata);
}
