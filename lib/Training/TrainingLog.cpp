//===- TrainingLog.cpp - How a training went
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingLog.h"
#include "ucmoh/Support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace ucmoh;
namespace json = llvm::json;

void TrainingLog::add(const EpochLog &epoch) {
  entries.push_back(epoch);
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  double left = spent.count() / entries.size() * (epochs - done - entries.size());
  llvm::errs() << llvm::formatv("epoch {0}/{1}: loss {2:f4}", epoch.epoch, epochs, epoch.trainLoss);
  if (const auto &found = epoch.validation)
    llvm::errs() << llvm::formatv(", validation {0:f4}, top-1 {1:f4}, top-5 {2:f4}", found->loss,
                                  found->top1, found->top5);
  llvm::errs() << llvm::formatv("; {0:f1} s, {1:f0} s left\n", epoch.seconds, left);
}

llvm::Error TrainingLog::write(llvm::StringRef path, int64_t bestEpoch) const {
  json::Array list;
  for (const EpochLog &entry : entries) {
    json::Object object{
        {"epoch", entry.epoch}, {"train_loss", entry.trainLoss}, {"seconds", entry.seconds}};
    if (const auto &found = entry.validation) {
      object["validation_loss"] = found->loss;
      object["top1"] = found->top1;
      object["top5"] = found->top5;
    }
    list.push_back(std::move(object));
  }
  json::Object log{{"best_epoch", bestEpoch}, {"epochs", std::move(list)}};
  return writeAtomically(path, llvm::formatv("{0:2}\n", json::Value(std::move(log))).str());
}
