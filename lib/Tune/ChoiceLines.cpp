//===- ChoiceLines.cpp - Choices of a tuner as files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/ChoiceLines.h"
#include "ucmoh/Support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace ucmoh;
namespace json = llvm::json;

static json::Object toLine(const TunedTask &task) {
  std::string choice;
  llvm::raw_string_ostream(choice) << task.attribute;
  json::Object line{{"workload", task.name}, {"workload_hash", task.identity},
                    {"choice", choice},      {"rank", int64_t(task.choice)},
                    {"uses", task.uses},     {"trials", task.trials}};
  if (task.before > 0)
    line["before_seconds"] = task.before;
  if (task.after > 0)
    line["seconds"] = task.after;
  return line;
}

llvm::Error ucmoh::writeChoices(llvm::StringRef path, llvm::ArrayRef<TunedTask> tasks) {
  return writeAtomically(path, [&](llvm::raw_ostream &out) {
    for (const TunedTask &task : tasks)
      out << json::Value(toLine(task)) << "\n";
    return llvm::Error::success();
  });
}

static std::string microseconds(double seconds) {
  return seconds > 0 ? llvm::formatv("{0:f1}", seconds * 1e6).str() : "-";
}

static std::string ratio(double before, double after) {
  return before > 0 && after > 0 ? llvm::formatv("{0:f2}", before / after).str() : "-";
}

void ucmoh::printTable(const Tuner &tuner, llvm::raw_ostream &out) {
  constexpr const char *format = "{0,-44} {1,4} {2,7} {3,12} {4,12} {5,7} {6,7} {7,8}  {8}\n";
  out << llvm::formatv(format, "workload", "uses", "of", "before us", "after us", "faster",
                       "trials", "seconds", "");
  for (const TunedTask &task : tuner.getTasks())
    out << llvm::formatv(format, task.name, task.uses, task.candidates, microseconds(task.before),
                         microseconds(task.after), ratio(task.before, task.after), task.trials,
                         llvm::formatv("{0:f1}", task.seconds), task.note);
  if (auto seconds = tuner.getModelSeconds())
    out << llvm::formatv("the model, in place: {0} us with the picks, {1} us with the choices, {2} "
                         "times faster\n",
                         microseconds(seconds->first), microseconds(seconds->second),
                         ratio(seconds->first, seconds->second));
  out << tuner.getEnd() << "\n";
}
