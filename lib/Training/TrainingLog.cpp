//===- TrainingLog.cpp - How a training went
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingLog.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace ucmoh;
namespace json = llvm::json;

void TrainingLog::add(const EpochLog &epoch) {
  entries.push_back(epoch);
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  double left = spent.count() / entries.size() * (epochs - entries.size());
  llvm::errs() << llvm::formatv(
      "epoch {0}/{1}: loss {2:f4}, validation {3:f4}, top-1 {4:f4}, top-5 "
      "{5:f4}; {6:f1} s, {7:f0} s left\n",
      epoch.epoch, epochs, epoch.trainLoss, epoch.validationLoss, epoch.top1, epoch.top5,
      epoch.seconds, left);
}

llvm::Error TrainingLog::write(llvm::StringRef path, int64_t bestEpoch) const {
  json::Array list;
  for (const EpochLog &entry : entries)
    list.push_back(json::Object{{"epoch", entry.epoch},
                                {"train_loss", entry.trainLoss},
                                {"validation_loss", entry.validationLoss},
                                {"top1", entry.top1},
                                {"top5", entry.top5},
                                {"seconds", entry.seconds}});
  json::Object log{{"best_epoch", bestEpoch}, {"epochs", std::move(list)}};
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}\n", json::Value(std::move(log)));
    return llvm::Error::success();
  });
}
