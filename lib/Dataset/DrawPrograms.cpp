//===- DrawPrograms.cpp - Programs that nobody measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Dataset/DrawPrograms.h"
#include "DrawWorkload.h"
#include "Featurizer.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Transforms/PreparedTask.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>

using namespace ucmoh;
using namespace mlir;

namespace {

/// A machine with what records have of it, of programs that so many threads share.
struct KnownMachine {
  Target target;               ///< the targets of its intrinsics together, and the threads
  llvm::StringSet<> known;     ///< "target::intrinsic"
  std::set<std::string> types; ///< the types of its workloads
};

/// A candidate that was drawn.
struct DrawnProgram {
  std::string intrinsic;
  ProgramFeatures features;
  float seconds;
};

/// One workload on one machine.
struct DrawnTask {
  const KnownMachine *machine;
  std::string types, ir;
  uint64_t seed;
  std::vector<DrawnProgram> programs = {};
};

class Drawer {
public:
  Drawer(MLIRContext &context, const CostModel &model, const DrawOptions &options)
      : context(context), model(model), options(options), random(options.seed) {}
  llvm::Error know(const MeasuredData &records);
  llvm::Expected<Dataset> run();

private:
  llvm::Error knowMachine(const Records::Machine &machine, const MeasuredData &records);
  std::map<int64_t, KnownMachine> known(const Records::Machine &machine,
                                        const MeasuredData &records) const;
  std::vector<DrawnTask> drawTasks(size_t count);
  void drawCandidates(DrawnTask &task) const;
  void drawGroup(ArrayRef<const Candidate *> group, const Workload &workload,
                 std::mt19937_64 &source, DrawnTask &task) const;

  MLIRContext &context;
  const CostModel &model;
  const DrawOptions &options;
  std::mt19937_64 random;
  std::shared_ptr<TargetLibrary> library;
  std::vector<KnownMachine> machines;
};

} // namespace

/// Workloads are drawn and looked at in groups of so many, until there are enough programs.
static constexpr size_t tasksAtOnce = 64;
/// So many groups without any program: nothing can be drawn.
static constexpr int fruitlessGroups = 4;

/// Moves `count` random elements to the front. Not std::shuffle: each library has its own.
template <class T>
static void drawToFront(std::vector<T> &values, size_t count, std::mt19937_64 &random) {
  for (size_t i = 0; i < std::min(count, values.size()); ++i)
    std::swap(values[i], values[i + random() % (values.size() - i)]);
}

/// By numbers of threads, where there are types that can be drawn; the targets are still missing.
std::map<int64_t, KnownMachine> Drawer::known(const Records::Machine &machine,
                                              const MeasuredData &records) const {
  llvm::StringMap<std::string> typesOf;
  for (const Records::Workload &workload : records.workloads)
    typesOf[workload.id()] = workload.tags.getString("types").value_or("").str();
  std::map<int64_t, KnownMachine> found;
  for (const Records::Row &row : records.rows) {
    auto choice = dyn_cast_or_null<ChoiceAttr>(parseAttribute(row.choice, &context));
    if (row.machine != machine.id() || !row.error.empty() || !choice ||
        !canDraw(typesOf[row.workload]))
      continue;
    KnownMachine &entry = found[choice.getThreads()];
    entry.known.insert(row.intrinsic);
    entry.types.insert(typesOf[row.workload]);
  }
  return found;
}

llvm::Error Drawer::knowMachine(const Records::Machine &machine, const MeasuredData &records) {
  std::map<int64_t, KnownMachine> found = known(machine, records);
  if (!found.empty() && failed(library->define(machine.ir, "machine " + machine.name)))
    return llvm::createStringError("machine '" + machine.name + "' cannot be read");
  for (auto &[threads, entry] : found) {
    std::set<std::string> targets;
    for (StringRef intrinsic : entry.known.keys())
      targets.insert(intrinsic.split("::").first.str());
    FailureOr<Target> target =
        resolveTarget(library, llvm::join(targets, "+") + "@" + machine.name);
    if (failed(target))
      return llvm::createStringError("machine '" + machine.name + "' cannot be used");
    entry.target = *target;
    entry.target.threads = threads;
    machines.push_back(std::move(entry));
  }
  return llvm::Error::success();
}

llvm::Error Drawer::know(const MeasuredData &records) {
  auto loaded = loadLibrary(&context, "@default");
  if (failed(loaded))
    return llvm::createStringError("the targets cannot be read");
  library = *loaded;
  std::map<std::string, const Records::Machine *> ordered;
  for (const auto &machine : records.machines)
    ordered[machine.first().str()] = &machine.second;
  for (auto &[id, machine] : ordered)
    if (llvm::Error error = knowMachine(*machine, records))
      return error;
  if (machines.empty())
    return llvm::createStringError("there is no machine with types that can be drawn");
  return llvm::Error::success();
}

