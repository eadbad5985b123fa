//===- Dataset.cpp - Programs with features and seconds
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Dataset/Dataset.h"
#include "llvm/ADT/STLExtras.h"

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
