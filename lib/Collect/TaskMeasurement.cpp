//===- TaskMeasurement.cpp - The candidates of one task, measured against each other
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Collect/TaskMeasurement.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Records/Statistics.h"
#include "ucmoh/Runtime/OpClock.h"
#include "ucmoh/Runtime/Sentinel.h"
#include "ucmoh/Runtime/Trial.h"
#include <algorithm>
#include <limits>
#include <sys/resource.h>

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// A child with candidates
//===----------------------------------------------------------------------===//

/// A child may write so much memory: a candidate that asks for more is an error, not the end of the
/// machine. Addresses are not counted: the driver of a device reserves more of them.
static constexpr rlim_t memoryLimitBytes = rlim_t(12) << 30;

namespace {
/// The child's side.
class CandidateBatch {
public:
  CandidateBatch(ModuleOp module, std::string entry, std::vector<ChoiceAttr> choices,
                 std::vector<Tensor> inputs, const TrialOptions &options,
                 const ResultFile &expected)
      : module(module), entry(std::move(entry)), choices(std::move(choices)),
        inputs(std::move(inputs)), options(options), expected(expected) {}
  json::Object answer(const json::Object &request);

private:
  llvm::Expected<json::Object> dispatch(const json::Object &request);
  llvm::Expected<json::Object> compile();
  llvm::Expected<json::Object> verify(CompiledProgram &program);
  llvm::Expected<json::Object> time(CompiledProgram &program, const GateOptions &gate);
  OwningOpRef<ModuleOp> pinChoices(std::vector<std::string> &names);
  static llvm::Expected<CallTimes> call(CompiledProgram &program);

  ModuleOp module;
  std::string entry;
  std::vector<ChoiceAttr> choices;
  std::vector<Tensor> inputs;
  TrialOptions options;
  const ResultFile &expected;
  std::vector<std::unique_ptr<CompiledProgram>> programs;
  std::vector<Tensor> results; ///< the expected ones, once they were read
  std::optional<Sentinel> sentinel;
};
} // namespace

json::Object CandidateBatch::answer(const json::Object &request) {
  auto result = dispatch(request);
  if (result)
    return std::move(*result);
  return json::Object{{"error", llvm::toString(result.takeError())}};
}

/// The last cores, and before all others that want it, where that is allowed.
static void takeCores(int64_t count) {
  stayOnLast(count);
  goBeforeOthers();
}

static GateOptions readGate(const json::Object &request) {
  GateOptions gate;
  gate.sampleSeconds = request.getNumber("sample_seconds").value_or(0);
  gate.atBestClock = request.getBoolean("at_best_clock").value_or(gate.atBestClock);
  if (!request.getBoolean("gated").value_or(true)) {
    gate.waitSeconds = 0;
    gate.attempts = 1;
  }
  return gate;
}

static bool isGated(const GateOptions &gate) { return gate.waitSeconds > 0; }

llvm::Expected<json::Object> CandidateBatch::dispatch(const json::Object &request) {
  StringRef what = request.getString("do").value_or("");
  if (what == "compile")
    return compile();
  size_t index = request.getInteger("index").value_or(-1);
  if (index >= programs.size())
    return llvm::createStringError("there is no such candidate");
  takeCores(options.program.threads);
  if (what == "verify")
    return verify(*programs[index]);
  if (what == "time")
    return time(*programs[index], readGate(request));
  return llvm::createStringError("unknown request '" + what + "'");
}

/// A function per choice, all of them public.
OwningOpRef<ModuleOp> CandidateBatch::pinChoices(std::vector<std::string> &names) {
  OwningOpRef<ModuleOp> copy(module.clone());
  auto original = copy->lookupSymbol<func::FuncOp>(entry);
  for (ChoiceAttr choice : choices) {
    func::FuncOp function = original.clone();
    names.push_back("candidate" + std::to_string(names.size()));
    function.setSymName(names.back());
    function.walk([&](Operation *op) {
      if (isContractionLike(op))
        op->setAttr("ucmoh.choice", choice);
    });
    copy->push_back(function);
  }
  return copy;
}

