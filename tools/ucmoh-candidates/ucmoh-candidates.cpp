//===- ucmoh-candidates.cpp - The ranked candidates of each contraction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For tuners and models outside of the compiler: prints every legal choice as a JSON line
/// {"workload", "rank", "choice", "predicted_seconds"}, best first. Lines of that form are what the
/// option `choices` of --tensorize-with-cost-model reads back.
///
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/ModelChoice.h"
#include "ucmoh/Dialect/Registration.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::desc("<input.mlir>"), cl::init("-"));
static cl::opt<std::string> targetName("target", cl::desc("as in --ucmoh-select"),
                                       cl::init("host"));
static cl::opt<std::string> modelName("model", cl::desc("as in --ucmoh-select"), cl::init("auto"));

static void print(StringRef workload, ArrayRef<RankedCandidate> ranked, StringRef model) {
  for (auto [rank, entry] : llvm::enumerate(ranked)) {
    std::string choice;
    llvm::raw_string_ostream(choice) << entry.candidate.toAttr(entry.predictedSeconds, model);
    llvm::outs() << llvm::json::Value(
                        llvm::json::Object{{"workload", workload},
                                           {"rank", static_cast<int64_t>(rank)},
                                           {"choice", choice},
                                           {"predicted_seconds", entry.predictedSeconds}})
                 << "\n";
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
  std::string error;
  std::unique_ptr<CostModel> model = createModelFor(*target, modelName, error);
  if (!model)
    return llvm::WithColor::error() << error << "\n", failure();
  module->walk([&](linalg::LinalgOp op) {
    WorkloadOrReason analyzed = analyzeWorkload(op);
    if (!isContractionLike(op) || !analyzed)
      return;
    std::string reason;
    print(analyzed.workload->name(), rankCandidates(*analyzed.workload, *target, *model, reason),
          model->getName());
  });
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "The ranked candidates of each contraction\n");
  DialectRegistry registry;
  registerInputDialects(registry);
  MLIRContext context(registry);
  return failed(run(context));
}
