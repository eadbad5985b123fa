//===- ucmoh-research.cpp - Published cost models on the project's data
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Features/FeatureKinds.h"
#include "Lifelong.h"
#include "Networks/Baselines.h"
#include "ucmoh/Dataset/ReadData.h"
#include "ucmoh/Support/Files.h"
#include "ucmoh/Training/Evaluate.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory &category = researchCategory();
static cl::SubCommand featurizeCommand("featurize", "Describes measured programs");
static cl::SubCommand fitCommand("fit", "Trains a published model");
static cl::SubCommand evaluateCommand("evaluate", "Says how well published models rank");
static cl::SubCommand scoreCommand("score",
                                   "Writes a model's score of each program, a number a line");

static cl::list<std::string> data("data", cl::CommaSeparated, cl::value_desc("FILES"),
                                  cl::desc("records.{jsonl,jsonl.zst,sqlite}, or the "
                                           "features.safetensors that featurize wrote"),
                                  cl::sub(featurizeCommand), cl::sub(fitCommand),
                                  cl::sub(evaluateCommand), cl::sub(scoreCommand),
                                  cl::cat(category));
static cl::opt<std::string> features("features", cl::sub(featurizeCommand), cl::sub(fitCommand),
                                     cl::sub(evaluateCommand), cl::sub(scoreCommand),
                                     cl::cat(category),
                                     cl::desc("How records are described: ansor, tlp, unicomo or "
                                              "assignment; each model wants its own"));
static cl::opt<int64_t> leastSamples("least-samples", cl::init(1), cl::sub(featurizeCommand),
                                     cl::sub(fitCommand), cl::sub(evaluateCommand),
                                     cl::cat(category),
                                     cl::desc("Programs that were timed less often are rejected"));
static cl::opt<std::string> output("output", cl::sub(featurizeCommand), cl::sub(fitCommand),
                                   cl::sub(scoreCommand), cl::cat(category),
                                   cl::desc("The file that is written"));
static cl::opt<std::string> model("model", cl::sub(fitCommand), cl::cat(category),
                                  cl::desc("tenset-mlp, transfer-mlp, xgboost, lightgbm, tlp, "
                                           "mtl-tlp, unicomo or assignment"));
static cl::list<std::string>
    models("models", cl::CommaSeparated, cl::sub(evaluateCommand), cl::sub(scoreCommand),
           cl::cat(category), cl::value_desc("[LABEL=]NAME:WEIGHTS[+WEIGHTS...]"),
           cl::desc("What is judged beside the roofline; weights joined by '+', of several seeds, "
                    "become one row. score takes one model, with weights of one seed"));
static cl::opt<std::string> jsonPath("json", cl::sub(evaluateCommand), cl::cat(category),
                                     cl::desc("Where the table is written as JSON, too"));
static cl::opt<uint64_t> seed("seed", cl::init(1), cl::sub(fitCommand), cl::cat(category),
                              cl::desc("Seed of weights and order"));
static cl::opt<int64_t> epochs("epochs", cl::init(0), cl::sub(fitCommand), cl::cat(category),
                               cl::desc("Passes over the data; 0: as published"));
static cl::opt<double> limit("limit", cl::init(0), cl::sub(fitCommand), cl::cat(category),
                             cl::desc("Seconds: no epoch begins after that"));
static cl::opt<int64_t>
    threads("threads", cl::init(1), cl::sub(fitCommand), cl::cat(category),
            cl::desc("Threads of LibTorch; results have the same bits only with one"));
static cl::opt<bool> rankTasks("rank-tasks", cl::sub(fitCommand), cl::cat(category),
                               cl::desc("Learns the order within tasks, not within batches of all "
                                        "tasks as published"));
static cl::list<std::string> repair("repair", cl::CommaSeparated, cl::sub(fitCommand),
                                    cl::cat(category),
                                    cl::desc("What --model=unicomo does otherwise than published"));
static cl::list<std::string> without("without", cl::CommaSeparated, cl::sub(fitCommand),
                                     cl::cat(category),
                                     cl::desc("Targets, intrinsics or machines that are not "
                                              "learned"));
static cl::opt<Split>
    split("split", cl::init(Split::Holdout), cl::desc("What is judged, and not learned"),
          cl::sub(fitCommand), cl::sub(evaluateCommand), cl::cat(category),
          cl::values(clEnumValN(Split::Holdout, "holdout", "tasks that are held out"),
                     clEnumValN(Split::ByTask, "by_task", "and a fifth of the others"),
                     clEnumValN(Split::WithinTask, "within_task", "and a fifth of their programs"),
                     clEnumValN(Split::Train, "train", "what fit learns")));
static cl::extrahelp examples(R"(
EXAMPLES:
  ucmoh-research featurize --data=data/zen4-train.jsonl.zst --features=ansor --output=ansor.safetensors
  ucmoh-research fit --model=tenset-mlp --data=ansor.safetensors --output=mlp.safetensors
  ucmoh-research evaluate --data=ansor-holdout.safetensors --models=tenset-mlp:mlp.safetensors
  ucmoh-research score --data=ansor-holdout.safetensors --models=tenset-mlp:mlp.safetensors --output=scores.txt
  ucmoh-research draw --data=models/default.exam.jsonl.zst --output=drawn.safetensors
  ucmoh-research lifelong --data=features.safetensors --drawn=drawn.safetensors --method=pseudo
    --step=first=zen4 --step=second=sapphirerapids --sequence=machines --output=results.jsonl
)");

