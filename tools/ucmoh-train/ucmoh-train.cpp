//===- ucmoh-train.cpp - Trains and judges cost models
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Baselines.h"
#include "ucmoh/Training/Evaluate.h"
#include "ucmoh/Training/Fit.h"
#include "ucmoh/Training/Programs.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace ucmoh;
namespace cl = llvm::cl;

static cl::SubCommand fitCommand("fit", "Trains the network");
static cl::SubCommand evaluateCommand("evaluate", "Says how well models rank");

static cl::OptionCategory category("Options");
static cl::list<std::string> dataPaths("data", cl::OneOrMore, cl::CommaSeparated,
                                       cl::value_desc("FEATURES.safetensors"),
                                       cl::desc("What ucmoh-featurize wrote; may be repeated"),
                                       cl::sub(fitCommand), cl::sub(evaluateCommand),
                                       cl::cat(category));

static FitOptions fitOptions;
template <class T>
static cl::opt<T, true> fitOption(llvm::StringRef name, T &storage, llvm::StringRef description) {
  return cl::opt<T, true>(name, cl::location(storage), cl::init(T(storage)), cl::desc(description),
                          cl::sub(fitCommand), cl::cat(category));
}
static auto output = fitOption("output", fitOptions.output, "Where the weights are written");
static auto from = fitOption("from", fitOptions.from, "Weights to begin with; random without");
static auto logPath = fitOption("log", fitOptions.logPath, "Where losses are written, as JSON");
static auto seed = fitOption("seed", fitOptions.seed, "Of weights, order and validation");
static auto epochs = fitOption("epochs", fitOptions.epochs, "Passes over the data");
static auto step = fitOption("programs-per-step", fitOptions.programsPerStep,
                             "Lists are put together until they have that many programs");
static auto rate = fitOption("rate", fitOptions.learningRate, "Highest learning rate");
static auto decay = fitOption("decay", fitOptions.weightDecay, "Weight decay");
static auto validation = fitOption("validation", fitOptions.validation,
                                   "Share of tasks that only decide which epoch is kept");
static auto gain =
    fitOption("gain", fitOptions.gain, "Of LambdaRank: gains are 2^(gain * best / seconds) - 1");
static auto slope = fitOption("slope", fitOptions.slope, "Of LambdaRank's sigmoid, per log2");
static auto emphasis = fitOption("emphasis", fitOptions.regressionEmphasis,
                                 "Of regression: weights are (best / seconds)^emphasis");
static auto threads =
    fitOption("threads", fitOptions.threads, "Of LibTorch; the same bits only with one");

static cl::opt<std::string>
    fitModel("model", cl::init("network"), cl::sub(fitCommand), cl::cat(category),
             cl::desc("The project's network, or a published model to compare with, which takes "
                      "only data, output, seed, epochs, threads and the next two"));
static cl::opt<double> limit("limit", cl::sub(fitCommand), cl::cat(category),
                             cl::value_desc("SECONDS"),
                             cl::desc("A published model begins no epoch after that"));
static cl::opt<bool> ranksTasks("rank-tasks", cl::sub(fitCommand), cl::cat(category),
                                cl::desc("A published model learns the order within tasks, not "
                                         "within batches of all tasks as published"));

enum class Loss { Both, LambdaRank, Regression };
static cl::opt<Loss> loss(
    "loss", cl::init(Loss::Both), cl::desc("What is made small"), cl::sub(fitCommand),
    cl::cat(category),
    cl::values(clEnumValN(Loss::Both, "both", "LambdaRank and regression, added"),
               clEnumValN(Loss::LambdaRank, "lambdarank", "the order of the programs of a list"),
               clEnumValN(Loss::Regression, "regression", "the squared error of log2(seconds)")));

static cl::list<std::string>
    modelNames("model", cl::OneOrMore, cl::CommaSeparated, cl::sub(evaluateCommand),
               cl::cat(category),
               cl::desc("analytic, embedded, random:SEED, WEIGHTS.safetensors, scores:FILE (a "
                        "number a line) or a published model NAME:WEIGHTS; may be repeated"));
static cl::opt<std::string> jsonPath("json", cl::sub(evaluateCommand), cl::cat(category),
                                     cl::value_desc("FILE"),
                                     cl::desc("Where the tables are written as JSON, too"));
