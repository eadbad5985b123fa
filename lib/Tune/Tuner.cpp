//===- Tuner.cpp - The contractions of a model share a budget of measurements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/Tuner.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Collect/CandidateRow.h"
#include "ucmoh/Records/Statistics.h"
#include "ucmoh/Runtime/MeasuringProcess.h"
#include "ucmoh/Tune/TunerOutput.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace ucmoh;

llvm::Expected<double> ucmoh::parseBudget(StringRef text, StringRef option) {
  StringRef number = text;
  double unit = number.consume_back("h") ? 3600 : number.consume_back("m") ? 60 : 1;
  if (unit == 1)
    number.consume_back("s");
  double count;
  if (!number.getAsDouble(count) && count > 0)
    return count * unit;
  return llvm::createStringError(
      option + " must be a positive time such as 30s, 5m or 1h, but is '" + text + "'");
}

Tuner::Tuner(ModuleOp module, Records &records, const TuneOptions &options)
    : module(module), records(records), options(options), start(getMonotonicSeconds()) {}

//===----------------------------------------------------------------------===//
// What there is to tune
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<Tuner>> Tuner::create(ModuleOp module, Records &records,
                                                     const TuneOptions &options) {
  std::unique_ptr<Tuner> tuner(new Tuner(module, records, options));
  if (auto error = tuner->load())
    return std::move(error);
  if (auto error = tuner->rank())
    return std::move(error);
  if (auto error = tuner->recall())
    return std::move(error);
  return tuner;
}

llvm::Error Tuner::load() {
  const CompileOptions &program = options.trial.program;
  auto loaded = loadTarget(module.getContext(), program.target);
  if (failed(loaded))
    return llvm::createStringError("unknown target '" + program.target + "'");
  target = std::move(*loaded);
  target.threads = program.threads;
  std::string message;
  model = createModelFor(target, program.model, message);
  if (!model)
    return llvm::createStringError(message);
  auto added = recordMachine(target, records);
  if (!added)
    return added.takeError();
  machine = *added;
  auto made = program.winograd
                  ? prepareModule(module, program.target, program.model, program.threads)
                  : prepareModule(module);
  if (!made)
    return made.takeError();
  prepared = std::move(*made);
  return llvm::Error::success();
}

/// Adds a task of the model; `reason` says why one has no candidates.
llvm::Error Tuner::add(ModelTask found, std::vector<TaskSearch> &searches, std::string &reason) {
  std::string name = found.workload.name();
  Records::Workload record{name, found.ir, found.workload.flops(), {}};
  auto task = RankedTask::make(*module.getContext(), std::move(found), target, *model);
  if (!task) {
    reason = llvm::toString(task.takeError());
    llvm::errs() << name << ": " << reason << "\n";
    return llvm::Error::success();
  }
  if (auto error = records.addWorkload(record).moveInto(ids.emplace_back()))
    return error;
  searches.push_back((*task)->makeSearch(target, options.correction));
  TunedTask &result = results.emplace_back();
  result.name = name;
  result.identities = (*task)->getTask().identities;
  result.uses = (*task)->getTask().ops.size();
  result.candidates = (*task)->size();
  tasks.push_back(std::move(*task));
  return llvm::Error::success();
}

llvm::Error Tuner::rank() {
  llvm::Regex wanted(options.ops);
  std::string reason;
  std::vector<TaskSearch> searches;
  auto leave = [&](Operation *, StringRef why) { reason = why.str(); };
  for (ModelTask &found : findModelTasks(*prepared, options.functions, leave)) {
    std::string name = found.workload.name();
    if (!wanted.match(name)) {
      reason = "no workload matches '" + options.ops + "', not even '" + name + "'";
      continue;
    }
    if (auto error = add(std::move(found), searches, reason))
      return error;
  }
  if (tasks.empty())
    return llvm::createStringError("there is nothing to tune: " +
                                   (reason.empty() ? "the model has no contraction" : reason));
  scheduler.emplace(std::move(searches), options.schedule);
  return llvm::Error::success();
}

