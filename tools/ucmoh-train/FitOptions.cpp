//===- FitOptions.cpp - Options of ucmoh-train fit
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "ucmoh/CostModel/NetworkParameters.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ucmoh;
namespace cl = llvm::cl;

template <class T>
static cl::opt<T> option(llvm::StringRef name, const T &value, llvm::StringRef description) {
  return cl::opt<T>(name, cl::init(value), cl::desc(description), cl::sub(fitCommand()),
                    cl::cat(trainCategory()));
}
static cl::list<std::string> names(llvm::StringRef name, llvm::StringRef value,
                                   llvm::StringRef description) {
  return cl::list<std::string>(name, cl::CommaSeparated, cl::value_desc(value),
                               cl::desc(description), cl::sub(fitCommand()),
                               cl::cat(trainCategory()));
}

static const FitOptions defaults, fine = fineTuning();
static auto output = option<std::string>("output", "", "Where the weights are written");
static auto from = option<std::string>(
    "from", "",
    "Weights to begin with; random without. The defaults of epochs, rate, decay and "
    "programs-per-step are then those for some hundred rows");
static auto state = option<std::string>(
    "state", "",
    "File that keeps the last epoch: the same command goes on behind it and ends with the same "
    "bits; with --validation=0 only");
static auto logPath = option<std::string>("log", "", "Where losses are written, as JSON");
static auto seed = option("seed", defaults.seed, "Seed of weights, order and validation");
static const std::string epochsText =
    "Passes over the data; " + std::to_string(fine.epochs) + " with --from";
static auto epochs = option("epochs", defaults.epochs, epochsText);
static const std::string stepText =
    "Parts of lists are put together until they have that many programs; " +
    std::to_string(fine.programsPerStep) + " with --from";
static auto step = option("programs-per-step", defaults.programsPerStep, stepText);
static auto part = option("programs-per-list", defaults.programsPerList,
                          "Longer lists are divided at random, anew in every epoch");
static const std::string rateText =
    llvm::formatv("Highest learning rate; {0:f4} with --from", fine.learningRate).str();
static auto rate = option("rate", defaults.learningRate, rateText);
static const std::string decayText =
    llvm::formatv("Weight decay; {0:f3} with --from", fine.weightDecay).str();
static auto decay = option("decay", defaults.weightDecay, decayText);
static auto validation = option("validation", defaults.validation,
                                "Share of tasks that only decide which epoch is kept");
static auto gain =
    option("gain", defaults.gain, "Gains of LambdaRank are 2^(gain * best / seconds) - 1");
static auto slope = option("slope", defaults.slope, "Slope of LambdaRank's sigmoid, per log2");
static auto emphasis = option("emphasis", defaults.regressionEmphasis,
                              "Weights of regression are (best / seconds)^emphasis");
static auto bias = option("bias", defaults.biasWeight,
                          "Weight of the error that all programs of a list share, in regression");
static auto jitter = option(
    "machine-jitter", defaults.machineJitter,
    "Standard deviation of log2 of the factors by which machines' numbers are wrong in every "
    "second list");
static auto threads =
    option("threads", defaults.threads, "Of LibTorch; the same bits only with one");
static cl::opt<Split>
    split("split", cl::init(Split::Holdout), cl::desc("What is left for evaluate"),
          cl::sub(fitCommand()), cl::cat(trainCategory()),
          cl::values(clEnumValN(Split::Holdout, "holdout", "tasks that are held out, as always"),
                     clEnumValN(Split::ByTask, "by_task", "and a fifth of the others"),
                     clEnumValN(Split::WithinTask, "within_task",
                                "and a fifth of the programs of each of the others")));
static auto without = names("without", "NAMES",
                            "Targets, intrinsics (target::name) or machines that are not learned");

/// The groups are listed where they are defined: here they only get into the help.
static std::string describeGroups() {
  std::string text = "Groups of features that are zero, to see what they are worth:";
  for (const FeatureGroup &group : networkInputGroups())
    text += ("\n" + group.name + ": " + group.meaning).str();
  return text;
}
static const std::string groups = describeGroups();
static auto ablate = names("ablate", "GROUPS", groups);

enum class Loss { Both, LambdaRank, Regression };
static cl::opt<Loss> loss(
    "loss", cl::init(Loss::Both), cl::desc("What is made small"), cl::sub(fitCommand()),
    cl::cat(trainCategory()),
    cl::values(clEnumValN(Loss::Both, "both", "LambdaRank and regression, added"),
               clEnumValN(Loss::LambdaRank, "lambdarank", "the order of the programs of a list"),
               clEnumValN(Loss::Regression, "regression", "the squared error of log2(seconds)")));

/// Returns the option's value if it was given, else `otherwise`.
template <class T> static T given(const cl::opt<T> &option, T otherwise) {
  return option.getNumOccurrences() ? option.getValue() : otherwise;
}

static FitOptions collect() {
  FitOptions options = from.empty() ? FitOptions() : fineTuning();
  options.output = output;
  options.from = from;
  options.state = state;
  options.logPath = logPath;
  options.split = split;
  options.without = without;
  options.ablate = ablate;
  options.seed = seed;
  options.threads = threads;
  options.epochs = given(epochs, options.epochs);
  options.programsPerStep = given(step, options.programsPerStep);
  options.programsPerList = part;
  options.learningRate = given(rate, options.learningRate);
  options.weightDecay = given(decay, options.weightDecay);
  options.validation = validation;
  options.rankWeight = loss != Loss::Regression;
  options.regressionWeight = loss != Loss::LambdaRank;
  options.gain = gain;
  options.slope = slope;
  options.regressionEmphasis = emphasis;
  options.biasWeight = bias;
  options.machineJitter = jitter;
  return options;
}

llvm::Expected<FitOptions> ucmoh::fitOptions() {
  FitOptions options = collect();
  if (options.output.empty())
    return llvm::createStringError("--output=WEIGHTS.safetensors is missing");
  if (!options.state.empty() && options.validation > 0)
    return llvm::createStringError("--state keeps no epoch that was better than the last one: give "
                                   "--validation=0 beside it");
  if (options.epochs < 1 || options.programsPerStep < 1 || options.threads < 1 ||
      options.programsPerList < 2 || options.validation < 0 || options.validation > 0.9)
    return llvm::createStringError("epochs, programs-per-step and threads must be at least 1, "
                                   "programs-per-list at least 2, validation between 0 and 0.9");
  return options;
}
