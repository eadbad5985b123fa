//===- Explore.cpp - The best candidates of each op, measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Explore.h"
#include "Verdict.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "ucmoh/Runtime/LoweredProgram.h"
#include "ucmoh/Transforms/PreparedTask.h"

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

/// Programs that are in memory at the same time, and how many rounds are timed.
static constexpr int64_t batchSize = 8, rounds = 3;

namespace {
struct RankedOp {
  Operation *op;
  int64_t index;                   ///< the contraction's number, before the module was prepared
  std::vector<ChoiceAttr> choices; ///< best predicted first
};
} // namespace

static llvm::Expected<std::vector<RankedOp>> rankOps(func::FuncOp function,
                                                     const CompileOptions &options) {
  auto target = loadTarget(function.getContext(), options.target);
  if (failed(target))
    return llvm::createStringError("unknown target '" + options.target + "'");
  std::string message;
  std::unique_ptr<CostModel> model = createModelFor(*target, options.model, message);
  if (!model)
    return llvm::createStringError(message);
  std::vector<RankedOp> ops;
  function.walk([&](Operation *op) {
    auto index = op->getAttrOfType<IntegerAttr>("ucmoh.op");
    if (!isContractionLike(op) || !index)
      return;
    ops.push_back({op, index.getInt(), {}});
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return;
    WorkloadOrReason analyzed = analyzeTask(linalgOp);
    if (!analyzed)
      return;
    for (const auto &ranked : rankCandidates(*analyzed.workload, *target, *model, message))
      ops.back().choices.push_back(
          ranked.candidate.toAttr(ranked.predictedSeconds, model->getName()));
  });
  return ops;
}

static void pin(ArrayRef<RankedOp> ops, size_t rank) {
  for (const RankedOp &op : ops)
    if (rank < op.choices.size())
      op.op->setAttr("ucmoh.choice", op.choices[rank]);
}

namespace {
/// One program: the candidates of one rank, compiled, verified and timed together.
struct TunedCandidate {
  std::unique_ptr<ChildProcess> child;
  json::Object prepared, verdict;
  std::vector<json::Array> samples; ///< seconds, per op
  std::string error;
};
} // namespace

static TunedCandidate start(ModuleOp module, StringRef function, size_t opCount,
                            const RunOptions &options, const ResultFile &expected) {
  TunedCandidate tuned;
  auto run = [&]() -> llvm::Error {
    auto child = startTrial(module, function.str(), options.trial, expected);
    if (!child)
      return child.takeError();
    tuned.child = std::move(*child);
    auto prepared = tuned.child->ask(json::Object{{"do", "prepare"}}, options.timeoutSeconds);
    if (!prepared)
      return prepared.takeError();
    tuned.prepared = std::move(*prepared);
    tuned.samples.resize(tuned.prepared.getArray("ops")->size());
    if (tuned.samples.size() != opCount)
      return llvm::createStringError("the program lost contractions");
    if (!options.verify)
      return llvm::Error::success();
    if (auto error =
            addVerdict(*tuned.child, options, *tuned.prepared.getArray("ops"), tuned.verdict))
      return error;
    auto wrong = tuned.verdict.getString("error");
    return wrong ? llvm::createStringError(*wrong) : llvm::Error::success();
  };
  if (auto error = run())
    tuned.error = llvm::toString(std::move(error));
  return tuned;
}

static void takeRound(TunedCandidate &tuned, const RunOptions &options) {
  if (!tuned.error.empty())
    return;
  auto times = tuned.child->ask(json::Object{{"do", "time"},
                                             {"repeats", (options.repeats + rounds - 1) / rounds},
                                             {"budget_seconds", options.budgetSeconds / rounds}},
                                options.timeoutSeconds);
  if (!times) {
    tuned.error = llvm::toString(times.takeError());
    return;
  }
  for (auto [samples, more] : llvm::zip_equal(tuned.samples, *times->getArray("ops")))
    for (const json::Value &sample : *more.getAsArray())
      samples.push_back(sample);
}