/// Reads what any run has measured of the tasks on this machine.
llvm::Error Tuner::recall() {
  llvm::StringMap<size_t> numbers;
  for (auto [number, id] : llvm::enumerate(ids))
    numbers[id] = number;
  Records::Filter filter;
  filter.machine = target.machine.name;
  int64_t recalled = 0;
  auto visit = [&](const Records::Row &row) {
    auto number = numbers.find(row.workload);
    if (number == numbers.end() || row.machine != machine)
      return llvm::Error::success();
    size_t task = number->second;
    if (auto candidate = tasks[task]->find(row.choice)) {
      recalled++;
      if (row.seconds.empty())
        scheduler->fail(task, *candidate);
      else
        scheduler->observe(task, *candidate, tasks[task]->addSamples(*candidate, row.seconds));
    }
    return llvm::Error::success();
  };
  if (auto error = records.forEachRow(filter, visit))
    return error;
  if (recalled > 0)
    llvm::errs() << recalled << " measurements are in the records already\n";
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

static bool isNew(const TunedTask &result) { return result.choice != 0; }

/// A choice that meets the pick again takes this share of a round.
static constexpr double duelShare = 0.25;

bool Tuner::isOver() {
  double left = options.budgetSeconds - (getMonotonicSeconds() - start) - reserve;
  double usual = curve.size() > 1 ? roundSeconds / (curve.size() - 1) : 0;
  double duels = duelShare * llvm::count_if(results, isNew);
  if (isInterrupted())
    end = "interrupted; what was measured is kept, and the same command goes on";
  else if (left < usual * (1 + duels))
    end = "the budget is used up";
  return !end.empty();
}

/// The best one so far is measured along with others of its task: its time tells whether the
/// machine is as fast as before.
std::optional<Tuner::Round> Tuner::startRound() {
  while (!isOver()) {
    std::optional<TuneRound> plan = scheduler->next();
    if (!plan) {
      bool enough = scheduler->countTrials() < options.schedule.trials;
      end = enough ? "nothing more is to be expected" : "the trials are used up";
      return std::nullopt;
    }
    size_t fresh = plan->candidates.size();
    if (auto best = scheduler->getTask(plan->task).getBest())
      plan->candidates.push_back(*best);
    auto begun = tasks[plan->task]->begin(plan->candidates, measureOptions());
    if (begun)
      return Round{std::move(*plan), fresh, std::move(*begun)};
    giveUp(plan->task, begun.takeError());
  }
  return std::nullopt;
}

MeasureOptions Tuner::measureOptions() const {
  MeasureOptions measure;
  measure.trial = options.trial;
  measure.gated = options.gated;
  measure.timeoutSeconds = options.timeoutSeconds;
  measure.batchSize = options.schedule.roundSize / 2 + 1;
  measure.rounds = options.schedule.samples;
  measure.sampleSeconds = options.schedule.sampleSeconds;
  measure.refinements = 0; // the next round does that
  return measure;
}

void Tuner::giveUp(size_t task, llvm::Error error) {
  scheduler->giveUp(task);
  results[task].note = "not measured: " + llvm::toString(std::move(error));
  llvm::errs() << results[task].name << ": " << results[task].note << "\n";
}

/// Where no moment is quiet, waiting for one uses the budget up and gains nothing.
void Tuner::stopWaitingIfUseless(size_t noisy, size_t count) {
  if (!options.gated || 2 * noisy <= count)
    return;
  options.gated = false;
  llvm::errs() << "the machine is not quiet: samples do not wait for quiet moments any longer\n";
}

/// Into the records. Where they cannot be written, on a full disk, say, the search goes on.
void Tuner::keep(llvm::ArrayRef<Records::Row> rows) {
  std::string message = llvm::toString(records.addRows(rows).takeError());
  if (message.empty() || !std::exchange(areRecordsWhole, false))
    return;
  llvm::errs() << "measurements are not recorded, but count in this search: " << message << "\n";
}

/// Earlier measurements of the candidate stand.
void Tuner::fail(size_t task, size_t candidate, StringRef why) {
  TunedTask &result = results[task];
  result.note = llvm::formatv("{0} failed, the last one: {1}", ++result.failures, why);
  if (scheduler->getTask(task).getSeconds(candidate) == 0)
    scheduler->fail(task, candidate);
}

/// Into the records and into the ranking.
void Tuner::take(Round &round) {
  auto &[task, candidates] = round.plan;
  RowOrigin origin{ids[task], machine, options.trial.program.target, options.run};
  std::vector<Records::Row> rows;
  size_t noisy = 0;
  for (auto [number, measured] : llvm::zip_equal(candidates, round.measurement->takeCandidates())) {
    const Candidate &candidate = (*tasks[task])[number].candidate;
    rows.push_back(
        makeRow(origin, measured, hashOfProgram(tasks[task]->getTask().workload, candidate)));
    noisy += measured.isNoisy;
    if (measured.isMeasured())
      scheduler->observe(task, number, tasks[task]->addSamples(number, measured.seconds));
    else
      fail(task, number, measured.error);
  }
  stopWaitingIfUseless(noisy, rows.size());
  results[task].trials += round.fresh;
  results[task].choice = choiceOf(task);
  keep(rows);
}

size_t Tuner::choiceOf(size_t task) const {
  const TaskSearch &search = scheduler->getTask(task);
  size_t best = search.getBest().value_or(0);
  return search.getSeconds(0) > 0 && search.getSeconds(0) <= search.getSeconds(best) ? 0 : best;
}

void Tuner::addPoint() {
  curve.push_back({getMonotonicSeconds() - start, scheduler->countTrials(),
                   scheduler->getPickSeconds(), scheduler->getTotalSeconds()});
}

void Tuner::printProgress(const Round &round) const {
  const TaskSearch &search = scheduler->getTask(round.plan.task);
  const TunePoint &point = curve.back();
  llvm::errs() << llvm::formatv(
      "[{0:f0} s] {1}: {2} measured, pick {3:f1} us, best {4:f1} us; all {5:f1} us, {6:f1} % less "
      "than the picks; {7} trials, {8:f0} s left\n",
      point.seconds, results[round.plan.task].name, round.fresh, search.getPickSeconds() * 1e6,
      search.getBestSeconds() * 1e6, point.after * 1e6, 100 * (1 - point.after / point.before),
      point.trials, std::max(0.0, options.budgetSeconds - point.seconds));
}

/// Compiles the next round while the last batch of this one is measured.
llvm::Error Tuner::search(llvm::function_ref<llvm::Error()> onImprovement) {
  addPoint();
  std::optional<Round> round = startRound();
  while (round) {
    std::optional<Round> following;
    double begun = getMonotonicSeconds();
    size_t task = round->plan.task, before = results[task].choice;
    if (auto error = round->measurement->run([&] { following = startRound(); }))
      giveUp(task, std::move(error));
    else
      take(*round);
    double took = getMonotonicSeconds() - begun;
    results[task].seconds += took;
    roundSeconds += took;
    addPoint();
    printProgress(*round);
    if (results[task].choice != before)
      if (auto error = onImprovement())
        return error;
    round = following ? std::move(following) : startRound();
  }
  return llvm::Error::success();
}

std::vector<llvm::json::Object> Tuner::plan(size_t count) {
  std::vector<llvm::json::Object> lines;
  while (lines.size() < count) {
    std::optional<TuneRound> round = scheduler->next();
    if (!round)
      break;
    const RankedTask &task = *tasks[round->task];
    llvm::json::Array choices;
    for (size_t candidate : round->candidates) {
      std::string choice;
      llvm::raw_string_ostream(choice) << task[candidate].candidate.toAttr(0, "");
      choices.push_back(std::move(choice));
    }
    lines.push_back(llvm::json::Object{{"name", results[round->task].name},
                                       {"ir", task.getTask().ir},
                                       {"choices", std::move(choices)}});
  }
  return lines;
}

//===----------------------------------------------------------------------===//
// Whether what won keeps winning
//===----------------------------------------------------------------------===//

/// The fastest of many measurements was lucky, too: it has to beat the model's pick once more.
void Tuner::confirm() {
  for (size_t i = 0; i < tasks.size() && !isInterrupted(); ++i) {
    TunedTask &result = results[i];
    if (result.choice == 0 || scheduler->getTask(i).getSeconds(0) == 0)
      continue;
    double begun = getMonotonicSeconds();
    MeasureOptions measure = measureOptions();
    measure.rounds = 8;
    auto duel = tasks[i]->begin({0, result.choice}, measure);
    llvm::Error error = duel ? (*duel)->run([] {}) : duel.takeError();
    result.seconds += getMonotonicSeconds() - begun;
    if (error) {
      llvm::consumeError(std::move(error)); // earlier measurements stand
      continue;
    }
    std::vector<MeasuredCandidate> both = (*duel)->takeCandidates();
    if (!both[0].isMeasured() || !both[1].isMeasured())
      continue;
    result.before = lowerMedian(both[0].seconds);
    result.after = lowerMedian(both[1].seconds);
    if (result.after < result.before)
      continue;
    result.choice = 0;
    result.after = result.before;
    result.note = "the pick won when both were measured again";
  }
}

/// So much of the budget may be for what is not search.
static constexpr double inPlaceShare = 0.5;

/// So often the choices and the picks are timed in the model in the end, if the budget allows it.
static constexpr int64_t mostTurns = 2;

static void sayNotInPlace(const llvm::Twine &why) {
  llvm::errs() << "choices are not compared in place within this budget: " << why << "\n";
}

/// A model that takes longer is not waited for, and one that fails is no reason not to tune it.
void Tuner::timePicks() {
  double begun = getMonotonicSeconds(), share = inPlaceShare * options.budgetSeconds,
         affordable = share / 4;
  auto times = timeInPlace(module, options.functions, options.trial,
                           std::min(options.timeoutSeconds, affordable));
  double took = getMonotonicSeconds() - begun;
  if (took >= affordable) {
    llvm::consumeError(times.takeError()); // if any, that it was not waited for
    return sayNotInPlace(
        llvm::formatv("the model takes {0:f0} s at least to compile and time", took));
  }
  if (!times)
    return sayNotInPlace(llvm::toString(times.takeError()));
  picksInPlace = std::move(*times);
  turns = std::clamp<int64_t>((share / took - 1) / 3, 1, mostTurns);
  reserve = 3 * turns * took; // choices, picks, and what is left of the choices
}

llvm::Error Tuner::timeChoices() {
  llvm::SmallString<64> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("choices", "jsonl", path))
    return llvm::createStringError(error, "no temporary file for choices");
  llvm::FileRemover remover(path);
  if (auto error = writeChoices(path, getTasks()))
    return error;
  TrialOptions trial = options.trial;
  trial.program.choices = path.str().str();
  auto times = timeInPlace(module, options.functions, trial, options.timeoutSeconds);
  if (!times)
    return times.takeError();
  if (choicesInPlace)
    choicesInPlace->keepLeast(*times);
  else
    choicesInPlace = std::move(*times);
  return llvm::Error::success();
}