llvm::Expected<json::Object> CandidateBatch::compile() {
  rlimit limit = {memoryLimitBytes, memoryLimitBytes};
  setrlimit(RLIMIT_DATA, &limit);
  std::vector<std::string> names;
  OwningOpRef<ModuleOp> pinned = pinChoices(names);
  auto compiled = CompiledProgram::compile(*pinned, names, options.program);
  if (!compiled)
    return compiled.takeError();
  programs = std::move(*compiled);
  return json::Object{};
}

llvm::Expected<CallTimes> CandidateBatch::call(CompiledProgram &program) {
  OpClock::reset(program.getOps().size());
  if (auto error = program.run())
    return std::move(error);
  return OpClock::getSeconds();
}

llvm::Expected<json::Object> CandidateBatch::verify(CompiledProgram &program) {
  if (auto error = program.prepare(inputs))
    return std::move(error);
  auto seconds = call(program);
  if (!seconds)
    return seconds.takeError();
  if (results.empty()) {
    auto read = expected.read(program.getSignature().results);
    if (!read)
      return read.takeError();
    results = std::move(*read);
  }
  Difference difference = compareAll(program.getResults(), results, toleranceOf(program, options));
  return json::Object{{"verified", difference.equal},
                      {"message", difference.message},
                      {"seconds", seconds->front()}};
}

llvm::Expected<json::Object> CandidateBatch::time(CompiledProgram &program,
                                                  const GateOptions &gate) {
  if (!sentinel)
    sentinel.emplace();
  auto sample = takeSample(*sentinel, gate, [&] { return call(program); });
  if (!sample)
    return sample.takeError();
  return json::Object{{"seconds", sample->seconds.front()},
                      {"quiet", sample->quiet || !isGated(gate)}};
}

/// Starts a child process that holds the function `entry` of `module` once per choice, and answers
///
/// | {"do": ...} | answer |
/// |---|---|
/// | "compile" | all of them, not on the core that measures: {} |
/// | "verify", "index" | packs, runs once, compares with `expected`: {"verified", "message",
/// "seconds"} of the op in that run |
/// | "time", "index", "sample_seconds", "gated", "at_best_clock" | {"seconds", "quiet"}: a sample,
/// see Gate.h |
///
/// `inputs` are the function's arguments. `module` is as ucmoh-prepare leaves it, so that choices
/// can be pinned on its ops.
static llvm::Expected<std::unique_ptr<ChildProcess>>
startCandidateBatch(ModuleOp module, std::string entry, std::vector<ChoiceAttr> choices,
                    std::vector<Tensor> inputs, const TrialOptions &options,
                    const ResultFile &expected) {
  Sentinel::shareWithChildren();
  return ChildProcess::start([=, &expected]() -> ChildProcess::Handler {
    auto batch =
        std::make_shared<CandidateBatch>(module, entry, choices, inputs, options, expected);
    return [batch](const json::Object &request) { return batch->answer(request); };
  });
}

/// So many times slower than the best one: two rounds say enough.
static constexpr double prunedSlowness = 4;

//===----------------------------------------------------------------------===//
// The measurement
//===----------------------------------------------------------------------===//

/// Noisy samples serve as long as there are no others, and the lowest says most.
void MeasuredCandidate::add(double sample, bool quiet) {
  if (!quiet && !seconds.empty() && !isNoisy)
    return;
  if (!quiet && isNoisy)
    sample = std::min(sample, seconds.front());
  if (isNoisy)
    seconds.clear();
  isNoisy = !quiet;
  seconds.push_back(sample);
}

TaskMeasurement::TaskMeasurement(ModuleOp module, std::string entry,
                                 std::shared_ptr<TaskReference> reference,
                                 std::vector<ChoiceAttr> choices, const MeasureOptions &options)
    : module(module), entry(std::move(entry)), options(options), reference(std::move(reference)),
      bestSeconds(std::numeric_limits<double>::infinity()) {
  for (ChoiceAttr choice : choices)
    candidates.push_back({choice, {}, false, ""});
  for (size_t first = 0; first < candidates.size(); first += options.batchSize) {
    std::vector<size_t> &members = queue.emplace_back();
    for (size_t i = first; i < std::min(candidates.size(), first + options.batchSize); ++i)
      members.push_back(i);
  }
}

