//===- Trial.cpp - A program that runs in a process of its own
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Trial.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Runtime/OpClock.h"
#include "ucmoh/Runtime/Sentinel.h"
#include "ucmoh/Runtime/TensorFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <cmath>

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

namespace {
/// The child's side.
class Trial {
public:
  Trial(ModuleOp module, std::string entry, const TrialOptions &options, const ResultFile &results)
      : module(module), entry(std::move(entry)), options(options), results(results) {}
  json::Object answer(const json::Object &request);

private:
  llvm::Expected<json::Object> dispatch(const json::Object &request);
  llvm::Expected<json::Object> prepare();
  llvm::Expected<json::Object> publish();
  llvm::Expected<json::Object> verify();
  llvm::Expected<json::Object> check();
  llvm::Expected<json::Object> time(int64_t repeats, double budgetSeconds);
  llvm::Expected<json::Object> profile();
  llvm::Expected<json::Object> save(StringRef directory, StringRef infix, ArrayRef<Tensor> tensors);
  llvm::Expected<CallTimes> call();
  void keep(const CallTimes &sample);
  void forgetSamples();
  json::Object describeTimes(bool quiet) const;
  std::vector<double> otherSeconds() const;

  ModuleOp module;
  std::string entry;
  TrialOptions options;
  const ResultFile &results;
  std::unique_ptr<CompiledProgram> program;
  std::vector<Tensor> arguments;
  std::optional<Sentinel> sentinel;
  std::vector<double> seconds;
  std::vector<std::vector<double>> partSeconds; ///< per op and what is timed besides, per sample
};
} // namespace

json::Object Trial::answer(const json::Object &request) {
  auto result = dispatch(request);
  if (result)
    return std::move(*result);
  return json::Object{{"error", llvm::toString(result.takeError())}};
}

llvm::Expected<json::Object> Trial::dispatch(const json::Object &request) {
  StringRef what = request.getString("do").value_or("");
  if (what == "prepare")
    return prepare();
  if (!program)
    return llvm::createStringError("the program is not prepared");
  if (what == "publish")
    return publish();
  if (what == "verify")
    return verify();
  if (what == "check")
    return check();
  if (what == "time")
    return time(request.getInteger("repeats").value_or(1),
                request.getNumber("budget_seconds").value_or(1));
  if (what == "profile")
    return profile();
  if (what == "save")
    return save(request.getString("directory").value_or("."), "", program->getResults());
  if (what == "save arguments")
    return save(request.getString("directory").value_or("."), "argument.", arguments);
  return llvm::createStringError("unknown request '" + what + "'");
}

static json::Array describe(ArrayRef<OpInfo> ops) {
  json::Array array;
  for (const OpInfo &op : ops)
    array.push_back(json::Object{{"workload", op.workload},
                                 {"flops", op.flops},
                                 {"choice", op.choice},
                                 {"summary", op.summary},
                                 {"predicted_seconds", op.predictedSeconds}});
  return array;
}

static json::Array describe(ArrayRef<RestInfo> rest) {
  json::Array array;
  for (const RestInfo &row : rest)
    array.push_back(json::Object{{"name", row.name}, {"count", row.count}});
  array.push_back(json::Object{{"name", "other"}, {"count", nullptr}});
  return array;
}

static json::Array describe(ArrayRef<KernelNeeds> kernels) {
  json::Array array;
  for (const KernelNeeds &needs : kernels) {
    json::Object row{{"kernel", needs.kernel}, {"error", nullptr}};
    if (needs.error.empty()) {
      row["registers"] = needs.registers;
      row["spill_bytes"] = needs.spillBytes;
      row["shared_memory_bytes"] = needs.sharedMemoryBytes;
    } else {
      row["error"] = needs.error;
    }
    array.push_back(std::move(row));
  }
  return array;
}

llvm::Expected<json::Object> Trial::prepare() {
  auto compiled = CompiledProgram::compile(module, StringRef(entry), options.program);
  if (!compiled)
    return compiled.takeError();
  program = std::move(*compiled);
  partSeconds.resize(program->getOps().size() + program->getRest().size());
  auto inputs = makeInputs(program->getSignature(), options.inputs);
  if (!inputs)
    return inputs.takeError();
  arguments = std::move(*inputs);
  if (auto error = program->prepare(arguments))
    return std::move(error);
  auto first = call();
  if (!first)
    return first.takeError();
  keep(*first);
  return json::Object{{"ops", describe(program->getOps())},
                      {"rest", describe(program->getRest())},
                      {"kernels", describe(program->getKernels())},
                      {"emulated", program->isEmulated()}};
}

/// Seconds of the whole program, then of each op, then of what is timed besides.
llvm::Expected<CallTimes> Trial::call() {
  OpClock::reset(partSeconds.size());
  if (auto error = program->run())
    return std::move(error);
  CallTimes times = {OpClock::getElapsedSeconds()};
  llvm::append_range(times, OpClock::getSeconds());
  return times;
}

void Trial::keep(const CallTimes &sample) {
  seconds.push_back(sample.front());
  for (auto [samples, part] : llvm::zip_equal(partSeconds, llvm::drop_begin(sample)))
    samples.push_back(part);
}

void Trial::forgetSamples() {
  seconds.clear();
  for (auto &samples : partSeconds)
    samples.clear();
}

llvm::Expected<json::Object> Trial::publish() {
  if (auto error = results.write(program->getResults()))
    return std::move(error);
  return json::Object{};
}

