//===- ucmoh-featurize.cpp - Measurements as data for training
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FeatureFile.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options");
static cl::list<std::string> inputs(cl::Positional, cl::OneOrMore, cl::cat(category),
                                    cl::desc("RECORDS.{jsonl,jsonl.zst,sqlite}..."));
static cl::opt<std::string>
    features("features", cl::init("ucmoh"), cl::cat(category),
             cl::desc("How programs are described: ucmoh, or as published systems do: "
                      "ansor, tlp, unicomo, assignment"));
static cl::opt<std::string> output("output", cl::Required, cl::cat(category),
                                   cl::value_desc("FILE.safetensors"),
                                   cl::desc("Where the tensors are written"));
static cl::extrahelp overview(R"(
Reads measurements, rebuilds each workload and candidate from its text, and writes the features of
each program with its seconds: what ucmoh-train reads. Rows that cannot be rebuilt are left out and
counted.

  ucmoh-featurize data/*.jsonl.zst --output=features.safetensors
)");

static int fail(llvm::Error error) {
  llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
  return 1;
}

static void report(ArrayRef<FeaturizedTask> tasks) {
  size_t programs = 0;
  std::map<std::string, unsigned> skipped;
  for (const FeaturizedTask &task : tasks) {
    programs += task.programs.size();
    for (auto &entry : task.skipped)
      skipped[entry.first().str()] += entry.second;
  }
  llvm::outs() << tasks.size() << " tasks, " << programs << " programs -> " << output << "\n";
  for (auto &[why, count] : skipped)
    llvm::WithColor::warning() << count << " rows left out: " << why << "\n";
}

static int run() {
  std::string message;
  std::unique_ptr<FeatureKind> kind = createFeatureKind(features, message);
  if (!kind)
    return fail(llvm::createStringError(message));
  auto data = readMeasuredData(std::vector<std::string>(inputs));
  if (!data)
    return fail(data.takeError());
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerUCMoH(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto tasks = Featurizer(context, *kind).run(*data);
  if (!tasks)
    return fail(tasks.takeError());
  if (llvm::all_of(*tasks, [](const FeaturizedTask &task) { return task.programs.empty(); })) {
    report(*tasks);
    return fail(llvm::createStringError("no row is left; nothing was written"));
  }
  if (llvm::Error error = writeFeatureFile(output, *tasks, *kind, data->hash))
    return fail(std::move(error));
  report(*tasks);
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Measurements as data for training\n");
  return run();
}
