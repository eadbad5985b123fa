//===- PlannedTask.cpp - A task with the candidates that are to be measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedTask.h"
#include "Sampler.h"
#include "mlir/AsmParser/AsmParser.h"
#include "ucmoh/Collect/CandidateRow.h"
#include "ucmoh/Records/Statistics.h"
#include "llvm/Support/xxhash.h"
#include <limits>

using namespace mlir;
using namespace ucmoh;

static std::string canonicalText(const Candidate &candidate) {
  std::string text;
  llvm::raw_string_ostream(text) << candidate.toAttr(0, "");
  return text;
}

/// None if it is no choice, or one of an intrinsic that the target does not have.
static std::optional<Candidate> readCandidate(CollectContext &context, StringRef text) {
  auto attr = dyn_cast_or_null<ChoiceAttr>(parseAttribute(text, &context.mlir));
  std::string error;
  if (!attr)
    return std::nullopt;
  auto candidate = Candidate::fromAttr(attr, context.target, error);
  return succeeded(candidate) ? std::optional(*candidate) : std::nullopt;
}

/// Reads the candidates that a run has of the task, as far as the target knows its intrinsics; in
/// an order of its own.
llvm::Expected<std::vector<Candidate>> PlannedTask::readMeasured(CollectContext &context,
                                                                 StringRef run) {
  auto choices = context.records.choices({id, context.machine, run});
  if (!choices)
    return choices.takeError();
  std::vector<std::string> texts;
  for (const auto &entry : *choices)
    texts.push_back(entry.getKey().str());
  llvm::sort(texts); // the set has no order
  std::vector<Candidate> candidates;
  for (const std::string &text : texts)
    if (auto candidate = readCandidate(context, text))
      candidates.push_back(*candidate);
  return candidates;
}

llvm::Expected<std::vector<Candidate>> PlannedTask::drawAgain(CollectContext &context) {
  auto candidates = readMeasured(context, context.options.again);
  auto limit = uint64_t(context.options.againShare * std::numeric_limits<uint32_t>::max());
  if (candidates)
    llvm::erase_if(*candidates, [&](const Candidate &candidate) {
      std::string text = canonicalChoice(canonicalText(candidate));
      return (llvm::xxh3_64bits(text) >> 32) > limit;
    });
  return candidates;
}

static std::vector<Candidate> takeFirst(ArrayRef<RankedCandidate> ranked, size_t count) {
  std::vector<Candidate> first;
  for (const RankedCandidate &entry : ranked.take_front(count))
    first.push_back(entry.candidate);
  return first;
}

llvm::Expected<std::vector<Candidate>> PlannedTask::drawNew(CollectContext &context) {
  auto ranked = rankCandidates(*parsed.workload, context.target, *context.model, parsed.reason);
  if (context.options.beatable > 0) {
    auto best = context.records.bestSeconds(id, context.machine);
    if (!best)
      return best.takeError();
    keepBeatable(ranked, *parsed.workload, context.target, context.options.beatable, *best);
  }
  if (context.options.first > 0)
    return takeFirst(ranked, context.options.first);
  SampleOptions sample;
  sample.guided = context.options.guided;
  sample.uniform = context.options.uniform;
  sample.wild = context.options.wild;
  sample.active = context.options.active;
  sample.seed = llvm::xxh3_64bits(id);
  sample.atLeast = context.options.atLeast;
  if (sample.atLeast > 0) {
    auto measured = readMeasured(context, context.options.run);
    if (!measured)
      return measured.takeError();
    sample.measured = std::move(*measured);
    sample.seed += sample.measured.size(); // else the same ones would be drawn once more
  }
  return sampleCandidates(*parsed.workload, context.target, ranked, sample);
}

/// Reads the candidates that the line of the task asks for.
llvm::Expected<std::vector<Candidate>> PlannedTask::readGiven(CollectContext &context,
                                                              llvm::ArrayRef<std::string> choices) {
  std::vector<Candidate> candidates;
  for (const std::string &text : choices) {
    auto candidate = readCandidate(context, text);
    if (!candidate || failed(verifyCandidate(*parsed.workload, *candidate)))
      return llvm::createStringError("target '" + context.options.target +
                                     "' cannot compute the task by the choice '" + text + "'");
    candidates.push_back(*candidate);
  }
  return candidates;
}