/// Machines take turns, and so do their numbers of threads.
std::vector<DrawnTask> Drawer::drawTasks(size_t count) {
  std::vector<DrawnTask> tasks;
  for (size_t i = 0; i < count; ++i) {
    const KnownMachine &machine = machines[i % machines.size()];
    auto types = std::next(machine.types.begin(), random() % machine.types.size());
    tasks.push_back({&machine, *types, drawWorkload(*types, random), random()});
  }
  return tasks;
}

/// The programs of one target: some of those that the model takes for the best, and some others.
void Drawer::drawGroup(ArrayRef<const Candidate *> group, const Workload &workload,
                       std::mt19937_64 &source, DrawnTask &task) const {
  std::vector<const Candidate *> pool(group);
  drawToFront(pool, options.pool, source);
  pool.resize(std::min<size_t>(options.pool, pool.size()));
  std::vector<DrawnProgram> programs;
  for (const Candidate *candidate : pool) {
    DrawnProgram &program = programs.emplace_back();
    program.intrinsic = candidate->intrinsic->id();
    program.features = extractFeatures(workload, *candidate, task.machine->target.machine);
    model.score(program.features, program.seconds);
  }
  llvm::sort(programs,
             [](const DrawnProgram &a, const DrawnProgram &b) { return a.seconds < b.seconds; });
  size_t guided = std::min<size_t>(options.guided, programs.size());
  std::vector<DrawnProgram> others(std::make_move_iterator(programs.begin() + guided),
                                   std::make_move_iterator(programs.end()));
  programs.resize(guided);
  drawToFront(others, options.uniform, source);
  others.resize(std::min<size_t>(options.uniform, others.size()));
  llvm::append_range(task.programs, programs);
  llvm::append_range(task.programs, others);
}

/// Nothing where the pass would leave the op alone.
void Drawer::drawCandidates(DrawnTask &task) const {
  auto prepared = PreparedTask::parse(context, task.ir, "drawn");
  if (!prepared || !prepared->workload) {
    llvm::consumeError(prepared.takeError());
    return;
  }
  std::string reason;
  std::vector<Candidate> all =
      enumerateCandidates(*prepared->workload, task.machine->target, reason);
  std::map<StringRef, std::vector<const Candidate *>> groups;
  for (const Candidate &candidate : all)
    if (task.machine->known.contains(candidate.intrinsic->id()))
      groups[candidate.intrinsic->target].push_back(&candidate);
  std::mt19937_64 source(task.seed);
  for (auto &group : groups)
    drawGroup(group.second, *prepared->workload, source, task);
}

/// The number of the name in the list, which gets it if it lacks it.
static int32_t numberOf(std::vector<std::string> &names, StringRef name) {
  auto found = llvm::find(names, name);
  if (found == names.end())
    found = names.insert(found, name.str());
  return found - names.begin();
}

static void append(const DrawnTask &task, Dataset &data) {
  std::string id = "drawn" + llvm::utostr(data.tasks.size());
  TaskInfo info;
  info.id = info.name = id;
  info.types = task.types;
  info.split = "train";
  for (const DrawnProgram &program : task.programs) {
    for (const FeatureRow &row : program.features)
      data.rows.insert(data.rows.end(), row.values.begin(), row.values.end());
    data.offsets.push_back(data.rows.size() / data.width);
    data.seconds.push_back(program.seconds);
    data.spread.push_back(0);
    data.analytic.push_back(analyticSeconds(program.features));
    data.task.push_back(data.tasks.size());
    data.intrinsic.push_back(numberOf(data.intrinsics, program.intrinsic));
    data.machine.push_back(numberOf(data.machines, task.machine->target.machine.name));
    data.run.push_back(0);
  }
  data.tasks.push_back(std::move(info));
}

llvm::Expected<Dataset> Drawer::run() {
  Dataset data;
  data.schema = featureSchema();
  data.dataHash = "drawn:" + llvm::utostr(options.seed);
  data.features = featureNames();
  data.width = featureCount;
  data.runs = {"drawn"};
  for (int fruitless = 0; data.programs() < options.programs;) {
    std::vector<DrawnTask> tasks = drawTasks(tasksAtOnce);
    parallelFor(&context, 0, tasks.size(), [&](size_t i) { drawCandidates(tasks[i]); });
    int64_t before = data.programs();
    for (const DrawnTask &task : tasks)
      append(task, data);
    fruitless = data.programs() == before ? fruitless + 1 : 0;
    if (fruitless == fruitlessGroups)
      return llvm::createStringError("no workload that was drawn has a candidate");
  }
  return data;
}

llvm::Expected<Dataset> ucmoh::drawPrograms(ArrayRef<std::string> paths, const CostModel &model,
                                            const DrawOptions &options) {
  if (!model.predictsSeconds())
    return llvm::createStringError("model '" + model.getName() + "' predicts no seconds");
  llvm::Expected<MeasuredData> records = readMeasuredData(paths);
  if (!records)
    return records.takeError();
  DialectRegistry registry;
  registerInputDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) { return success(); });
  Drawer drawer(context, model, options);
  if (llvm::Error error = drawer.know(*records))
    return std::move(error);
  return drawer.run();
}
