//===- CandidateBatch.cpp - Candidates of one op, compiled together in a child process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateBatch.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Runtime/OpClock.h"
#include <sys/resource.h>

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

/// Of memory that is written: a candidate that asks for more is an error, not the end of the
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

llvm::Expected<std::unique_ptr<ChildProcess>>
ucmoh::startCandidateBatch(ModuleOp module, std::string entry, std::vector<ChoiceAttr> choices,
                           std::vector<Tensor> inputs, const TrialOptions &options,
                           const ResultFile &expected) {
  Sentinel::shareWithChildren();
  return ChildProcess::start([=, &expected]() -> ChildProcess::Handler {
    auto batch =
        std::make_shared<CandidateBatch>(module, entry, choices, inputs, options, expected);
    return [batch](const json::Object &request) { return batch->answer(request); };
  });
}
