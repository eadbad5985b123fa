//===- DatasetBuilder.cpp - Featurized measurements as columns
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DatasetBuilder.h"
#include "ucmoh/Records/Statistics.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ucmoh;
namespace json = llvm::json;

namespace {

/// Numbers names in the order in which they were first used.
class Names {
public:
  explicit Names(std::vector<std::string> &list) : list(list) {}
  int32_t number(llvm::StringRef name) {
    auto [entry, isNew] = numbers.try_emplace(name, list.size());
    if (isNew)
      list.push_back(name.str());
    return entry->second;
  }

private:
  llvm::StringMap<int32_t> numbers;
  std::vector<std::string> &list;
};

class Builder {
public:
  Dataset data;
  void add(const FeaturizedTask &task);

private:
  Names intrinsics{data.intrinsics}, machines{data.machines}, runs{data.runs};
};

} // namespace

/// The value below which the share `q` of the sorted values lies.
static TaskInfo describe(const Records::Workload &workload) {
  json::Object task = workload.tags; // networks, types, split, class
  task["id"] = workload.id();
  task["name"] = workload.name;
  task["flops"] = workload.flops;
  return TaskInfo::fromJson(task);
}

void Builder::add(const FeaturizedTask &task) {
  for (const FeaturizedRow &program : task.programs) {
    data.rows.insert(data.rows.end(), program.rows.begin(), program.rows.end());
    data.offsets.push_back(data.rows.size() / data.width);
    std::vector<double> sorted = program.record->seconds;
    llvm::sort(sorted);
    double median = sorted.empty() ? std::nan("") : lowerMedian(sorted);
    data.seconds.push_back(median);
    data.spread.push_back(
        sorted.empty() ? 0 : (quantile(sorted, 0.9) - quantile(sorted, 0.1)) / median);
    data.analytic.push_back(program.analyticSeconds);
    data.task.push_back(data.tasks.size());
    data.intrinsic.push_back(intrinsics.number(program.intrinsic));
    data.machine.push_back(machines.number(program.machine));
    data.run.push_back(runs.number(program.record->run));
  }
  data.tasks.push_back(describe(*task.workload));
}

Dataset ucmoh::buildDataset(llvm::ArrayRef<FeaturizedTask> tasks, const FeatureKind &kind,
                            uint64_t dataHash) {
  Builder builder;
  builder.data.schema = kind.schema();
  builder.data.dataHash = llvm::utohexstr(dataHash, /*LowerCase=*/true);
  builder.data.features = kind.names();
  builder.data.width = builder.data.features.size();
  for (const FeaturizedTask &task : tasks)
    builder.add(task);
  return std::move(builder.data);
}