//===----------------------------------------------------------------------===//
// Children
//===----------------------------------------------------------------------===//

void TaskMeasurement::begin() { startCompilers(); }

void TaskMeasurement::startCompilers() {
  while (compiling.size() < options.compilers && !queue.empty()) {
    Batch batch;
    batch.members = std::move(queue.front());
    queue.pop_front();
    std::vector<ChoiceAttr> choices;
    for (size_t member : batch.members)
      choices.push_back(candidates[member].choice);
    auto child = startCandidateBatch(module, entry, std::move(choices), reference->getInputs(),
                                     options.trial, reference->getExpected());
    llvm::Error error = child ? (*child)->send(json::Object{{"do", "compile"}}) : child.takeError();
    if (error) {
      split(batch, llvm::toString(std::move(error)));
      continue;
    }
    batch.child = std::move(*child);
    compiling.push_back(std::move(batch));
  }
}

/// Halves a batch that does not compile until the culprit is alone.
void TaskMeasurement::split(Batch &batch, const std::string &error) {
  if (batch.members.size() == 1) {
    candidates[batch.members.front()].error = error;
    return;
  }
  auto middle = batch.members.begin() + batch.members.size() / 2;
  queue.emplace_front(middle, batch.members.end());
  queue.emplace_front(batch.members.begin(), middle);
}

