//===- TrainingLists.cpp - Lists of a training
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingLists.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

using namespace ucmoh;

/// Tasks are drawn, not lists: a task on another machine is no new task.
TrainingLists ucmoh::splitLists(const Dataset &data, const FitOptions &options,
                                std::mt19937_64 &random) {
  std::vector<ProgramList> lists = listsToLearn(data, options.split, options.without);
  std::set<int32_t> all;
  for (const ProgramList &list : lists)
    all.insert(list.task);
  std::vector<int32_t> tasks(all.begin(), all.end());
  std::shuffle(tasks.begin(), tasks.end(), random);
  tasks.resize(static_cast<size_t>(options.validation * tasks.size()));
  std::set<int32_t> aside(tasks.begin(), tasks.end());
  TrainingLists parts;
  for (ProgramList &list : lists)
    (aside.count(list.task) ? parts.validation : parts.train).push_back(std::move(list));
  return parts;
}

std::vector<ProgramList> ucmoh::divide(llvm::ArrayRef<ProgramList> lists, size_t programs,
                                       std::mt19937_64 &random) {
  std::vector<ProgramList> parts;
  for (const ProgramList &list : lists) {
    std::vector<int64_t> shuffled = list.programs;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    size_t total = shuffled.size(), count = llvm::divideCeil(total, programs);
    for (size_t part = 0; part < count; ++part)
      parts.push_back({list.task,
                       list.machine,
                       list.run,
                       {shuffled.begin() + part * total / count,
                        shuffled.begin() + (part + 1) * total / count}});
  }
  std::shuffle(parts.begin(), parts.end(), random);
  return parts;
}

std::vector<llvm::ArrayRef<ProgramList>> ucmoh::group(llvm::ArrayRef<ProgramList> lists,
                                                      size_t programs) {
  std::vector<llvm::ArrayRef<ProgramList>> groups;
  size_t begin = 0, count = 0;
  for (size_t end = 1; end <= lists.size(); ++end) {
    count += lists[end - 1].programs.size();
    if (count >= programs || end == lists.size()) {
      groups.push_back(lists.slice(begin, end - begin));
      begin = end;
      count = 0;
    }
  }
  return groups;
}
