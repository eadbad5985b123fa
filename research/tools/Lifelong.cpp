//===- Lifelong.cpp - ucmoh-research lifelong and draw
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lifelong.h"
#include "Lifelong/Learner.h"
#include "ucmoh/Dataset/DrawPrograms.h"
#include "ucmoh/Dataset/ReadData.h"
#include "ucmoh/Training/Metrics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include <ctime>

using namespace ucmoh;
namespace cl = llvm::cl;
namespace json = llvm::json;

cl::SubCommand ucmoh::lifelongCommand("lifelong",
                                      "Learns steps one after the other, and says what is left");
cl::SubCommand ucmoh::drawCommand("draw", "Draws programs that nobody measured, for lifelong");

cl::OptionCategory &ucmoh::researchCategory() {
  static cl::OptionCategory category("Options");
  return category;
}

template <class T>
static cl::opt<T> option(llvm::StringRef name, const T &value, llvm::StringRef description) {
  return cl::opt<T>(name, cl::init(value), cl::desc(description), cl::sub(lifelongCommand),
                    cl::cat(researchCategory()));
}
static cl::list<std::string> data("data", cl::CommaSeparated, cl::value_desc("FILES"),
                                  cl::desc("What is learned and chosen by, and of which held-out "
                                           "tasks judge; for draw, what is known"),
                                  cl::sub(lifelongCommand), cl::sub(drawCommand),
                                  cl::cat(researchCategory()));
static cl::list<std::string> test("test", cl::CommaSeparated, cl::value_desc("FILES"),
                                  cl::desc("Only programs of held-out tasks count"),
                                  cl::sub(lifelongCommand), cl::cat(researchCategory()));
static cl::opt<std::string> drawn("drawn", cl::desc("What draw wrote"), cl::sub(lifelongCommand),
                                  cl::cat(researchCategory()));
static cl::opt<std::string> output("output",
                                   cl::desc("Where results are appended, a JSON object a line; "
                                            "features.safetensors with draw"),
                                   cl::sub(lifelongCommand), cl::sub(drawCommand),
                                   cl::cat(researchCategory()));
static cl::opt<int64_t> programs("programs", cl::init(16384), cl::desc("How many are drawn"),
                                 cl::sub(drawCommand), cl::cat(researchCategory()));
static cl::list<std::string> stepTexts("step", cl::value_desc("NAME=PROGRAMS[+PROGRAMS...]"),
                                       cl::desc("Targets, intrinsics or machines; in this order"),
                                       cl::sub(lifelongCommand), cl::cat(researchCategory()));
static auto machine = option<std::string>("machine", "", "Only programs of this one");
static auto sequence = option<std::string>("sequence", "", "A name for the results");
static auto method = option<std::string>("method", "pseudo", "How a step is learned");
static const LifelongSettings defaults;
static auto lambda = option("lambda", defaults.lambda, "Weight of what holds the network");
static auto mix = option("mix", defaults.mix, "Weight of what is rehearsed");
static auto rehearsed = option("rehearsed", defaults.rehearsed, "Programs that are rehearsed");
static auto epochs = option("epochs", defaults.epochs, "Epochs of each step");
static auto rate = option("rate", defaults.rate, "Highest learning rate behind the first step");
static auto stepPrograms =
    option("programs-per-step", defaults.programsPerStep,
           "New programs of one step of the training, and as many rehearsed ones");
static auto seed = option("seed", defaults.seed, "Seed of weights and order");
static auto share = option("share", 1.0, "Share of the lists of the last step that are learned");
static auto samplePath = option<std::string>(
    "write-sample", "", "Only writes the part of the data that the steps use, as --data of others");
static auto trainPrograms =
    option("train-programs", LifelongSample().trainPrograms, "Programs of a step, at most");

