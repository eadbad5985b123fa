//===- ucmoh-train.cpp - Trains and judges cost models
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "ucmoh/Dataset/ReadData.h"
#include "ucmoh/Support/Files.h"
#include "ucmoh/Training/Evaluate.h"
#include "ucmoh/Training/Programs.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace ucmoh;
namespace cl = llvm::cl;

static llvm::Expected<ModelScores> scoreCostModel(llvm::StringRef name, const Dataset &data) {
  if (name == "analytic")
    return ModelScores{name.str(), /*predictsSeconds=*/true, {data.analytic}};
  if (llvm::Error error = checkSchema(data))
    return std::move(error);
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel(name, error);
  if (!model)
    return llvm::createStringError(error);
  return ModelScores{model->getName().str(), model->predictsSeconds(), {scoreAll(data, *model)}};
}

static llvm::Expected<ModelScores> scoreFile(llvm::StringRef path, const Dataset &data) {
  ModelScores model{path.str(), /*predictsSeconds=*/false, {{}}};
  if (llvm::Error error = readScores(path, data).moveInto(model.seeds.front()))
    return std::move(error);
  return model;
}

/// Scores all programs with [LABEL=]MODEL[+MODEL...], where MODEL is what createCostModel takes,
/// "scores:FILE", or BASELINE:WEIGHTS; behind a '+' the kind is that of the first. Errors: a model
/// that is none, or that wants other features.
static llvm::Expected<ModelScores> scoreModels(llvm::StringRef text, const Dataset &data) {
  auto [label, models] = text.contains('=') ? text.split('=') : std::pair(llvm::StringRef(), text);
  bool isFile = models.consume_front("scores:");
  ModelScores all;
  llvm::SmallVector<llvm::StringRef> parts;
  models.split(parts, '+');
  for (llvm::StringRef part : parts) {
    llvm::Expected<ModelScores> one = isFile ? scoreFile(part, data) : scoreCostModel(part, data);
    if (!one)
      return one.takeError();
    if (all.seeds.empty())
      all.model = one->model;
    all.predictsSeconds = one->predictsSeconds;
    all.seeds.push_back(std::move(one->seeds.front()));
  }
  if (!label.empty())
    all.model = label.str();
  else if (all.seeds.size() > 1)
    all.model += " and " + std::to_string(all.seeds.size() - 1) + " more";
  return all;
}

static cl::list<std::string> dataPaths(
    "data", cl::CommaSeparated, cl::value_desc("FILES"),
    cl::desc("Measurements: records.{jsonl,jsonl.zst,sqlite}, or the features.safetensors "
             "that ucmoh-featurize wrote; may be repeated"),
    cl::sub(fitCommand()), cl::sub(evaluateCommand()), cl::cat(trainCategory()));
static cl::list<std::string> recordPaths("records", cl::CommaSeparated, cl::value_desc("FILES"),
                                         cl::desc("The same as --data"), cl::sub(fitCommand()),
                                         cl::sub(evaluateCommand()), cl::sub(learnCommand()),
                                         cl::sub(examCommand()), cl::cat(trainCategory()));
static cl::opt<int64_t>
    leastSamples("least-samples", cl::init(1), cl::sub(fitCommand()), cl::sub(evaluateCommand()),
                 cl::sub(learnCommand()), cl::sub(examCommand()), cl::cat(trainCategory()),
                 cl::desc("Programs of records that were timed less often are left out: a single "
                          "sample may be of a noisy moment"));

static cl::opt<std::string>
    machine("machine", cl::value_desc("NAME|FILE.mlir"), cl::sub(fitCommand()),
            cl::sub(evaluateCommand()), cl::cat(trainCategory()),
            cl::desc("Describe records with this machine's numbers instead of their own; default: "
                     "with what is known of a machine without a file"));

template <class T>
static cl::opt<T> evaluateOption(llvm::StringRef name, llvm::StringRef value,
                                 llvm::StringRef description) {
  return cl::opt<T>(name, cl::value_desc(value), cl::desc(description), cl::sub(evaluateCommand()),
                    cl::cat(trainCategory()));
}
static cl::list<std::string>
    modelNames("model", cl::OneOrMore, cl::CommaSeparated, cl::sub(evaluateCommand()),
               cl::cat(trainCategory()), cl::value_desc("[LABEL=]MODEL[+MODEL...]"),
               cl::desc("analytic, embedded, random:SEED, WEIGHTS.safetensors or scores:FILE (a "
                        "number a line); weights joined by '+', of several seeds, become one row "
                        "with mean and spread"));
static cl::opt<Split> judged(
    "split", cl::init(Split::Holdout), cl::desc("What is judged"), cl::sub(evaluateCommand()),
    cl::cat(trainCategory()),
    cl::values(clEnumValN(Split::Holdout, "holdout", "tasks that are held out"),
               clEnumValN(Split::ByTask, "by_task", "what fit --split=by_task did not learn"),
               clEnumValN(Split::WithinTask, "within_task",
                          "what fit --split=within_task did not learn"),
               clEnumValN(Split::Train, "train", "what fit learns")));
