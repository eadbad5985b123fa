//===- Runner.cpp - A function compiled, verified and timed
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Runner.h"
#include "Verdict.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Records/Statistics.h"
#include "ucmoh/Runtime/Explore.h"
#include "ucmoh/Runtime/MeasuringProcess.h"
#include "ucmoh/Runtime/ObjectCache.h"
#include <algorithm>

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

/// Plain loops are only compared with: a few samples do.
static constexpr int64_t plainRepeats = 3;
static constexpr double plainBudgetSeconds = 1;

json::Value ucmoh::summarize(const json::Array *samples) {
  if (!samples || samples->empty())
    return nullptr;
  std::vector<double> sorted;
  for (const json::Value &sample : *samples)
    sorted.push_back(sample.getAsNumber().value_or(0));
  llvm::sort(sorted);
  return json::Object{{"min", sorted.front()},
                      {"median", lowerMedian(sorted)},
                      {"n", static_cast<int64_t>(sorted.size())}};
}

static std::optional<double> minimum(const json::Array *samples) {
  json::Value summary = summarize(samples);
  return summary.getAsObject() ? summary.getAsObject()->getNumber("min") : std::nullopt;
}

static json::Value orNull(std::optional<double> value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

namespace {
/// One function's way through the reference and the tensorized program.
class Run {
public:
  Run(ModuleOp module, StringRef function, const RunOptions &options)
      : module(module), function(function), options(options) {}
  llvm::Error run();
  json::Object report;

private:
  llvm::Error runPlain();
  llvm::Error runTensorized();
  llvm::Error profile(ChildProcess &child);
  llvm::Error explore();
  llvm::Expected<json::Object> ask(ChildProcess &child, json::Object request) {
    return child.ask(std::move(request), options.timeoutSeconds);
  }
  void reportTimes(const json::Object &times, const json::Object &prepared);
  void reportRest(const json::Object &times, const json::Array &rest);
  json::Object describeOp(int64_t index, const json::Object &op, const json::Array &samples);

  ModuleOp module;
  StringRef function;
  const RunOptions &options;
  ResultFile expected;
  json::Object plainTimes;
};
} // namespace

static json::Object timeRequest(int64_t repeats, double budgetSeconds) {
  return json::Object{{"do", "time"}, {"repeats", repeats}, {"budget_seconds", budgetSeconds}};
}

/// The untransformed function as plain loops: what is right, and how long it takes.
llvm::Error Run::runPlain() {
  TrialOptions plain = options.trial;
  plain.program.tensorize = false;
  auto child = startTrial(module, function.str(), plain, expected);
  if (!child)
    return child.takeError();
  for (const char *step : {"prepare", "publish"})
    if (auto answer = ask(**child, json::Object{{"do", step}}); !answer)
      return answer.takeError();
  if (report.getBoolean("emulated").value_or(false))
    return llvm::Error::success(); // nothing to compare with
  auto times = ask(**child, timeRequest(plainRepeats, plainBudgetSeconds));
  if (!times)
    return times.takeError();
  plainTimes = std::move(*times);
  report["plain_seconds"] = orNull(minimum(plainTimes.getArray("seconds")));
  return llvm::Error::success();
}

json::Object Run::describeOp(int64_t index, const json::Object &op, const json::Array &samples) {
  json::Object row(op);
  row.erase("flops");
  row["op"] = index;
  if (op.getString("choice").value_or("").empty())
    row["choice"] = row["predicted_seconds"] = nullptr;
  if (op.getString("summary").value_or("").empty())
    row["summary"] = nullptr;
  row["seconds"] = summarize(&samples);
  std::optional<double> seconds = minimum(&samples);
  double flops = op.getNumber("flops").value_or(0);
  row["gops"] =
      orNull(seconds && *seconds > 0 && flops > 0 ? std::optional<double>(flops / *seconds * 1e-9)
                                                  : std::nullopt);
  row["plain_seconds"] = nullptr;
  if (auto *plain = plainTimes.getArray("ops");
      plain && index < static_cast<int64_t>(plain->size()))
    row["plain_seconds"] = orNull(minimum((*plain)[index].getAsArray()));
  return row;
}

void Run::reportRest(const json::Object &times, const json::Array &rest) {
  json::Array rows;
  for (auto [row, samples] : llvm::zip_equal(rest, *times.getArray("rest"))) {
    rows.push_back(row);
    (*rows.back().getAsObject())["seconds"] = summarize(samples.getAsArray());
  }
  report["rest"] = std::move(rows);
}

void Run::reportTimes(const json::Object &times, const json::Object &prepared) {
  report["seconds"] = summarize(times.getArray("seconds"));
  report["quiet"] = times.getBoolean("quiet").value_or(false);
  json::Array rows;
  const json::Array *samples = times.getArray("ops");
  for (auto [index, op] : llvm::enumerate(*prepared.getArray("ops")))
    rows.push_back(describeOp(index, *op.getAsObject(), *(*samples)[index].getAsArray()));
  report["ops"] = std::move(rows);
  reportRest(times, *prepared.getArray("rest"));
}

llvm::Error Run::runTensorized() {
  auto child = startTrial(module, function.str(), options.trial, expected);
  if (!child)
    return child.takeError();
  auto prepared = ask(**child, json::Object{{"do", "prepare"}});
  if (!prepared)
    return prepared.takeError();
  if (prepared->getBoolean("emulated").value_or(false))
    report["emulated"] = true; // by the driver of a device
  if (json::Array *kernels = prepared->getArray("kernels"); kernels && !kernels->empty())
    report["kernels"] = json::Array(*kernels);
  if (options.verify)
    if (auto error = addVerdict(**child, options, *prepared->getArray("ops"), report))
      return error;
  using Saved = std::pair<const char *, const std::string &>;
  for (auto [what, directory] : {Saved("save", options.outputDirectory),
                                 Saved("save arguments", options.argumentsDirectory)})
    if (!directory.empty())
      if (auto saved = ask(**child, json::Object{{"do", what}, {"directory", directory}}); !saved)
        return saved.takeError();
  auto times = ask(**child, timeRequest(options.repeats, options.budgetSeconds));
  if (!times)
    return times.takeError();
  reportTimes(*times, *prepared);
  return options.profile ? profile(**child) : llvm::Error::success();
}

llvm::Error Run::profile(ChildProcess &child) {
  auto profile = ask(child, json::Object{{"do", "profile"}});
  if (!profile)
    return profile.takeError();
  report["profile"] = std::move(*profile);
  return llvm::Error::success();
}

llvm::Error Run::explore() {
  auto candidates = exploreCandidates(module, function, options, expected);
  if (!candidates)
    return candidates.takeError();
  for (auto [row, ofOp] : llvm::zip_equal(*report.getArray("ops"), *candidates))
    (*row.getAsObject())["candidates"] = ofOp;
  return llvm::Error::success();
}

llvm::Error Run::run() {
  if (options.verify)
    if (auto error = runPlain())
      return llvm::createStringError("plain loops: " + llvm::toString(std::move(error)));
  if (auto error = runTensorized())
    return error;
  return options.top ? explore() : llvm::Error::success();
}

json::Object ucmoh::runFunction(ModuleOp module, StringRef function, const RunOptions &options) {
  keepFreedMemoryOrWarn(); // children inherit it
  ObjectCache::ofUser();   // and that
  Run run(module, function, options);
  run.report = json::Object{{"function", function},     {"target", options.trial.program.target},
                            {"machine", nullptr},       {"machine_file", nullptr},
                            {"machine_id", nullptr},    {"ops", json::Array()},
                            {"rest", json::Array()},    {"seconds", nullptr},
                            {"plain_seconds", nullptr}, {"verified", nullptr},
                            {"max_abs_error", nullptr}, {"snr_db", nullptr},
                            {"differing", nullptr},     {"checks", json::Array()},
                            {"emulated", false},        {"error", nullptr}};
  if (auto target = loadTarget(module.getContext(), options.trial.program.target);
      succeeded(target)) {
    run.report["machine"] = target->machine.name;
    run.report["machine_file"] = target->machine.source;
    run.report["machine_id"] = target->machineId();
    run.report["emulated"] = target->isEmulated;
  }
  if (auto error = run.run())
    run.report["error"] = llvm::toString(std::move(error));
  return std::move(run.report);
}
