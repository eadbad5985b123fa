//===- Selection.cpp - What is learned, and what is judged
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Selection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <set>
#include <tuple>

using namespace ucmoh;

std::vector<ProgramList> ucmoh::listsOf(const Dataset &data) {
  std::map<std::tuple<int32_t, int32_t, int32_t>, size_t> numbers;
  std::vector<ProgramList> lists;
  for (int64_t program = 0; program < data.programs(); ++program) {
    if (!(data.seconds[program] > 0))
      continue;
    auto key = std::tuple(data.task[program], data.machine[program], data.run[program]);
    auto [entry, isNew] = numbers.try_emplace(key, lists.size());
    if (isNew)
      lists.push_back({data.task[program], data.machine[program], data.run[program], {}});
    lists[entry->second].programs.push_back(program);
  }
  llvm::erase_if(lists, [](const ProgramList &list) { return list.programs.size() < 2; });
  return lists;
}

std::vector<ProgramList> ucmoh::keepPrograms(std::vector<ProgramList> lists,
                                             llvm::function_ref<bool(int64_t)> keep) {
  for (ProgramList &list : lists)
    llvm::erase_if(list.programs, [&](int64_t program) { return !keep(program); });
  llvm::erase_if(lists, [](const ProgramList &list) { return list.programs.size() < 2; });
  return lists;
}

llvm::StringRef ucmoh::name(Split split) {
  switch (split) {
  case Split::Holdout:
    return "holdout";
  case Split::ByTask:
    return "by_task";
  case Split::WithinTask:
    return "within_task";
  case Split::Train:
    return "train";
  }
  llvm_unreachable("all splits have a name");
}

/// Programs of equal features are on one side: a second run must not tell the first one's seconds.
static uint64_t hashOf(const Dataset &data, int64_t program) {
  llvm::ArrayRef<float> rows = data.rowsOf(program);
  return llvm::xxh3_64bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(rows.data()), rows.size() * sizeof(float)));
}

static bool isJudged(const Dataset &data, int64_t program, Split split) {
  const TaskInfo &task = data.tasks[data.task[program]];
  switch (split) {
  case Split::Holdout:
    return task.isHoldout();
  case Split::ByTask:
    return !task.isHoldout() && llvm::xxh3_64bits(task.id) % 5 == 0;
  case Split::WithinTask:
    return !task.isHoldout() && hashOf(data, program) % 5 == 0;
  case Split::Train:
    return !task.isHoldout();
  }
  llvm_unreachable("all splits judge something");
}

bool ucmoh::isNamed(const Dataset &data, int64_t program, llvm::ArrayRef<std::string> names) {
  return llvm::is_contained(names, data.intrinsics[data.intrinsic[program]]) ||
         llvm::is_contained(names, data.targetOf(program)) ||
         llvm::is_contained(names, data.machines[data.machine[program]]);
}

llvm::Error ucmoh::checkNames(const Dataset &data, llvm::ArrayRef<std::string> names) {
  std::set<std::string> known(data.machines.begin(), data.machines.end());
  for (llvm::StringRef intrinsic : data.intrinsics)
    known.insert({intrinsic.str(), intrinsic.split("::").first.str()});
  for (const std::string &name : names)
    if (!known.count(name))
      return llvm::createStringError("the data has no target, intrinsic or machine '" + name +
                                     "'; it has " + llvm::join(known, ", "));
  return llvm::Error::success();
}

std::vector<ProgramList> ucmoh::listsToLearn(const Dataset &data, Split split,
                                             llvm::ArrayRef<std::string> without) {
  return keepPrograms(listsOf(data), [&](int64_t program) {
    bool isAside = split == Split::Train ? false : isJudged(data, program, split);
    return !data.tasks[data.task[program]].isHoldout() && !isAside &&
           !isNamed(data, program, without);
  });
}

std::vector<ProgramList> ucmoh::listsToJudge(const Dataset &data, Split split,
                                             llvm::ArrayRef<std::string> only) {
  return keepPrograms(listsOf(data), [&](int64_t program) {
    return isJudged(data, program, split) && (only.empty() || isNamed(data, program, only));
  });
}