/// All files as one. Of the test files' programs, those of tasks that are not held out are not
/// measured here.
static llvm::Expected<Dataset> readAll() {
  llvm::Expected<ReadData> all = readData(data, {});
  if (!all)
    return all.takeError();
  if (!test.empty()) {
    llvm::Expected<ReadData> judges = readData(test, {});
    if (!judges)
      return judges.takeError();
    Dataset &held = judges->data;
    for (int64_t program = 0; program < held.programs(); ++program)
      if (!held.tasks[held.task[program]].isHoldout())
        held.seconds[program] = NAN;
    append(all->data, held);
  }
  if (!drawn.empty()) {
    llvm::Expected<ReadData> more = readData({drawn}, {});
    if (!more)
      return more.takeError();
    append(all->data, more->data);
  }
  return std::move(all->data);
}

namespace {

/// A sequence with one method.
class Study {
public:
  Study(const Dataset &data, const NetworkData &inputs, std::vector<LifelongStep> steps,
        const LifelongMethod &method, const LifelongSettings &settings, llvm::raw_ostream &os)
      : data(data), inputs(inputs), steps(std::move(steps)), method(method), settings(settings),
        os(os) {}
  void run();

private:
  void runAlone();
  void runJoint();
  void runHeads();
  void judge(const LifelongLearner &learner, size_t learned, llvm::ArrayRef<size_t> on);
  void note(const LifelongStep &step, llvm::StringRef set, llvm::ArrayRef<ProgramList> lists,
            llvm::ArrayRef<float> scores, size_t learned);
  LifelongLearner makeLearner(llvm::ArrayRef<ProgramList> first) const {
    return {data, inputs, first, method, settings};
  }

  const Dataset &data;
  const NetworkData &inputs;
  std::vector<LifelongStep> steps;
  const LifelongMethod &method;
  const LifelongSettings &settings;
  llvm::raw_ostream &os;
  std::clock_t start = std::clock();
};

} // namespace

void Study::note(const LifelongStep &step, llvm::StringRef set, llvm::ArrayRef<ProgramList> lists,
                 llvm::ArrayRef<float> scores, size_t learned) {
  Metrics metrics = measure(rank(data, lists, scores));
  json::Array order;
  for (const LifelongStep &other : steps)
    order.push_back(other.name);
  json::Object line{{"sequence", sequence.getValue()},
                    {"order", std::move(order)},
                    {"method", method.name},
                    {"lambda", settings.lambda},
                    {"mix", settings.mix},
                    {"rehearsed", settings.rehearsed},
                    {"rate", settings.rate},
                    {"epochs", settings.epochs},
                    {"share", share.getValue()},
                    {"seed", static_cast<int64_t>(settings.seed)},
                    {"learned", static_cast<int64_t>(learned)},
                    {"on", step.name},
                    {"set", set},
                    {"lists", static_cast<int64_t>(lists.size())},
                    {"cpu_seconds", double(std::clock() - start) / CLOCKS_PER_SEC},
                    {"top1", metrics.top1},
                    {"top5", metrics.top5},
                    {"top1_geomean", metrics.top1Geomean},
                    {"top5_geomean", metrics.top5Geomean},
                    {"pairwise", metrics.pairwise}};
  os << json::Value(std::move(line)) << "\n";
}

/// `learned` steps are behind the learner. Settings are chosen by what the last one leaves.
void Study::judge(const LifelongLearner &learner, size_t learned, llvm::ArrayRef<size_t> on) {
  bool chooses = learned == steps.size();
  std::vector<ProgramList> all;
  for (size_t number : on) {
    llvm::append_range(all, steps[number].test);
    if (chooses)
      llvm::append_range(all, steps[number].choose);
  }
  std::vector<float> scores = learner.predict(all, on.front());
  for (size_t number : on) {
    note(steps[number], "test", steps[number].test, scores, learned);
    if (chooses)
      note(steps[number], "choose", steps[number].choose, scores, learned);
  }
  os.flush();
}

void Study::runAlone() {
  for (size_t number = 0; number < steps.size(); ++number) {
    LifelongLearner learner = makeLearner(steps[number].train);
    learner.learn(steps[number].train, {});
    judge(learner, number + 1, number);
  }
}

