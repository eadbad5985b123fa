//===- TaskFile.cpp - Tasks that are measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Collect/TaskFile.h"
#include "ucmoh/Transforms/PreparedTask.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace ucmoh;
namespace json = llvm::json;
using namespace mlir;

static llvm::Expected<CollectTask> readTask(llvm::StringRef line) {
  auto value = json::parse(line);
  if (!value)
    return value.takeError();
  json::Object *object = value->getAsObject();
  std::optional<llvm::StringRef> ir = object ? object->getString("ir") : std::nullopt;
  if (!ir)
    return llvm::createStringError("no object with an \"ir\"");
  CollectTask task;
  task.name = object->getString("name").value_or("").str();
  task.ir = ir->str();
  if (json::Object *tags = object->getObject("tags"))
    task.tags = *tags;
  if (json::Array *choices = object->getArray("choices"))
    for (const json::Value &choice : *choices) {
      auto text = choice.getAsString();
      if (!text)
        return llvm::createStringError("\"choices\" must be strings, each a #ucmoh.choice");
      task.choices.push_back(text->str());
    }
  return task;
}

llvm::Expected<std::vector<CollectTask>> ucmoh::readTaskFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  std::vector<CollectTask> tasks;
  for (llvm::line_iterator line(**buffer); !line.is_at_end(); ++line) {
    auto task = readTask(*line);
    if (!task)
      return llvm::createStringError(llvm::formatv("{0}:{1}: {2}", path, line.line_number(),
                                                   llvm::toString(task.takeError())));
    tasks.push_back(std::move(*task));
  }
  return tasks;
}

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