static cl::list<GroupBy>
    groupBy("by", cl::CommaSeparated, cl::desc("Further rows for each"), cl::sub(evaluateCommand()),
            cl::cat(trainCategory()),
            cl::values(clEnumValN(GroupBy::Types, "types", "types of the elements"),
                       clEnumValN(GroupBy::Target, "target", "target: only its own programs"),
                       clEnumValN(GroupBy::Intrinsic, "intrinsic", "intrinsic: the same"),
                       clEnumValN(GroupBy::Machine, "machine", "machine"),
                       clEnumValN(GroupBy::Class, "class", "class of the task, e.g. conv2d")));
static cl::list<std::string>
    only("only", cl::CommaSeparated, cl::value_desc("NAMES"), cl::sub(evaluateCommand()),
         cl::cat(trainCategory()),
         cl::desc("Judge only programs of these targets, intrinsics (target::name) or machines"));
static auto jsonPath =
    evaluateOption<std::string>("json", "FILE", "Where the table is written as JSON, too");
static auto predictionsPath = evaluateOption<std::string>(
    "predictions", "FILE", "Where predicted and measured seconds are written, as JSON");

static cl::extrahelp overview(R"(
Tasks that are held out are never learned from.

  ucmoh-train fit --data=data/zen4-train.jsonl.zst --output=weights.safetensors --log=log.json
  ucmoh-train evaluate --data=data/zen4-holdout.jsonl.zst --model=analytic,weights.safetensors

Weights for a machine of one's own, from what ucmoh-collect measured there:

  ucmoh-train learn --from=models/default.safetensors --records=mine.sqlite --output=mine.safetensors

Seeds, groups, and a target that was never learned:

  ucmoh-train evaluate --data=features.safetensors --model=net=1.safetensors+2.safetensors --by=types
  ucmoh-train fit --data=features.safetensors --without=x86_avx512_vnni --output=w.safetensors
  ucmoh-train evaluate --data=features.safetensors --only=x86_avx512_vnni --model=w.safetensors
)");

static llvm::Error write(llvm::StringRef path, const llvm::json::Value &value) {
  return writeAtomically(path, [&](llvm::raw_ostream &os) {
    os << value << "\n";
    return llvm::Error::success();
  });
}

static llvm::Error runEvaluate(const Dataset &data) {
  if (llvm::Error error = checkNames(data, only))
    return error;
  std::vector<ProgramList> lists = listsToJudge(data, judged, only);
  if (lists.empty())
    return llvm::createStringError("the data has no list of programs that --split=" + name(judged) +
                                   " judges; take another split, or other data");
  std::vector<ModelScores> models;
  for (const std::string &name : modelNames) {
    llvm::Expected<ModelScores> scored = scoreModels(name, data);
    if (!scored)
      return scored.takeError();
    models.push_back(std::move(*scored));
  }
  std::vector<GroupBy> groups(groupBy.begin(), groupBy.end());
  std::vector<Evaluation> evaluations = evaluate(data, lists, models, groups);
  llvm::outs() << "**" << name(judged) << "**\n\n" << toMarkdown(evaluations);
  if (!predictionsPath.empty())
    if (llvm::Error error = write(predictionsPath, predictionsToJson(data, lists, models)))
      return error;
  return jsonPath.empty() ? llvm::Error::success() : write(jsonPath, toJson(evaluations));
}

static llvm::Error run() {
  if (!fitCommand() && !evaluateCommand() && !learnCommand() && !examCommand())
    return llvm::createStringError("say fit, learn, exam or evaluate; --help has examples");
  std::vector<std::string> paths(dataPaths);
  paths.insert(paths.end(), recordPaths.begin(), recordPaths.end());
  if (paths.empty())
    return llvm::createStringError("--data=FILES or --records=FILES is missing");
  if (learnCommand())
    return runLearn(paths, leastSamples);
  if (examCommand())
    return runExam(paths, leastSamples);
  FitOptions options;
  if (fitCommand())
    if (llvm::Error error = fitOptions().moveInto(options))
      return error;
  llvm::Expected<ReadData> read = readData(paths, {/*kind=*/nullptr, leastSamples, machine});
  if (!read)
    return read.takeError();
  read->warn();
  return fitCommand() ? fit(read->data, options) : runEvaluate(read->data);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(trainCategory());
  cl::HideUnrelatedOptions(trainCategory(), fitCommand());
  cl::HideUnrelatedOptions(trainCategory(), evaluateCommand());
  cl::HideUnrelatedOptions(trainCategory(), learnCommand());
  cl::HideUnrelatedOptions(trainCategory(), examCommand());
  cl::ParseCommandLineOptions(argc, argv, "Trains and judges cost models\n");
  llvm::Error error = run();
  if (!error)
    return 0;
  llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
  return 1;
}