static llvm::Expected<ReadData> read() {
  if (data.empty())
    return llvm::createStringError("--data=FILES is missing");
  bool describes = llvm::any_of(data, [](const std::string &path) {
    return !llvm::StringRef(path).ends_with(".safetensors");
  });
  if (!describes)
    return readData(data, {/*kind=*/nullptr, leastSamples, /*machine=*/""});
  std::string error;
  const FeatureKind *kind = findFeatureKind(features, error);
  if (!kind)
    return llvm::createStringError(error);
  return readData(data, {kind, leastSamples, /*machine=*/""});
}

static llvm::Error checkRepairs() {
  if (model != "unicomo" && !repair.empty())
    return llvm::createStringError("--repair is for --model=unicomo only");
  for (const std::string &name : repair)
    if (llvm::none_of(unicomoRepairs(), [&](const UnicomoRepair &one) { return one.name == name; }))
      return llvm::createStringError("there is nothing to repair named '" + name + "'");
  return llvm::Error::success();
}

static llvm::Error fit(const Dataset &dataset) {
  if (llvm::Error error = checkRepairs())
    return error;
  if (llvm::Error error = checkNames(dataset, without))
    return error;
  llvm::Expected<const Baseline &> baseline = findBaseline(model, dataset);
  if (!baseline)
    return baseline.takeError();
  BaselineOptions options;
  options.output = output;
  options.seed = seed;
  options.epochs = epochs;
  options.limitSeconds = limit;
  options.threads = threads;
  options.split = split;
  options.without = without;
  options.ranksTasks = rankTasks;
  options.repair = repair;
  return baseline->fit(dataset, options);
}

/// [LABEL=]NAME:WEIGHTS[+WEIGHTS...]
static llvm::Expected<ModelScores> score(llvm::StringRef text, const Dataset &dataset) {
  auto [label, named] = text.contains('=') ? text.split('=') : std::pair(llvm::StringRef(), text);
  auto [name, weights] = named.split(':');
  llvm::Expected<const Baseline &> baseline = findBaseline(name, dataset);
  if (!baseline)
    return baseline.takeError();
  ModelScores all{(label.empty() ? name : label).str(), /*predictsSeconds=*/false, {}};
  llvm::SmallVector<llvm::StringRef> paths;
  weights.split(paths, '+');
  for (llvm::StringRef path : paths)
    if (llvm::Error error = baseline->score(path, dataset).moveInto(all.seeds.emplace_back()))
      return std::move(error);
  return all;
}

static llvm::Error evaluateModels(const Dataset &dataset) {
  std::vector<ProgramList> lists = listsToJudge(dataset, split, {});
  if (lists.empty())
    return llvm::createStringError("the data has no list of programs that this split judges");
  std::vector<ModelScores> all = {{"analytic", /*predictsSeconds=*/true, {dataset.analytic}}};
  for (const std::string &text : models) {
    llvm::Expected<ModelScores> one = score(text, dataset);
    if (!one)
      return one.takeError();
    all.push_back(std::move(*one));
  }
  std::vector<Evaluation> evaluations = evaluate(dataset, lists, all, {});
  llvm::outs() << toMarkdown(evaluations);
  if (jsonPath.empty())
    return llvm::Error::success();
  return writeAtomically(jsonPath, [&](llvm::raw_ostream &os) {
    os << toJson(evaluations) << "\n";
    return llvm::Error::success();
  });
}

/// Lower is better, in the order of the data, as `ucmoh-train evaluate --model=scores:FILE` reads
/// it.
static llvm::Error writeModelScores(const Dataset &dataset) {
  if (models.size() != 1)
    return llvm::createStringError("--models=NAME:WEIGHTS has to name one model");
  llvm::Expected<ModelScores> all = score(models.front(), dataset);
  if (!all)
    return all.takeError();
  if (all->seeds.size() != 1)
    return llvm::createStringError("--models has to name the weights of one seed");
  return writeAtomically(output, [&](llvm::raw_ostream &os) {
    for (float value : all->seeds.front())
      os << llvm::format("%.9g", value) << "\n";
    return llvm::Error::success();
  });
}

static llvm::Error run() {
  if (lifelongCommand)
    return runLifelong();
  if (drawCommand)
    return runDraw();
  if (!featurizeCommand && !fitCommand && !evaluateCommand && !scoreCommand)
    return llvm::createStringError(
        "say featurize, fit, evaluate, score, draw or lifelong; --help has examples");
  if (!evaluateCommand && output.empty())
    return llvm::createStringError("--output=FILE is missing");
  llvm::Expected<ReadData> measured = read();
  if (!measured)
    return measured.takeError();
  measured->warn();
  if (fitCommand)
    return fit(measured->data);
  if (evaluateCommand)
    return evaluateModels(measured->data);
  if (scoreCommand)
    return writeModelScores(measured->data);
  llvm::outs() << measured->data.tasks.size() << " tasks, " << measured->data.programs()
               << " programs -> " << output << "\n";
  return writeDatasetFile(output, measured->data);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Published cost models on the project's data\n");
  llvm::Error error = run();
  if (!error)
    return 0;
  llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
  return 1;
}
