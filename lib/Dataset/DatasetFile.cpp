//===- DatasetFile.cpp - Data sets as files of tensors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/Safetensors.h"
#include "ucmoh/Dataset/Dataset.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace ucmoh;
namespace json = llvm::json;

static llvm::Expected<std::vector<std::string>> readNames(const SafetensorsFile &file,
                                                          llvm::StringRef key) {
  llvm::Expected<json::Value> value = json::parse(file.metadata(key));
  std::vector<std::string> names;
  json::Path::Root root;
  if (value && json::fromJSON(*value, names, root))
    return names;
  llvm::consumeError(value.takeError());
  return llvm::createStringError(file.getName() + ": this is no features file: it has no list '" +
                                 key + "'; ucmoh-featurize makes one");
}

static llvm::Error readTasks(const SafetensorsFile &file, std::vector<TaskInfo> &tasks) {
  llvm::Expected<json::Value> value = json::parse(file.metadata("tasks"));
  if (!value)
    return value.takeError();
  if (const json::Array *list = value->getAsArray())
    for (const json::Value &entry : *list)
      if (const json::Object *object = entry.getAsObject())
        tasks.push_back(TaskInfo::fromJson(*object));
  return llvm::Error::success();
}

namespace {

/// Reads one file; the first error stays.
class Reader {
public:
  explicit Reader(const SafetensorsFile &file) : file(file) {}
  template <class T> void column(llvm::StringRef name, unsigned rank, std::vector<T> &values) {
    take(file.get<T>(name, rank), values);
  }
  void names(llvm::StringRef key, std::vector<std::string> &values) {
    take(readNames(file, key), values);
  }
  llvm::Error finish(Dataset &data);

private:
  template <class T> void take(llvm::Expected<T> read, T &to) {
    if (!read)
      error = llvm::joinErrors(std::move(error), read.takeError());
    else
      to = std::move(*read);
  }
  const SafetensorsFile &file;
  llvm::Error error = llvm::Error::success();
};

} // namespace

/// Whether all columns are of one length and all numbers point into their lists.
static bool isConsistent(const Dataset &data) {
  size_t programs = data.seconds.size();
  auto within = [&](const std::vector<int32_t> &column, size_t size) {
    return column.size() == programs && llvm::all_of(column, [&](int32_t value) {
             return value >= 0 && static_cast<size_t>(value) < size;
           });
  };
  return data.offsets.size() == programs + 1 && data.spread.size() == programs &&
         data.analytic.size() == programs && data.offsets.front() == 0 &&
         llvm::is_sorted(data.offsets) &&
         data.offsets.back() * data.width == static_cast<int64_t>(data.rows.size()) &&
         within(data.task, data.tasks.size()) && within(data.intrinsic, data.intrinsics.size()) &&
         within(data.machine, data.machines.size()) && within(data.run, data.runs.size());
}

llvm::Error Reader::finish(Dataset &data) {
  data.schema = file.metadata("schema").str();
  data.dataHash = file.metadata("data_hash").str();
  data.width = data.features.size();
  error = llvm::joinErrors(std::move(error), readTasks(file, data.tasks));
  if (error)
    return std::move(error);
  if (!isConsistent(data))
    return llvm::createStringError(file.getName() + ": the columns do not fit each other");
  return llvm::Error::success();
}

llvm::Expected<Dataset> ucmoh::readDatasetFile(llvm::StringRef path) {
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::read(path);
  if (!file)
    return file.takeError();
  Dataset data;
  Reader reader(*file);
  reader.names("features", data.features);
  reader.names("intrinsics", data.intrinsics);
  reader.names("machines", data.machines);
  reader.names("runs", data.runs);
  reader.column("rows", 2, data.rows);
  reader.column("offsets", 1, data.offsets);
  reader.column("seconds", 1, data.seconds);
  reader.column("spread", 1, data.spread);
  reader.column("analytic", 1, data.analytic);
  reader.column("task", 1, data.task);
  reader.column("intrinsic", 1, data.intrinsic);
  reader.column("machine", 1, data.machine);
  reader.column("run", 1, data.run);
  if (llvm::Error error = reader.finish(data))
    return std::move(error);
  return data;
}

static std::string text(json::Array list) {
  return llvm::formatv("{0}", json::Value(std::move(list)));
}

static TensorMetadata metadata(const Dataset &data) {
  json::Array tasks;
  for (const TaskInfo &task : data.tasks)
    tasks.push_back(task.toJson());
  return {{"schema", data.schema},
          {"data_hash", data.dataHash},
          {"features", text(json::Array(data.features))},
          {"tasks", text(std::move(tasks))},
          {"intrinsics", text(json::Array(data.intrinsics))},
          {"machines", text(json::Array(data.machines))},
          {"runs", text(json::Array(data.runs))}};
}

llvm::Error ucmoh::writeDatasetFile(llvm::StringRef path, const Dataset &data) {
  int64_t programs = data.programs(), rows = data.offsets.back();
  NamedTensors tensors = {
      {"offsets", TensorView::of<int64_t>(data.offsets, {programs + 1})},
      {"seconds", TensorView::of<double>(data.seconds, {programs})},
      {"rows", TensorView::of<float>(data.rows, {rows, data.width})},
      {"spread", TensorView::of<float>(data.spread, {programs})},
      {"analytic", TensorView::of<float>(data.analytic, {programs})},
      {"task", TensorView::of<int32_t>(data.task, {programs})},
      {"intrinsic", TensorView::of<int32_t>(data.intrinsic, {programs})},
      {"machine", TensorView::of<int32_t>(data.machine, {programs})},
      {"run", TensorView::of<int32_t>(data.run, {programs})},
  };
  return writeSafetensors(path, tensors, metadata(data));
}