llvm::Error PlannedTask::keepNew(CollectContext &context, std::vector<Candidate> &candidates) {
  auto done = context.records.choices({id, context.machine, context.options.run});
  if (!done)
    return done.takeError();
  llvm::erase_if(candidates, [&](const Candidate &candidate) {
    return done->contains(canonicalChoice(canonicalText(candidate)));
  });
  return llvm::Error::success();
}

static MeasureOptions measureOptions(const CollectOptions &options) {
  MeasureOptions measure;
  measure.trial.program.target = options.target;
  measure.trial.program.threads = options.threads;
  measure.gated = options.gated;
  measure.atBestClock = options.atBestClock;
  measure.rounds = options.rounds;
  measure.interleave = options.interleave;
  measure.refinements = options.refinements;
  measure.timeoutSeconds = options.timeoutSeconds;
  return measure;
}

llvm::Expected<std::unique_ptr<PlannedTask>>
PlannedTask::plan(CollectContext &context, const CollectTask &task, std::string &reason) {
  auto planned = std::make_unique<PlannedTask>();
  planned->bestSeconds = std::numeric_limits<double>::infinity();
  auto parsed = PreparedTask::parse(context.mlir, task.ir, task.name);
  if (!parsed)
    return parsed.takeError();
  planned->parsed = std::move(*parsed);
  reason = planned->parsed.reason;
  if (!planned->parsed.workload)
    return nullptr;
  const Workload &workload = *planned->parsed.workload;
  if (workload.flops() > context.options.maxFlops) {
    reason = "too large";
    return nullptr;
  }
  Records::Workload record{workload.name(), task.ir, workload.flops(), task.tags};
  planned->id = record.id();
  auto candidates = !task.choices.empty()           ? planned->readGiven(context, task.choices)
                    : context.options.again.empty() ? planned->drawNew(context)
                                                    : planned->drawAgain(context);
  if (!candidates)
    return candidates.takeError();
  if (auto error = planned->keepNew(context, *candidates))
    return std::move(error);
  reason = "nothing is left to measure";
  if (candidates->empty())
    return nullptr;
  if (auto added = context.records.addWorkload(record); !added)
    return added.takeError();
  for (const Candidate &candidate : *candidates) {
    planned->programs.push_back(hashOfProgram(workload, candidate));
    planned->choices.push_back(candidate.toAttr(0, ""));
  }
  planned->options = measureOptions(context.options);
  return planned;
}

llvm::Error PlannedTask::begin() {
  auto reference = TaskReference::begin(*parsed.plain, parsed.entry, options.trial);
  if (!reference)
    return reference.takeError();
  measurement = std::make_unique<TaskMeasurement>(*parsed.prepared, parsed.entry,
                                                  std::move(*reference), choices, options);
  measurement->begin();
  return llvm::Error::success();
}

llvm::Error PlannedTask::run(llvm::function_ref<void()> beforeLastBatch) {
  return measurement->run(beforeLastBatch);
}

llvm::Expected<int64_t> PlannedTask::record(CollectContext &context) {
  RowOrigin origin{id, context.machine, context.options.target, context.options.run};
  std::vector<Records::Row> rows;
  int64_t failures = 0;
  for (auto [candidate, program] : llvm::zip_equal(measurement->takeCandidates(), programs)) {
    rows.push_back(makeRow(origin, candidate, program));
    const Records::Row &row = rows.back();
    failures += !row.error.empty();
    noisy += row.error.empty() && candidate.isNoisy;
    if (!row.seconds.empty())
      bestSeconds = std::min(bestSeconds, lowerMedian(row.seconds));
  }
  auto added = context.records.addRows(rows);
  if (!added)
    return added.takeError();
  return failures;
}
