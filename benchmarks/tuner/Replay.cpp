//===- Replay.cpp - Searches over candidates that were all measured before
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Dataset/ReadData.h"
#include "ucmoh/Tune/TaskSearch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include <cmath>
#include <map>
#include <numeric>
#include <random>

using namespace ucmoh;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::list<std::string> inputs(cl::Positional, cl::OneOrMore, cl::desc("<records...>"));
static cl::opt<std::string> modelName("model", cl::init("embedded"),
                                      cl::desc("Cost model, as in the pass"));
static cl::opt<int64_t> atLeast("at-least", cl::init(200),
                                cl::desc("Leave out tasks with fewer measured candidates"));
static cl::opt<int64_t> trials("trials", cl::init(64), cl::desc("Candidates per task"));
static cl::opt<int64_t> seeds("seeds", cl::init(3), cl::desc("Orders of the random search"));
static cl::list<std::string>
    kernels("kernel", cl::value_desc("LINEAR:NEARBY:SCALE:OWN"),
            cl::desc("Search with these standard deviations, too; may be repeated"));
static cl::opt<std::string> points("points", cl::desc("File for what other searches need to know"));
static cl::extrahelp overview(R"(
Prints, as JSON lines, the seconds of the candidates in the order in which each search measures
them: {"task", "method", "seed", "best", "seconds"}.

  ucmoh-replay-tuner data/sapphirerapids-{,exhaustive-}holdout.jsonl.zst > replay.jsonl
)");

static constexpr size_t roundSize = 8; // as the tuner's

namespace {
/// The measured candidates of a task, in the model's order.
struct Measured {
  std::string task, types;
  std::vector<int64_t> programs; ///< their numbers among all that were read
  std::vector<double> seconds, predicted, roofline;
  std::vector<FeaturePoint> positions;
};
} // namespace

static ProgramFeatures featuresOf(const Dataset &data, int64_t program) {
  ProgramFeatures rows(data.rowCount(program));
  llvm::ArrayRef<float> values = data.rowsOf(program);
  for (auto [i, row] : llvm::enumerate(rows))
    llvm::copy(values.slice(i * data.width, data.width), row.values.begin());
  return rows;
}

static Measured describe(const Dataset &data, llvm::ArrayRef<int64_t> programs,
                         const CostModel &model) {
  std::vector<ProgramFeatures> features;
  for (int64_t program : programs)
    features.push_back(featuresOf(data, program));
  std::vector<float> scores(programs.size());
  model.score(features, scores);
  std::vector<size_t> order(programs.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order,
             [&](size_t a, size_t b) { return std::pair(scores[a], a) < std::pair(scores[b], b); });
  const TaskInfo &task = data.tasks[data.task[programs.front()]];
  Measured measured{task.name, task.types, {}, {}, {}, {}, {}};
  for (size_t i : order) {
    measured.programs.push_back(programs[i]);
    measured.seconds.push_back(data.seconds[programs[i]]);
    measured.predicted.push_back(scores[i]);
    measured.roofline.push_back(data.analytic[programs[i]]);
    measured.positions.push_back(locate(features[i]));
  }
  standardize(measured.positions);
  return measured;
}

static void print(const Measured &task, llvm::StringRef method, int64_t seed,
                  llvm::ArrayRef<size_t> order) {
  json::Array seconds;
  for (size_t candidate : order.take_front(trials))
    seconds.push_back(task.seconds[candidate]);
  llvm::outs() << json::Value(json::Object{{"task", task.task},
                                           {"types", task.types},
                                           {"candidates", int64_t(task.seconds.size())},
                                           {"method", method},
                                           {"seed", seed},
                                           {"best", *llvm::min_element(task.seconds)},
                                           {"seconds", std::move(seconds)}})
               << "\n";
}

/// As the tuner does, were the task alone.
static std::vector<size_t> search(const Measured &task, const Kernel &kernel) {
  TaskSearch search(task.predicted, task.positions, 1, kernel);
  std::vector<size_t> order;
  while (order.size() < size_t(trials)) {
    std::vector<size_t> round = search.propose(roundSize);
    if (round.empty())
      break;
    for (size_t candidate : round)
      search.observe(candidate, task.seconds[candidate]);
    llvm::append_range(order, round);
  }
  return order;
}

static Kernel parseKernel(llvm::StringRef text) {
  Kernel kernel = kernelOf(Correction::None);
  llvm::SmallVector<llvm::StringRef> numbers;
  text.split(numbers, ':');
  double *fields[] = {&kernel.linear, &kernel.nearby, &kernel.nearbyScale, &kernel.own};
  for (auto [field, number] : llvm::zip(fields, numbers))
    number.getAsDouble(*field);
  return kernel;
}

static void replay(const Measured &task) {
  std::vector<size_t> order(task.seconds.size());
  std::iota(order.begin(), order.end(), 0);
  print(task, "model", 0, order);
  std::vector<size_t> roofline = order;
  llvm::sort(roofline, [&](size_t a, size_t b) {
    return std::pair(task.roofline[a], a) < std::pair(task.roofline[b], b);
  });
  print(task, "roofline", 0, roofline);
  for (int64_t seed = 0; seed < seeds; ++seed) {
    std::mt19937_64 random(seed);
    std::shuffle(order.begin(), order.end(), random);
    print(task, "random", seed, order);
  }
  for (const char *name : {"none", "linear", "nearby"})
    print(task, std::string("corrected: ") + name, 0,
          search(task, kernelOf(*parseCorrection(name))));
  for (const std::string &text : kernels)
    print(task, "kernel " + text, 0, search(task, parseKernel(text)));
}

static void printPoints(const Measured &task, llvm::raw_ostream &out) {
  json::Array rows;
  for (const FeaturePoint &position : task.positions)
    rows.push_back(json::Array(position));
  out << json::Value(json::Object{{"task", task.task},
                                  {"types", task.types},
                                  {"programs", json::Array(task.programs)},
                                  {"seconds", json::Array(task.seconds)},
                                  {"predicted", json::Array(task.predicted)},
                                  {"points", std::move(rows)}})
      << "\n";
}

static llvm::Error run() {
  auto read = readData(inputs, {});
  if (!read)
    return read.takeError();
  read->warn();
  std::string message;
  auto model = createCostModel(modelName, message);
  if (!model)
    return llvm::createStringError(message);
  std::map<std::pair<int, int>, std::vector<int64_t>> programs; // by task and machine
  for (int64_t i = 0; i < read->data.programs(); ++i)
    if (std::isfinite(read->data.seconds[i]))
      programs[{read->data.task[i], read->data.machine[i]}].push_back(i);
  std::error_code error;
  llvm::raw_fd_ostream out(points.empty() ? std::string("/dev/null") : points, error);
  if (error)
    return llvm::createStringError(points + ": " + error.message());
  for (const auto &[key, members] : programs) {
    if (int64_t(members.size()) < atLeast)
      continue;
    Measured task = describe(read->data, members, *model);
    replay(task);
    printPoints(task, out);
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Searches over candidates that were measured before\n");
  if (auto error = run()) {
    llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
