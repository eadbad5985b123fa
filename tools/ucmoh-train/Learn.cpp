//===- Learn.cpp - ucmoh-train learn and exam
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Learn.h"
#include "Options.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Dataset/DrawPrograms.h"
#include "ucmoh/Dataset/Exam.h"
#include "ucmoh/Dataset/ReadData.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

using namespace ucmoh;
namespace cl = llvm::cl;

template <class T>
static cl::opt<T> option(llvm::StringRef name, const T &value, llvm::StringRef description) {
  return cl::opt<T>(name, cl::init(value), cl::desc(description), cl::sub(learnCommand()),
                    cl::cat(trainCategory()));
}
static const FitOptions defaults = learning();
static auto from = option<std::string>("from", "",
                                       "Weights that learn on; their exam lies beside "
                                       "them, as W.exam.jsonl.zst beside W.safetensors");
static cl::opt<std::string> output(
    "output", cl::sub(learnCommand()), cl::sub(examCommand()), cl::cat(trainCategory()),
    cl::desc(
        "Where the weights are written, and beside them their exam; of the exam alone with exam"));
static auto forgetting = option("forgetting", LearnOptions().forgetting,
                                "How much the top-1 geomean of a machine that the weights know may "
                                "fall; otherwise nothing is written");
static auto drawn = option("drawn", DrawOptions().programs,
                           "How many programs of what the weights know are drawn and rehearsed");
static auto seed = option<uint64_t>("seed", 1, "Seed of what is drawn, and of the order");
static auto epochs = option("epochs", defaults.epochs, "Passes over records and drawn programs");
static auto rate = option("rate", defaults.learningRate, "Highest learning rate");
static auto logPath = option<std::string>("log", "", "Where losses are written, as JSON");

static llvm::Expected<LearnOptions> learnOptions() {
  LearnOptions options;
  options.fit = defaults;
  options.fit.from = from;
  options.fit.output = output;
  options.fit.logPath = logPath;
  options.fit.seed = seed;
  options.fit.epochs = epochs;
  options.fit.learningRate = rate;
  options.forgetting = forgetting;
  if (options.fit.from.empty() || options.fit.output.empty())
    return llvm::createStringError(
        "--from=WEIGHTS.safetensors or --output=WEIGHTS.safetensors is missing");
  if (!llvm::StringRef(output).ends_with(".safetensors"))
    return llvm::createStringError("--output=" + output + " does not end in .safetensors");
  if (epochs < 1 || drawn < 1 || forgetting < 0)
    return llvm::createStringError("epochs and drawn must be at least 1, forgetting at least 0");
  if (!llvm::sys::fs::exists(examPath(from)))
    return llvm::createStringError(examPath(from) + ": there is no exam beside the weights; "
                                                    "ucmoh-train exam makes one of what they were "
                                                    "trained on");
  return options;
}

/// Reads all that takes part, and draws what is rehearsed.
static llvm::Expected<LearnData> gather(llvm::ArrayRef<std::string> paths, int64_t leastSamples) {
  std::string error, exam = examPath(from);
  std::unique_ptr<CostModel> old = createCostModel(from, error);
  if (!old)
    return llvm::createStringError(error);
  llvm::Expected<ReadData> records = readData(paths, {/*kind=*/nullptr, leastSamples, ""});
  if (!records)
    return records.takeError();
  records->warn();
  llvm::Expected<ReadData> examined = readData({exam}, {});
  if (!examined)
    return examined.takeError();
  DrawOptions options;
  options.programs = drawn;
  options.seed = seed;
  llvm::Expected<Dataset> rehearsed = drawPrograms({exam}, *old, options);
  if (!rehearsed)
    return rehearsed.takeError();
  LearnData data;
  data.aside = tasksAside(records->data.tasks);
  data.records = std::move(records->data);
  data.drawn = std::move(*rehearsed);
  data.exam = std::move(examined->data);
  return data;
}

llvm::Error ucmoh::runLearn(llvm::ArrayRef<std::string> paths, int64_t leastSamples) {
  llvm::Expected<LearnOptions> options = learnOptions();
  if (!options)
    return options.takeError();
  llvm::Expected<LearnData> data = gather(paths, leastSamples);
  if (!data)
    return data.takeError();
  llvm::errs() << "learns from " << data->records.programs() << " rows, rehearses "
               << data->drawn.programs() << " drawn programs\n";
  llvm::Expected<Lesson> lesson = learn(*data, *options);
  if (!lesson)
    return lesson.takeError();
  llvm::outs() << toMarkdown(lesson->standings);
  llvm::outs().flush(); // before an error message
  if (!lesson->refusal.empty())
    return llvm::createStringError("nothing is written, since " + lesson->refusal +
                                   "; measure more tasks, or draw more programs with --drawn");
  ExamOptions exam;
  exam.leastSamples = leastSamples;
  return writeExam(examPath(from), paths, data->aside, exam, examPath(output));
}

llvm::Error ucmoh::runExam(llvm::ArrayRef<std::string> paths, int64_t leastSamples) {
  if (output.empty())
    return llvm::createStringError("--output=FILE.exam.jsonl.zst is missing");
  llvm::Expected<ReadData> records = readData(paths, {/*kind=*/nullptr, leastSamples, ""});
  if (!records)
    return records.takeError();
  ExamOptions exam;
  exam.leastSamples = leastSamples;
  return writeExam("", paths, tasksAside(records->data.tasks), exam, output);
}
