//===- TaskSelection.cpp - Which tasks are worth their time
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskSelection.h"
#include "ucmoh/Transforms/PreparedTask.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

/// How often networks have the task; at least once.
static double countUses(const CollectTask &task) {
  double uses = 0;
  if (const llvm::json::Object *networks = task.tags.getObject("networks"))
    for (const auto &[name, count] : *networks)
      uses += count.getAsNumber().value_or(0);
  return std::max(uses, 1.0);
}

/// Smaller is drawn earlier: the time of the first event of a process whose rate is the importance
/// (weighted sampling without replacement: Efraimidis and Spirakis, 2006).
static double drawKey(MLIRContext &context, const CollectTask &task) {
  auto parsed = PreparedTask::parse(context, task.ir, task.name);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return 0;
  }
  if (!parsed->workload)
    return 0;
  double uniform = (llvm::xxh3_64bits(task.ir) >> 11) * 0x1p-53; // in [0, 1)
  return -std::log1p(-uniform) / (parsed->workload->flops() * countUses(task));
}

std::vector<CollectTask> ucmoh::keepImportant(MLIRContext &context, std::vector<CollectTask> tasks,
                                              double share) {
  std::vector<std::pair<double, size_t>> keys;
  for (size_t i = 0; i < tasks.size(); ++i)
    keys.emplace_back(drawKey(context, tasks[i]), i);
  llvm::sort(keys);
  keys.resize(std::min<size_t>(keys.size(), std::ceil(share * keys.size())));
  llvm::sort(keys, llvm::less_second());
  std::vector<CollectTask> kept;
  for (auto [key, index] : keys)
    kept.push_back(std::move(tasks[index]));
  return kept;
}