static cl::extrahelp overview(R"(
Reads what ucmoh-featurize wrote. Tasks that are held out are never learned from.

  ucmoh-train fit --data=features.safetensors --output=weights.safetensors --log=log.json
  ucmoh-train evaluate --data=features.safetensors --model=analytic,weights.safetensors

Published models want features of their own, made by ucmoh-featurize --features=ansor and others:

  ucmoh-train fit --model=tenset-mlp --data=ansor.safetensors --output=mlp.safetensors
  ucmoh-train evaluate --data=ansor.safetensors --model=analytic,tenset-mlp:mlp.safetensors
)");

static llvm::Error runFitBaseline(const Dataset &data) {
  BaselineOptions options;
  options.output = fitOptions.output;
  options.seed = fitOptions.seed;
  options.epochs = epochs.getNumOccurrences() ? fitOptions.epochs : 0;
  options.limitSeconds = limit;
  options.threads = fitOptions.threads;
  options.ranksTasks = ranksTasks;
  llvm::Expected<const Baseline &> baseline = findBaseline(fitModel, data);
  return baseline ? baseline->fit(data, options) : baseline.takeError();
}

static llvm::Error runFit(const Dataset &data) {
  if (fitOptions.output.empty())
    return llvm::createStringError("--output=WEIGHTS.safetensors is missing");
  if (fitOptions.epochs < 1 || fitOptions.programsPerStep < 1 || fitOptions.threads < 1 ||
      fitOptions.validation < 0 || fitOptions.validation > 0.9)
    return llvm::createStringError("epochs, programs-per-step and threads must be at least 1, "
                                   "validation between 0 and 0.9");
  if (fitModel != "network")
    return runFitBaseline(data);
  fitOptions.rankWeight = loss != Loss::Regression;
  fitOptions.regressionWeight = loss != Loss::LambdaRank;
  return fit(data, fitOptions);
}

static llvm::Expected<ModelScores> scoreCostModel(llvm::StringRef name, const Dataset &data) {
  // Data with features of others has it, too.
  if (name == "analytic")
    return ModelScores{name.str(), data.analytic};
  if (llvm::Error error = checkSchema(data))
    return std::move(error);
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel(name, error);
  if (!model)
    return llvm::createStringError(error);
  return ModelScores{model->getName().str(), scoreAll(data, *model)};
}

static llvm::Expected<ModelScores> scoreModel(llvm::StringRef name, const Dataset &data) {
  auto [kind, path] = name.split(':');
  if (path.empty() || kind == "random")
    return scoreCostModel(name, data);
  llvm::Expected<std::vector<float>> scores = std::vector<float>();
  if (kind == "scores") {
    scores = readScores(path, data);
  } else {
    llvm::Expected<const Baseline &> baseline = findBaseline(kind, data);
    if (!baseline)
      return baseline.takeError();
    scores = baseline->score(path, data);
  }
  if (!scores)
    return scores.takeError();
  return ModelScores{kind == "scores" ? path.str() : kind.str(), std::move(*scores)};
}

static llvm::Error runEvaluate(const Dataset &data) {
  std::vector<ModelScores> models;
  for (const std::string &name : modelNames) {
    llvm::Expected<ModelScores> scored = scoreModel(name, data);
    if (!scored)
      return scored.takeError();
    models.push_back(std::move(*scored));
  }
  std::vector<Evaluation> evaluations = evaluate(data, models);
  llvm::outs() << toMarkdown(evaluations);
  if (jsonPath.empty())
    return llvm::Error::success();
  return llvm::writeToOutput(jsonPath, [&](llvm::raw_ostream &os) {
    os << toJson(evaluations) << "\n";
    return llvm::Error::success();
  });
}

static llvm::Error run() {
  llvm::Expected<Dataset> data = readDataset(dataPaths);
  if (!data)
    return data.takeError();
  if (fitCommand)
    return runFit(*data);
  if (evaluateCommand)
    return runEvaluate(*data);
  return llvm::createStringError("say fit or evaluate; --help has examples");
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::HideUnrelatedOptions(category, fitCommand);
  cl::HideUnrelatedOptions(category, evaluateCommand);
  cl::ParseCommandLineOptions(argc, argv, "Trains and judges cost models\n");
  llvm::Error error = run();
  if (!error)
    return 0;
  llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
  return 1;
}
