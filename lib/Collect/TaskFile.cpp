//===- TaskFile.cpp - What to collect measurements of
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Collect/TaskFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ucmoh;
namespace json = llvm::json;

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
