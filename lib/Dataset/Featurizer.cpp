//===- Featurizer.cpp - Measured programs as features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Featurizer.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Transforms/PreparedTask.h"

using namespace mlir;
using namespace ucmoh;

namespace {
class ProgramFeatureKind : public FeatureKind {
public:
  std::string schema() const override { return featureSchema(); }
  std::vector<std::string> names() const override { return featureNames(); }
  void extract(const Workload &workload, const Candidate &candidate, const Machine &machine,
               std::vector<float> &rows) const override {
    for (const FeatureRow &row : extractFeatures(workload, candidate, machine))
      rows.insert(rows.end(), row.values.begin(), row.values.end());
  }
};
} // namespace

const FeatureKind &ucmoh::programFeatures() {
  static const ProgramFeatureKind kind;
  return kind;
}

/// What the system tells of a machine without a file is known even where nothing else is.
static void keepCaches(Machine &to, const Machine &recorded) {
  to.l1Bytes = recorded.l1Bytes;
  to.l2Bytes = recorded.l2Bytes;
  to.l3Bytes = recorded.l3Bytes;
  to.cacheLineBytes = recorded.cacheLineBytes;
  to.cores = recorded.cores;
}

llvm::Expected<Target> Featurizer::resolve(StringRef target, StringRef machine) const {
  std::string name = (target + "@" + machine).str();
  FailureOr<Target> resolved = resolveTarget(library, name);
  if (failed(resolved))
    return llvm::createStringError("target '" + name + "' cannot be used");
  return *resolved;
}

/// Before a recorded machine of the same name takes the place of the one that is asked for.
llvm::Error Featurizer::resolveAsked() {
  for (auto op : library->getModule().getOps<TargetOp>()) {
    llvm::Expected<Target> target = resolve(op.getSymName(), numbers);
    if (!target)
      return target.takeError();
    asked.insert({op.getSymName(), *target});
  }
  return llvm::Error::success();
}

/// Every target on this machine: a choice names the target of its intrinsic. The machine has the
/// numbers with which it was measured, whatever the embedded file of its name says, or those that
/// are asked for instead.
llvm::Error Featurizer::resolveMachine(const Records::Machine &machine) {
  if (failed(library->define(machine.ir, "machine " + machine.name)))
    return llvm::createStringError("machine '" + machine.name + "' cannot be read");
  MachineOp file = library->getMachine(machine.name);
  FailureOr<Machine> recorded = file ? readMachine(file) : FailureOr<Machine>();
  if (failed(recorded))
    return llvm::createStringError("machine '" + machine.name + "' cannot be used");
  for (auto op : library->getModule().getOps<TargetOp>()) {
    llvm::Expected<Target> target =
        numbers.empty() ? resolve(op.getSymName(), machine.name) : asked.at(op.getSymName());
    if (!target)
      return target.takeError();
    if (numbers == defaultMachine().name)
      keepCaches(target->machine, *recorded);
    targets[(op.getSymName() + "@" + machine.id()).str()] = *target;
  }
  return llvm::Error::success();
}

/// Why the row is left out; empty if it was added to the task.
std::string Featurizer::featurizeRow(const Records::Row &record, const Workload &workload,
                                     FeaturizedTask &task) const {
  auto attr = dyn_cast_or_null<ChoiceAttr>(parseAttribute(record.choice, &context));
  if (!attr)
    return "the choice is no #ucmoh.choice";
  StringRef targetName = attr.getIntrinsic().getRootReference();
  auto found = targets.find((targetName + "@" + record.machine).str());
  if (found == targets.end())
    return ("there is no target @" + targetName + " or no machine @" + record.machine).str();
  const Target &target = found->second;
  std::string error;
  FailureOr<Candidate> candidate = Candidate::fromAttr(attr, target, error);
  if (failed(candidate))
    return "unknown intrinsic: " + error;
  if (std::string why = whyIllegal(workload, *candidate, target); !why.empty())
    return "illegal choice: " + why;
  FeaturizedRow row{&record, target.machine.name, candidate->intrinsic->id(), {}, 0};
  kind.extract(workload, *candidate, target.machine, row.rows);
  row.analyticSeconds = analyticSeconds(extractFeatures(workload, *candidate, target.machine));
  task.programs.push_back(std::move(row));
  return "";
}

void Featurizer::featurize(FeaturizedTask &task, ArrayRef<const Records::Row *> records) const {
  auto prepared = PreparedTask::parse(context, task.workload->ir, task.workload->name);
  std::string reason = prepared ? prepared->reason : llvm::toString(prepared.takeError());
  for (const Records::Row *record : records) {
    std::string why = prepared && prepared->workload
                          ? featurizeRow(*record, *prepared->workload, task)
                          : "no workload: " + reason;
    if (!why.empty())
      ++task.skipped[why];
  }
}

llvm::Expected<std::vector<FeaturizedTask>> Featurizer::run(const MeasuredData &data) {
  auto loaded = loadLibrary(&context, numbers.empty() ? "@default" : "@" + numbers);
  if (failed(loaded))
    return llvm::createStringError("the targets or the machine '" + numbers + "' cannot be read");
  library = *loaded;
  if (!numbers.empty())
    if (llvm::Error error = resolveAsked())
      return std::move(error);
  for (const auto &machine : data.machines)
    if (llvm::Error error = resolveMachine(machine.second))
      return std::move(error);
  llvm::StringMap<std::vector<const Records::Row *>> rowsOf;
  for (const Records::Row &row : data.rows)
    rowsOf[row.workload].push_back(&row);
  std::vector<FeaturizedTask> tasks;
  for (const Records::Workload &workload : data.workloads)
    if (rowsOf.contains(workload.id()))
      tasks.push_back({&workload, {}, {}});
  // What cannot be parsed is counted, not printed row by row.
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) { return success(); });
  parallelFor(&context, 0, tasks.size(),
              [&](size_t i) { featurize(tasks[i], rowsOf.find(tasks[i].workload->id())->second); });
  return tasks;
}