double ucmoh::toleranceOf(const CompiledProgram &program, const TrialOptions &options) {
  if (options.tolerance)
    return *options.tolerance;
  double widest = 0;
  const Signature &signature = program.getSignature();
  for (auto *list : {&signature.parameters, &signature.results})
    for (const Parameter &parameter : *list)
      widest = std::max(widest, defaultTolerance(parameter.elementType));
  return widest;
}

/// JSON has no other numbers.
static json::Value finiteOrNull(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

llvm::Expected<json::Object> Trial::verify() {
  auto expected = results.read(program->getSignature().results);
  if (!expected)
    return expected.takeError();
  Difference worst = compareAll(program->getResults(), *expected, toleranceOf(*program, options));
  Noise noise = measureNoise(program->getResults(), *expected);
  return json::Object{
      {"verified", worst.equal},    {"max_abs_error", finiteOrNull(worst.maxAbsoluteError)},
      {"message", worst.message},   {"snr_db", finiteOrNull(noise.decibel())},
      {"differing", noise.share()}, {"rounds", program->roundsFloats()}};
}

static json::Array describe(ArrayRef<CheckResult> checks) {
  json::Array array;
  for (const CheckResult &check : checks)
    if (check.executed)
      array.push_back(
          json::Object{{"op", check.op < 0 ? json::Value(nullptr) : check.op},
                       {"verified", check.difference.equal},
                       {"max_abs_error", finiteOrNull(check.difference.maxAbsoluteError)},
                       {"message", check.difference.message}});
  return array;
}

/// The same program, compiled once more with a comparison behind each kernel.
llvm::Expected<json::Object> Trial::check() {
  CompileOptions checked = options.program;
  checked.check = true;
  auto compiled = CompiledProgram::compile(module, StringRef(entry), checked);
  if (!compiled)
    return compiled.takeError();
  KernelChecks::reset((*compiled)->getChecks(), options.tolerance);
  if (auto error = (*compiled)->prepare(arguments))
    return std::move(error);
  if (auto error = (*compiled)->run())
    return std::move(error);
  return json::Object{{"checks", describe(KernelChecks::getResults())}};
}

/// Returns the time around which no clock was called: allocations, and ops that are not worth it.
std::vector<double> Trial::otherSeconds() const {
  std::vector<double> other = seconds;
  for (auto [index, left] : llvm::enumerate(other)) {
    for (const auto &samples : partSeconds)
      left -= samples[index];
    left = std::max(left, 0.0);
  }
  return other;
}

json::Object Trial::describeTimes(bool quiet) const {
  json::Array ops, rest;
  for (auto [index, samples] : llvm::enumerate(partSeconds))
    (index < program->getOps().size() ? ops : rest).push_back(json::Array(samples));
  rest.push_back(json::Array(otherSeconds()));
  return json::Object{{"seconds", json::Array(seconds)},
                      {"ops", std::move(ops)},
                      {"rest", std::move(rest)},
                      {"quiet", quiet}};
}

llvm::Expected<json::Object> Trial::time(int64_t repeats, double budgetSeconds) {
  if (program->isEmulated()) {
    forgetSamples();
    return describeTimes(/*quiet=*/true);
  }
  auto start = std::chrono::steady_clock::now();
  auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  // A first run that takes the whole budget has to do as a sample; nobody knows how quiet it was.
  bool enough = !seconds.empty() && seconds.front() > budgetSeconds;
  bool quiet = !enough;
  if (!enough) {
    forgetSamples();
    if (!sentinel)
      sentinel.emplace();
  }
  while (!enough) {
    auto sample = takeSample(*sentinel, GateOptions(), [&] { return call(); });
    if (!sample)
      return sample.takeError();
    quiet &= sample->quiet;
    keep(sample->seconds);
    enough = static_cast<int64_t>(seconds.size()) >= repeats || spent() > budgetSeconds;
  }
  return describeTimes(quiet);
}

/// One more call, of which each execution of an op is told.
llvm::Expected<json::Object> Trial::profile() {
  if (program->isEmulated())
    return llvm::createStringError("an emulator has no times to profile; leave --profile out");
  auto times = call();
  if (!times)
    return times.takeError();
  json::Array spans;
  for (const OpSpan &span : OpClock::getSpans())
    spans.push_back(json::Array{span.op, span.startSeconds, span.seconds});
  return json::Object{{"seconds", times->front()}, {"spans", std::move(spans)}};
}

llvm::Expected<json::Object> Trial::save(StringRef directory, StringRef infix,
                                         ArrayRef<Tensor> tensors) {
  if (auto code = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError(directory + ": " + code.message());
  for (auto [index, tensor] : llvm::enumerate(tensors))
    if (auto error = writeNpy(
            llvm::formatv("{0}/{1}.{2}{3}.npy", directory, entry, infix, index).str(), tensor))
      return std::move(error);
  return json::Object{};
}

llvm::Expected<std::unique_ptr<ChildProcess>> ucmoh::startTrial(ModuleOp module, std::string entry,
                                                                const TrialOptions &options,
                                                                const ResultFile &results) {
  Sentinel::shareWithChildren();
  return ChildProcess::start([=, &results]() -> ChildProcess::Handler {
    auto trial = std::make_shared<Trial>(module, entry, options, results);
    return [trial](const json::Object &request) { return trial->answer(request); };
  });
}
