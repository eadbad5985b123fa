//===- ucmoh-candidates.cpp - The ranked candidates of each contraction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For tuners and models outside of the compiler: prints every legal choice as a JSON line
/// {"workload", "workload_hash", "rank", "choice", "predicted_seconds"}, best first, with
/// --features also "features": a list of rows, each of the values that are not zero by their names.
/// The option `choices` of --tensorize-with-cost-model reads such lines back, of a workload the
/// first one.
///
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Runtime/ProgramOptions.h"
#include "ucmoh/Transforms/PreparedTask.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options");
static cl::opt<std::string> input(cl::Positional, cl::desc("<input.mlir>"), cl::init("-"),
                                  cl::cat(category));
static cl::opt<std::string> targetName("target", cl::desc("Target, as in the pass --ucmoh-select"),
                                       cl::init("host"), cl::cat(category));
static cl::opt<std::string> modelName("model",
                                      cl::desc("Cost model, as in the pass --ucmoh-select"),
                                      cl::init("auto"), cl::cat(category));
static cl::opt<int64_t> threads(freeOptionName("threads"), cl::init(1), cl::cat(category),
                                cl::desc("Threads that share each candidate"));
static cl::opt<bool> withFeatures("features",
                                  cl::desc("Print what a model sees of each candidate, too"),
                                  cl::cat(category));
static cl::extrahelp examples(R"(
EXAMPLES:
  ucmoh-candidates model.mlir --target=nvidia_sm80 > choices.jsonl
  ucmoh-candidates model.mlir --model=random:7 --features   # rows of features by name
)");

static void print(const Workload &workload, const Target &target, const CostModel &model) {
  std::string reason;
  auto ranked = rankCandidates(workload, target, model, reason);
  for (auto [rank, entry] : llvm::enumerate(ranked)) {
    std::string choice;
    llvm::raw_string_ostream(choice)
        << entry.candidate.toAttr(entry.predictedSeconds, model.getName());
    llvm::json::Object line{{"workload", workload.name()},
                            {"workload_hash", identityOf(workload)},
                            {"rank", static_cast<int64_t>(rank)},
                            {"choice", choice},
                            {"predicted_seconds", entry.predictedSeconds}};
    if (withFeatures)
      line["features"] = toJson(extractFeatures(workload, entry.candidate, target.machine));
    llvm::outs() << llvm::json::Value(std::move(line)) << "\n";
  }
}

static LogicalResult run(MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
  auto library = loadLibrary(&context, targetName);
  if (!module || failed(library))
    return failure();
  auto target = resolveTarget(*library, targetName);
  if (failed(target))
    return failure();
  if (threads < 1 || threads > largestThreads)
    return llvm::WithColor::error() << "--threads must be between 1 and " << largestThreads
                                    << ", but is " << threads << "\n",
           failure();
  target->threads = threads;
  std::string error;
  std::unique_ptr<CostModel> model = createModelFor(*target, modelName, error);
  if (!model)
    return llvm::WithColor::error() << error << "\n", failure();
  auto prepared = prepareModule(*module);
  if (!prepared)
    return llvm::WithColor::error() << llvm::toString(prepared.takeError()) << "\n", failure();
  (*prepared)->walk([&](linalg::LinalgOp op) {
    WorkloadOrReason analyzed = analyzeTask(op);
    if (!isContractionLike(op) || !analyzed)
      return;
    print(*analyzed.workload, *target, *model);
  });
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "The ranked candidates of each contraction\n");
  DialectRegistry registry;
  registerInputDialects(registry);
  MLIRContext context(registry);
  return failed(run(context));
}