llvm::Error TaskMeasurement::run(llvm::function_ref<void()> beforeLastBatch) {
  if (auto error = reference->await(options.timeoutSeconds))
    return error;
  bool announced = false;
  while (startCompilers(), !compiling.empty()) {
    Batch batch = std::move(compiling.front());
    compiling.pop_front();
    auto compiled = batch.child->receive(options.timeoutSeconds);
    startCompilers();
    if (compiling.empty() && !announced) {
      announced = true;
      beforeLastBatch();
    }
    if (!compiled)
      split(batch, llvm::toString(compiled.takeError()));
    else if (measure(batch) && options.refinements > 0)
      kept.push_back(std::move(batch));
  }
  refine();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// When the child is gone, the other members get another one.
bool TaskMeasurement::fail(Batch &batch, size_t position, llvm::Error error) {
  candidates[batch.members[position]].error = llvm::toString(std::move(error));
  if (batch.child->isAlive())
    return true;
  std::vector<size_t> others;
  for (size_t member : batch.members)
    if (candidates[member].error.empty()) {
      candidates[member].seconds.clear();
      others.push_back(member);
    }
  if (!others.empty())
    queue.push_front(std::move(others));
  return false;
}

bool TaskMeasurement::verify(Batch &batch) {
  for (size_t position = 0; position < batch.members.size(); ++position) {
    MeasuredCandidate &candidate = candidates[batch.members[position]];
    auto verdict = batch.child->ask(json::Object{{"do", "verify"}, {"index", int64_t(position)}},
                                    options.timeoutSeconds);
    if (!verdict) {
      if (!fail(batch, position, verdict.takeError()))
        return false;
      continue;
    }
    if (!verdict->getBoolean("verified").value_or(false))
      candidate.error = "wrong result: " + verdict->getString("message").value_or("").str();
    else if (double seconds = verdict->getNumber("seconds").value_or(0);
             seconds > MeasuredCandidate::longRunSeconds)
      candidate.seconds.push_back(seconds);
  }
  return true;
}

llvm::Error TaskMeasurement::takeTime(Batch &batch, size_t position, double sampleSeconds) {
  auto sample = batch.child->ask(json::Object{{"do", "time"},
                                              {"index", int64_t(position)},
                                              {"sample_seconds", sampleSeconds},
                                              {"gated", options.gated},
                                              {"at_best_clock", options.atBestClock}},
                                 options.timeoutSeconds);
  if (!sample)
    return sample.takeError();
  bool quiet = sample->getBoolean("quiet").value_or(false);
  candidates[batch.members[position]].add(sample->getNumber("seconds").value_or(0), quiet);
  bestSeconds = std::min(bestSeconds, candidates[batch.members[position]].seconds.back());
  return llvm::Error::success();
}

bool TaskMeasurement::timeUnlessPruned(Batch &batch, size_t position, int64_t round) {
  const MeasuredCandidate &candidate = candidates[batch.members[position]];
  // All of its samples say so: one may have been noisy.
  bool isPruned = round > 1 && candidate.isMeasured() &&
                  *llvm::min_element(candidate.seconds) > prunedSlowness * bestSeconds;
  if (!candidate.error.empty() || candidate.isLong() || isPruned)
    return true;
  if (auto error = takeTime(batch, position, options.sampleSeconds))
    return fail(batch, position, std::move(error));
  return true;
}

bool TaskMeasurement::measure(Batch &batch) {
  if (!verify(batch))
    return false;
  int64_t size = batch.members.size();
  for (int64_t i = 0; i < size * options.rounds; ++i) {
    int64_t position = options.interleave ? i % size : i / options.rounds;
    int64_t round = options.interleave ? i / size : i % options.rounds;
    if (!timeUnlessPruned(batch, position, round))
      return false;
  }
  return true;
}

/// The best tenth, fastest first, and where to find each.
std::vector<std::pair<TaskMeasurement::Batch *, size_t>> TaskMeasurement::findBest() {
  std::vector<std::tuple<double, Batch *, size_t>> all;
  for (Batch &batch : kept)
    for (size_t position = 0; position < batch.members.size(); ++position)
      if (const MeasuredCandidate &candidate = candidates[batch.members[position]];
          candidate.isMeasured() && !candidate.isLong())
        all.emplace_back(lowerMedian(candidate.seconds), &batch, position);
  llvm::sort(all, [](const auto &a, const auto &b) { return std::get<0>(a) < std::get<0>(b); });
  all.resize(std::min<size_t>(all.size(), std::max<size_t>(3, all.size() / 10)));
  std::vector<std::pair<Batch *, size_t>> best;
  for (auto &[seconds, batch, position] : all)
    best.emplace_back(batch, position);
  return best;
}

void TaskMeasurement::refine() {
  auto best = findBest();
  for (int64_t round = 0; round < options.refinements; ++round) {
    for (auto [batch, position] : best)
      if (auto error = takeTime(*batch, position, options.finalSeconds)) {
        llvm::consumeError(std::move(error)); // all rounds are done: what was measured is kept
        return;
      }
    auto again = findBest();
    if (again == best && round > 0)
      return;
    best = std::move(again);
  }
}

//===----------------------------------------------------------------------===//
// The reference
//===----------------------------------------------------------------------===//

llvm::Expected<std::shared_ptr<TaskReference>>
TaskReference::begin(ModuleOp plain, const std::string &entry, const TrialOptions &options) {
  auto reference = std::make_shared<TaskReference>();
  TrialOptions trial = options;
  trial.program.tensorize = false;
  auto child = startTrial(plain, entry, trial, reference->expected);
  if (!child)
    return child.takeError();
  reference->child = std::move(*child);
  auto signature = readSignature(plain.lookupSymbol<func::FuncOp>(entry));
  if (!signature)
    return signature.takeError();
  auto made = makeInputs(*signature, options.inputs);
  if (!made)
    return made.takeError();
  reference->inputs = std::move(*made);
  if (auto error = reference->child->send(json::Object{{"do", "prepare"}}))
    return std::move(error);
  return reference;
}

llvm::Error TaskReference::publish(double seconds) {
  auto prepared = child->receive(seconds);
  if (!prepared)
    return prepared.takeError();
  return child->ask(json::Object{{"do", "publish"}}, seconds).takeError();
}

llvm::Error TaskReference::await(double seconds) {
  if (child) {
    if (auto error = publish(seconds))
      failure = llvm::toString(std::move(error));
    child.reset();
  }
  return failure.empty() ? llvm::Error::success() : llvm::createStringError(failure);
}
