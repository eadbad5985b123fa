//===- Learn.cpp - Learns on without forgetting
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Learn.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Training/Programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Signals.h"

using namespace ucmoh;

FitOptions ucmoh::learning() {
  FitOptions options;
  options.epochs = 20;
  options.learningRate = 2e-4;
  options.weightDecay = 1e-3; // the weights are to forget little
  options.validation = 0;
  return options;
}

namespace {

/// Lists of a data set, with what both weights say of its programs.
struct Judged {
  const Dataset &data;
  std::vector<ProgramList> lists;
  std::vector<float> before, after;
  bool isNew;
};

} // namespace

static Standing standing(const Judged &judged, const std::string &machine,
                         const std::string &intrinsic) {
  std::vector<ProgramList> lists = keepPrograms(judged.lists, [&](int64_t program) {
    return judged.data.machines[judged.data.machine[program]] == machine &&
           (intrinsic.empty() ||
            judged.data.intrinsics[judged.data.intrinsic[program]] == intrinsic);
  });
  size_t programs = 0;
  for (const ProgramList &list : lists)
    programs += list.programs.size();
  return {machine,
          intrinsic,
          judged.isNew,
          lists.size(),
          programs,
          measure(rank(judged.data, lists, judged.before)),
          measure(rank(judged.data, lists, judged.after))};
}

/// Each machine, and behind it its intrinsics.
static void addStandings(const Judged &judged, std::vector<Standing> &standings) {
  std::set<std::pair<std::string, std::string>> groups;
  for (const ProgramList &list : judged.lists)
    for (int64_t program : list.programs) {
      const std::string &machine = judged.data.machines[list.machine];
      groups.insert({machine, ""});
      groups.insert({machine, judged.data.intrinsics[judged.data.intrinsic[program]]});
    }
  for (auto &[machine, intrinsic] : groups) {
    Standing found = standing(judged, machine, intrinsic);
    if (found.lists > 0)
      standings.push_back(std::move(found));
  }
}

static std::string describe(const Standing &standing, llvm::StringRef what) {
  return llvm::formatv("{0} {1}: top-1 geomean {2:f4} -> {3:f4}, pairs {4:f4} -> {5:f4}",
                       standing.machine, what, standing.before.top1Geomean,
                       standing.after.top1Geomean, standing.before.pairwise,
                       standing.after.pairwise);
}

std::string ucmoh::refusal(llvm::ArrayRef<Standing> standings, double forgetting) {
  bool gains = false;
  std::string tried;
  for (const Standing &standing : standings) {
    if (!standing.intrinsic.empty())
      continue;
    const Metrics &before = standing.before, &after = standing.after;
    if (after.top1Geomean < before.top1Geomean - forgetting)
      return describe(standing, standing.isNew ? "gets worse" : "is forgotten");
    if (!standing.isNew)
      continue;
    gains |= after.top1Geomean > before.top1Geomean || after.pairwise > before.pairwise;
    tried = describe(standing, "gains nothing");
  }
  return gains ? "" : tried;
}

/// The model of weights in a file.
static llvm::Expected<std::vector<float>> scoresOf(llvm::StringRef weights, const Dataset &data) {
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel(weights, error);
  if (!model)
    return llvm::createStringError(error);
  return scoreAll(data, *model);
}

static llvm::Error score(Judged &judged, llvm::StringRef before, llvm::StringRef after) {
  if (llvm::Error error = scoresOf(before, judged.data).moveInto(judged.before))
    return error;
  return scoresOf(after, judged.data).moveInto(judged.after);
}

/// The records with the tasks aside held out, and what was drawn.
static Dataset lessonOf(const LearnData &data) {
  Dataset lesson = data.records;
  for (TaskInfo &task : lesson.tasks)
    if (data.aside.count(task.id))
      task.split = "holdout";
  append(lesson, data.drawn);
  return lesson;
}

static llvm::Expected<Lesson> judge(const LearnData &data, const LearnOptions &options,
                                    llvm::StringRef weights) {
  Judged known{data.exam, listsOf(data.exam), {}, {}, /*isNew=*/false};
  Judged fresh{data.records,
               keepPrograms(listsOf(data.records),
                            [&](int64_t program) {
                              return data.aside.count(
                                  data.records.tasks[data.records.task[program]].id);
                            }),
               {},
               {},
               /*isNew=*/true};
  Lesson lesson;
  for (Judged *judged : {&known, &fresh}) {
    if (llvm::Error error = score(*judged, options.fit.from, weights))
      return std::move(error);
    addStandings(*judged, lesson.standings);
  }
  lesson.refusal = refusal(lesson.standings, options.forgetting);
  return lesson;
}

/// Error: there is nothing to learn from, or nothing to be judged on.
static llvm::Error checkTasks(const LearnData &data) {
  std::set<std::string> learned, judged;
  for (const ProgramList &list : listsOf(data.records)) {
    const TaskInfo &task = data.records.tasks[list.task];
    if (!task.isHoldout())
      (data.aside.count(task.id) ? judged : learned).insert(task.id);
  }
  if (!learned.empty() && !judged.empty())
    return llvm::Error::success();
  return llvm::createStringError(
      "the records have " + llvm::Twine(learned.size() + judged.size()) +
      " tasks with two measured programs that are not held out; some are learned from and a fifth "
      "judges, so measure five at least");
}

llvm::Expected<Lesson> ucmoh::learn(const LearnData &data, const LearnOptions &options) {
  if (llvm::Error error = checkTasks(data))
    return std::move(error);
  llvm::SmallString<128> trial;
  if (std::error_code error =
          llvm::sys::fs::createUniqueFile(options.fit.output + ".%%%%%%.safetensors", trial))
    return llvm::createFileError(options.fit.output, error);
  llvm::FileRemover remover(trial);
  llvm::sys::RemoveFileOnSignal(trial);
  FitOptions fitOptions = options.fit;
  fitOptions.output = trial.str().str();
  fitOptions.state = options.fit.output + ".state";
  if (llvm::Error error = fit(lessonOf(data), fitOptions))
    return std::move(error);
  llvm::sys::fs::remove(fitOptions.state);
  llvm::Expected<Lesson> lesson = judge(data, options, trial);
  if (!lesson || !lesson->refusal.empty())
    return lesson;
  if (std::error_code error = llvm::sys::fs::rename(trial, options.fit.output))
    return llvm::createFileError(options.fit.output, error);
  llvm::sys::DontRemoveFileOnSignal(trial);
  remover.releaseFile();
  return lesson;
}

std::string ucmoh::toMarkdown(llvm::ArrayRef<Standing> standings) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "| machine | intrinsic | lists | programs | top-1 geomean | after | top-5 geomean | after "
        "| pairwise | after |\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Standing &s : standings) {
    os << "| " << s.machine << (s.isNew ? " (new)" : "") << " | "
       << (s.intrinsic.empty() ? "all" : s.intrinsic) << " | " << s.lists << " | " << s.programs;
    for (double Metrics::*value :
         {&Metrics::top1Geomean, &Metrics::top5Geomean, &Metrics::pairwise})
      os << llvm::formatv(" | {0:f4} | {1:f4}", s.before.*value, s.after.*value);
    os << " |\n";
  }
  return text;
}
