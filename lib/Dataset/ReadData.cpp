//===- ReadData.cpp - Measurements of any kind of file as a data set
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Dataset/ReadData.h"
#include "Featurizer.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Records/Statistics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"
#include <cmath>

using namespace ucmoh;
namespace json = llvm::json;
using namespace mlir;

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

class DatasetBuilder {
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

void DatasetBuilder::add(const FeaturizedTask &task) {
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

static Dataset buildDataset(llvm::ArrayRef<FeaturizedTask> tasks, const FeatureKind &kind,
                            uint64_t dataHash) {
  DatasetBuilder builder;
  builder.data.schema = kind.schema();
  builder.data.dataHash = llvm::utohexstr(dataHash, /*LowerCase=*/true);
  builder.data.features = kind.names();
  builder.data.width = builder.data.features.size();
  for (const FeaturizedTask &task : tasks)
    builder.add(task);
  return std::move(builder.data);
}

void ReadData::warn() const {
  for (auto &[why, count] : skipped)
    llvm::WithColor::warning() << count << " rows left out: " << why << "\n";
}

/// How many rows were measured, but too few times.
static unsigned eraseFewSamples(std::vector<Records::Row> &rows, int64_t leastSamples) {
  size_t before = rows.size();
  llvm::erase_if(rows, [&](const Records::Row &row) {
    return row.error.empty() && static_cast<int64_t>(row.seconds.size()) < leastSamples;
  });
  return before - rows.size();
}

static llvm::Error featurize(ArrayRef<std::string> paths, const ReadOptions &options,
                             ReadData &to) {
  const FeatureKind &kind = options.kind ? *options.kind : programFeatures();
  llvm::Expected<MeasuredData> measured = readMeasuredData(paths);
  if (!measured)
    return measured.takeError();
  if (unsigned few = eraseFewSamples(measured->rows, options.leastSamples))
    to.skipped["fewer samples than --least-samples"] = few;
  DialectRegistry registry;
  registerInputDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto tasks = Featurizer(context, kind, options.machine).run(*measured);
  if (!tasks)
    return tasks.takeError();
  for (const FeaturizedTask &task : *tasks)
    for (auto &entry : task.skipped)
      to.skipped[entry.first().str()] += entry.second;
  to.data = buildDataset(*tasks, kind, measured->hash);
  return llvm::Error::success();
}

/// No row is left: says why.
static llvm::Error nothingLeft(const ReadData &read, ArrayRef<std::string> paths) {
  std::string why;
  for (auto &[reason, count] : read.skipped)
    why += "; " + std::to_string(count) + " rows left out: " + reason;
  return llvm::createStringError("there is no row to use in " + llvm::join(paths, ", ") + why);
}

llvm::Expected<ReadData> ucmoh::readData(ArrayRef<std::string> paths, const ReadOptions &options) {
  std::vector<std::string> files(paths), records;
  llvm::copy_if(paths, std::back_inserter(records),
                [](StringRef path) { return !path.ends_with(".safetensors"); });
  llvm::erase_if(files, [](StringRef path) { return !path.ends_with(".safetensors"); });
  ReadData read;
  if (!records.empty())
    if (llvm::Error error = featurize(records, options, read))
      return std::move(error);
  for (const std::string &path : files) {
    llvm::Expected<Dataset> data = readDatasetFile(path);
    if (!data)
      return data.takeError();
    if (read.data.schema.empty())
      read.data = std::move(*data);
    else if (data->schema == read.data.schema)
      append(read.data, *data);
    else
      return llvm::createStringError(path + ": features of schema " + data->schema +
                                     ", but other files have " + read.data.schema +
                                     "; make all with the same ucmoh-featurize");
  }
  if (read.data.programs() == 0)
    return nothingLeft(read, paths);
  return read;
}