/// Goes back to the pick of each task that `loses`.
bool Tuner::drop(llvm::function_ref<bool(const TunedTask &)> loses) {
  bool dropped = false;
  for (TunedTask &result : results)
    if (result.choice != 0 && loses(result)) {
      result.choice = 0;
      result.after = result.before;
      result.note = "the pick won in the model";
      dropped = true;
    }
  return dropped;
}

/// In turns. Choices of workloads that are slower in place than the picks are dropped,
/// and all of them if the model does not become faster by the others.
llvm::Error Tuner::confirmInPlace() {
  for (int64_t turn = 0; turn < turns && !isInterrupted(); ++turn) {
    if (auto error = timeChoices())
      return error;
    auto picks = timeInPlace(module, options.functions, options.trial, options.timeoutSeconds);
    if (!picks)
      return picks.takeError();
    picksInPlace->keepLeast(*picks);
  }
  bool dropped = drop([&](const TunedTask &result) {
    return choicesInPlace->tasks.lookup(result.name) >= picksInPlace->tasks.lookup(result.name);
  });
  if (dropped && llvm::any_of(results, isNew)) {
    choicesInPlace = std::nullopt;
    for (int64_t turn = 0; turn < turns && !isInterrupted(); ++turn)
      if (auto error = timeChoices())
        return error;
  }
  bool isFaster = choicesInPlace && choicesInPlace->model < picksInPlace->model;
  drop([&](const TunedTask &) { return !isFaster; });
  if (!llvm::any_of(results, isNew))
    choicesInPlace = picksInPlace; // the same program
  return llvm::Error::success();
}