void Study::runJoint() {
  std::vector<ProgramList> all;
  for (const LifelongStep &step : steps)
    llvm::append_range(all, step.train);
  LifelongLearner learner = makeLearner(all);
  learner.learn(all, {});
  judge(learner, steps.size(), llvm::to_vector(llvm::seq<size_t>(steps.size())));
}

void Study::runHeads() {
  std::vector<ProgramList> all;
  for (const LifelongStep &step : steps)
    llvm::append_range(all, step.train);
  LifelongLearner learner = makeLearner(all);
  learner.learnHeads(steps);
  for (size_t number = 0; number < steps.size(); ++number)
    judge(learner, steps.size(), number);
}

void Study::run() {
  if (method.isAlone)
    return runAlone();
  if (method.hasHeads)
    return runHeads();
  if (method.isJoint)
    return runJoint();
  auto every = llvm::to_vector(llvm::seq<size_t>(steps.size()));
  LifelongLearner learner = makeLearner(steps.front().train);
  judge(learner, 0, every);
  for (size_t number = 0; number < steps.size(); ++number) {
    learner.learn(steps[number].train, llvm::ArrayRef(steps).take_front(number));
    judge(learner, number + 1, every);
    llvm::errs() << sequence << " " << method.name << " seed " << settings.seed << ": step "
                 << number + 1 << "/" << steps.size() << ", "
                 << (std::clock() - start) / CLOCKS_PER_SEC << " s\n";
  }
}

static LifelongSettings readSettings() {
  LifelongSettings settings;
  settings.lambda = lambda;
  settings.mix = mix;
  settings.rehearsed = rehearsed;
  settings.epochs = epochs;
  settings.rate = rate;
  settings.programsPerStep = stepPrograms;
  settings.seed = seed;
  return settings;
}

llvm::Error ucmoh::runLifelong() {
  const LifelongMethod *found = findLifelongMethod(method);
  if (!found) {
    std::string names;
    for (const LifelongMethod &one : lifelongMethods())
      names += (names.empty() ? "" : ", ") + one.name.str();
    return llvm::createStringError("there is no method '" + method + "'; there are " + names);
  }
  if (data.empty() || (output.empty() && samplePath.empty()))
    return llvm::createStringError("--data=FILES or --output=FILE is missing");
  llvm::Expected<Dataset> all = readAll();
  if (!all)
    return all.takeError();
  LifelongSample sample;
  sample.machine = machine;
  sample.trainPrograms = trainPrograms;
  llvm::Expected<std::vector<LifelongStep>> steps = makeSteps(*all, stepTexts, sample);
  if (!steps)
    return steps.takeError();
  if (steps->empty())
    return llvm::createStringError("--step=NAME=PROGRAMS is missing");
  std::vector<ProgramList> &last = steps->back().train;
  last.resize(std::max<size_t>(1, std::llround(share * last.size())));
  *all = compact(*all, *steps);
  if (!samplePath.empty())
    return writeDatasetFile(samplePath, *all);
  bool isDrawn = llvm::all_of(*steps, [](const LifelongStep &step) { return !step.drawn.empty(); });
  if (found->rehearse == Rehearse::Drawn && !isDrawn)
    return llvm::createStringError("nothing is drawn for some step; --drawn takes what draw wrote");
  llvm::Expected<NetworkData> inputs = NetworkData::create(*all);
  if (!inputs)
    return inputs.takeError();
  std::error_code error;
  llvm::raw_fd_ostream os(output, error, llvm::sys::fs::CD_OpenAlways, llvm::sys::fs::FA_Write,
                          llvm::sys::fs::OF_Append);
  if (error)
    return llvm::createFileError(output, error);
  prepareTorch(1);
  LifelongSettings settings = readSettings();
  Study(*all, *inputs, std::move(*steps), *found, settings, os).run();
  return llvm::Error::success();
}

llvm::Error ucmoh::runDraw() {
  if (data.empty() || output.empty())
    return llvm::createStringError("--data=FILES or --output=FILE is missing");
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel("analytic", error);
  DrawOptions options;
  options.programs = programs;
  llvm::Expected<Dataset> found = drawPrograms(data, *model, options);
  return found ? writeDatasetFile(output, *found) : found.takeError();
}
