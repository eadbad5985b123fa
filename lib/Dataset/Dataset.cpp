//===- Dataset.cpp - Programs with features and seconds
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Dataset/Dataset.h"
#include "ucmoh/CostModel/Safetensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace ucmoh;
namespace json = llvm::json;

int64_t TaskInfo::weight() const {
  int64_t sum = 0;
  for (auto &entry : networks)
    sum += entry.second;
  return std::max<int64_t>(sum, 1);
}

TaskInfo TaskInfo::fromJson(const json::Object &object) {
  auto text = [&](llvm::StringRef key) { return object.getString(key).value_or("").str(); };
  TaskInfo task{text("id"),
                text("name"),
                text("types"),
                text("split"),
                text("class"),
                object.getInteger("flops").value_or(0),
                {}};
  if (const json::Object *networks = object.getObject("networks"))
    for (auto &[name, count] : *networks)
      task.networks[name.str()] = count.getAsInteger().value_or(1);
  return task;
}

json::Object TaskInfo::toJson() const {
  json::Object counts;
  for (auto &[network, count] : networks)
    counts[network] = count;
  return json::Object{{"id", id},
                      {"name", name},
                      {"types", types},
                      {"split", split},
                      {"class", workloadClass},
                      {"flops", flops},
                      {"networks", std::move(counts)}};
}

/// Appends to `names` what it lacks; returns the new number of each name.
static std::vector<int32_t> join(std::vector<std::string> &names,
                                 llvm::ArrayRef<std::string> more) {
  std::vector<int32_t> numbers;
  for (const std::string &name : more) {
    numbers.push_back(llvm::find(names, name) - names.begin());
    if (numbers.back() == static_cast<int32_t>(names.size()))
      names.push_back(name);
  }
  return numbers;
}

/// The same for tasks, which are the same if their id is.
static std::vector<int32_t> join(std::vector<TaskInfo> &tasks, llvm::ArrayRef<TaskInfo> more) {
  std::map<std::string, int32_t> known;
  for (auto [number, task] : llvm::enumerate(tasks))
    known[task.id] = number;
  std::vector<int32_t> numbers;
  for (const TaskInfo &task : more) {
    auto [entry, isNew] = known.try_emplace(task.id, tasks.size());
    if (isNew)
      tasks.push_back(task);
    numbers.push_back(entry->second);
  }
  return numbers;
}

void ucmoh::append(Dataset &data, const Dataset &more) {
  auto renumber = [](std::vector<int32_t> &to, llvm::ArrayRef<int32_t> from,
                     llvm::ArrayRef<int32_t> numbers) {
    for (int32_t value : from)
      to.push_back(numbers[value]);
  };
  renumber(data.task, more.task, join(data.tasks, more.tasks));
  renumber(data.intrinsic, more.intrinsic, join(data.intrinsics, more.intrinsics));
  renumber(data.machine, more.machine, join(data.machines, more.machines));
  renumber(data.run, more.run, join(data.runs, more.runs));
  int64_t base = data.offsets.back();
  for (int64_t offset : llvm::drop_begin(more.offsets))
    data.offsets.push_back(base + offset);
  llvm::append_range(data.rows, more.rows);
  llvm::append_range(data.seconds, more.seconds);
  llvm::append_range(data.spread, more.spread);
  llvm::append_range(data.analytic, more.analytic);
  data.dataHash += "+" + more.dataHash;
}

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
