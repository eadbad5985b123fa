//===- Exam.cpp - Few measurements that tell what weights know
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Dataset/Exam.h"
#include "Featurizer.h"
#include "ucmoh/Records/RecordsFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace ucmoh;

namespace {

/// Machine and task.
using ListKey = std::pair<std::string, std::string>;
using Rows = std::vector<const Records::Row *>;
using Lists = std::map<ListKey, Rows>;

} // namespace

/// The least of these are drawn: what was drawn from more is drawn from fewer, too.
static std::pair<uint64_t, llvm::StringRef> lot(llvm::StringRef text) {
  return {llvm::xxh3_64bits(text), text};
}

std::string ucmoh::examPath(llvm::StringRef weights) {
  weights.consume_back(".safetensors");
  return (weights + ".exam.jsonl.zst").str();
}

std::set<std::string> ucmoh::tasksAside(llvm::ArrayRef<TaskInfo> tasks) {
  std::vector<std::string> ids;
  for (const TaskInfo &task : tasks)
    if (!task.isHoldout())
      ids.push_back(task.id);
  llvm::sort(ids, [](const std::string &a, const std::string &b) { return lot(a) < lot(b); });
  ids.resize(std::min(ids.size(), std::max<size_t>(2, ids.size() / 5)));
  return {ids.begin(), ids.end()};
}

/// Lists the rows that an exam may ask for: those of each task's first run on a machine.
static Lists listsOf(const MeasuredData &data, int64_t leastSamples,
                     llvm::function_ref<bool(llvm::StringRef)> isWanted) {
  std::set<std::string> wanted;
  for (const Records::Workload &workload : data.workloads)
    if (workload.tags.getString("split") != "holdout" && isWanted(workload.id()))
      wanted.insert(workload.id());
  Lists lists;
  for (const Records::Row &row : data.rows) {
    if (static_cast<int64_t>(row.seconds.size()) < leastSamples || !wanted.count(row.workload))
      continue;
    Rows &list = lists[{row.machine, row.workload}];
    if (list.empty() || list.front()->run == row.run)
      list.push_back(&row);
  }
  return lists;
}

/// Keeps so many rows of each list, and lists of two at least.
static void drawRows(Lists &lists, size_t count) {
  for (auto entry = lists.begin(); entry != lists.end();) {
    Rows &rows = entry->second;
    llvm::sort(rows, [](const Records::Row *a, const Records::Row *b) {
      return lot(a->choice) < lot(b->choice);
    });
    rows.resize(std::min(rows.size(), count));
    entry = rows.size() < 2 ? lists.erase(entry) : std::next(entry);
  }
}

/// Keeps so many lists of each machine.
static void drawLists(Lists &lists, size_t count) {
  std::map<std::string, std::vector<std::string>> tasksOf;
  for (auto &[key, rows] : lists)
    tasksOf[key.first].push_back(key.second);
  for (auto &[machine, tasks] : tasksOf) {
    llvm::sort(tasks, [](const std::string &a, const std::string &b) { return lot(a) < lot(b); });
    for (const std::string &task : llvm::drop_begin(tasks, std::min(count, tasks.size())))
      lists.erase({machine, task});
  }
}

static size_t rowsOf(const Lists &lists) {
  size_t rows = 0;
  for (auto &[key, list] : lists)
    rows += list.size();
  return rows;
}

static llvm::Error add(Records &records, const MeasuredData &data, const Lists &lists) {
  std::set<std::string> machines, tasks;
  std::vector<Records::Row> rows;
  for (auto &[key, list] : lists) {
    machines.insert(key.first);
    tasks.insert(key.second);
    for (const Records::Row *row : list)
      rows.push_back(*row);
  }
  for (const auto &machine : data.machines)
    if (machines.count(machine.first().str()))
      if (llvm::Error error = records.addMachine(machine.second).takeError())
        return error;
  for (const Records::Workload &workload : data.workloads)
    if (tasks.count(workload.id()))
      if (llvm::Error error = records.addWorkload(workload).takeError())
        return error;
  return records.addRows(rows).takeError();
}

llvm::Error ucmoh::writeExam(llvm::StringRef before, llvm::ArrayRef<std::string> records,
                             const std::set<std::string> &ids, const ExamOptions &options,
                             llvm::StringRef output) {
  MeasuredData old, more;
  if (!before.empty())
    if (llvm::Error error = readMeasuredData({before.str()}).moveInto(old))
      return error;
  if (llvm::Error error = readMeasuredData(records).moveInto(more))
    return error;
  Lists oldLists = listsOf(old, options.leastSamples, [](llvm::StringRef) { return true; });
  Lists newLists = listsOf(more, options.leastSamples,
                           [&](llvm::StringRef id) { return ids.count(id.str()) > 0; });
  for (Lists *lists : {&oldLists, &newLists})
    drawRows(*lists, options.programs);
  for (int64_t count = options.tasks; count > 0; --count) {
    for (Lists *lists : {&oldLists, &newLists})
      drawLists(*lists, count);
    if (static_cast<int64_t>(rowsOf(oldLists) + rowsOf(newLists)) <= options.rows)
      break;
  }
  llvm::Expected<Records> exam = Records::temporary();
  if (!exam)
    return exam.takeError();
  if (llvm::Error error = add(*exam, old, oldLists))
    return error;
  if (llvm::Error error = add(*exam, more, newLists))
    return error;
  return exportRecords(*exam, {}, output);
}