static json::Object describe(const TunedCandidate &tuned, size_t op, size_t rank,
                             ChoiceAttr attribute) {
  std::string choice;
  llvm::raw_string_ostream(choice) << attribute;
  json::Object row{{"rank", static_cast<int64_t>(rank + 1)},
                   {"measured_rank", nullptr},
                   {"choice", choice},
                   {"summary", attribute.summarize()},
                   {"predicted_seconds", attribute.getSeconds()},
                   {"seconds", nullptr},
                   {"verified", nullptr},
                   {"error", nullptr}};
  if (auto verified = tuned.verdict.getBoolean("verified"))
    row["verified"] = *verified;
  if (!tuned.error.empty())
    row["error"] = tuned.error;
  else
    row["seconds"] = summarize(&tuned.samples[op]);
  return row;
}

/// 1 for the fastest; a candidate that was not measured has none.
static void addMeasuredRanks(json::Array &rows) {
  std::vector<json::Object *> order; // the candidates that were measured
  for (json::Value &row : rows)
    if (row.getAsObject()->getObject("seconds"))
      order.push_back(row.getAsObject());
  llvm::stable_sort(order, [](json::Object *a, json::Object *b) {
    return *a->getObject("seconds")->getNumber("min") < *b->getObject("seconds")->getNumber("min");
  });
  for (auto [index, row] : llvm::enumerate(order))
    (*row)["measured_rank"] = static_cast<int64_t>(index + 1);
}

/// How many candidates of an op are measured at most.
static size_t countRanks(ArrayRef<RankedOp> ops, const RunOptions &options) {
  size_t count = 0;
  for (const RankedOp &op : ops)
    count = std::max(count, op.choices.size());
  return options.top < 0 ? count : std::min<size_t>(count, options.top);
}

/// Measures the candidates of the ranks [first, end) in turns.
static std::vector<TunedCandidate> measureBatch(ModuleOp module, StringRef function,
                                                ArrayRef<RankedOp> ops, size_t first, size_t end,
                                                const RunOptions &options,
                                                const ResultFile &expected) {
  std::vector<TunedCandidate> batch;
  for (size_t rank = first; rank < end; ++rank) {
    pin(ops, rank);
    batch.push_back(start(module, function, ops.size(), options, expected));
  }
  for (int64_t round = 0; round < rounds; ++round)
    for (TunedCandidate &tuned : batch)
      takeRound(tuned, options);
  return batch;
}

llvm::Expected<json::Array> ucmoh::exploreCandidates(ModuleOp module, StringRef function,
                                                     const RunOptions &options,
                                                     const ResultFile &expected) {
  auto isolated = isolate(module, function.str());
  if (!isolated)
    return isolated.takeError();
  size_t opCount = numberOps((*isolated)->lookupSymbol<func::FuncOp>(function)).size();
  auto prepared = prepareModule(**isolated);
  if (!prepared)
    return prepared.takeError();
  auto ops = rankOps((*prepared)->lookupSymbol<func::FuncOp>(function), options.trial.program);
  if (!ops)
    return ops.takeError();
  size_t count = countRanks(*ops, options);
  std::vector<json::Array> rows(opCount);
  for (size_t first = 0; first < count; first += batchSize) {
    size_t end = std::min<size_t>(count, first + batchSize);
    std::vector<TunedCandidate> batch =
        measureBatch(**prepared, function, *ops, first, end, options, expected);
    for (auto [offset, tuned] : llvm::enumerate(batch))
      for (auto [index, op] : llvm::enumerate(*ops))
        if (size_t rank = first + offset; rank < op.choices.size())
          rows[op.index].push_back(describe(tuned, index, rank, op.choices[rank]));
  }
  json::Array result;
  for (json::Array &ofOp : rows) {
    addMeasuredRanks(ofOp);
    result.push_back(std::move(ofOp));
  }
  return result;
}