std::optional<std::pair<double, double>> Tuner::getModelSeconds() const {
  if (!choicesInPlace)
    return std::nullopt;
  return std::pair(picksInPlace->model, choicesInPlace->model);
}

llvm::Error Tuner::run(llvm::function_ref<llvm::Error()> onImprovement) {
  if (target.isEmulated)
    return llvm::createStringError(
        "this machine runs '" + options.trial.program.target +
        "' only in an emulator, whose times say nothing: tune on a "
        "machine that has it, or write a --plan for ucmoh-collect there");
  becomeMeasuringProcess();
  for (size_t i = 0; i < tasks.size(); ++i)
    results[i].choice = choiceOf(i);
  if (auto error = onImprovement())
    return error;
  if (options.inPlace)
    timePicks();
  if (auto error = search(onImprovement))
    return error;
  confirm();
  if (picksInPlace && !isInterrupted() && llvm::any_of(results, isNew))
    if (auto error = confirmInPlace())
      sayNotInPlace(llvm::toString(std::move(error))); // and kept as they are
  return onImprovement();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

std::vector<TunedTask> Tuner::getTasks() const {
  std::vector<TunedTask> all = results;
  for (auto [i, result] : llvm::enumerate(all)) {
    const RankedCandidate &chosen = (*tasks[i])[result.choice];
    result.attribute = chosen.candidate.toAttr(chosen.predictedSeconds, model->getName());
    const TaskSearch &search = scheduler->getTask(i);
    if (result.before == 0)
      result.before = search.getSeconds(0);
    if (result.after == 0)
      result.after = search.getSeconds(result.choice);
  }
  return all;
}

ModuleOp Tuner::pin() {
  for (auto [task, result] : llvm::zip_equal(tasks, getTasks()))
    for (linalg::LinalgOp op : task->getTask().ops)
      op->setAttr("ucmoh.choice", result.attribute);
  return *prepared;
}
