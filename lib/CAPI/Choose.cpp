//===- Choose.cpp - Choices and their explanation, for C
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh-c/Choose.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Transforms/Passes.h"
#include "ucmoh/Transforms/Pipeline.h"
#include "ucmoh/Transforms/PreparedTask.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

static std::string orDefault(MlirStringRef given, const char *otherwise) {
  return given.length ? unwrap(given).str() : otherwise;
}

static int64_t threadsOf(const UcmohChooseOptions &options) {
  return options.threads ? options.threads : 1;
}

static SelectOptions selectOptions(const UcmohChooseOptions &options) {
  SelectOptions select;
  select.target = orDefault(options.target, "host");
  select.model = orDefault(options.model, "auto");
  select.threads = threadsOf(options);
  return select;
}

void ucmohRegisterDialects(MlirDialectRegistry registry) {
  registerInputDialects(*unwrap(registry));
}

MlirLogicalResult ucmohChoose(MlirModule module, UcmohChooseOptions options) {
  SelectOptions select = selectOptions(options);
  PassManager manager(unwrap(module).getContext());
  manager.addPass(createResolveTarget({select.target}));
  buildPreparePipeline(manager);
  manager.addPass(createSelect(select));
  return wrap(manager.run(unwrap(module)));
}

static json::Array toJson(ArrayRef<RankedCandidate> ranked, const CostModel &model) {
  json::Array rows;
  for (const RankedCandidate &entry : ranked) {
    std::string choice;
    llvm::raw_string_ostream(choice)
        << entry.candidate.toAttr(entry.predictedSeconds, model.getName());
    rows.push_back(json::Object{{"choice", choice}, {"predicted_seconds", entry.predictedSeconds}});
  }
  return rows;
}

static json::Object explain(linalg::LinalgOp op, int64_t index, int64_t limit, const Target &target,
                            const CostModel &model) {
  json::Object row{
      {"op", index}, {"workload", nullptr}, {"reason", nullptr}, {"candidates", json::Array()}};
  WorkloadOrReason analyzed = analyzeWorkload(op);
  std::string reason = analyzed.reason;
  std::vector<RankedCandidate> ranked;
  if (analyzed) {
    row["workload"] = analyzed.workload->name();
    ranked = rankCandidates(*analyzed.workload, target, model, reason);
  }
  if (ranked.empty())
    row["reason"] = reason;
  size_t count = std::min<size_t>(ranked.size(), std::max<int64_t>(limit, 0));
  row["candidates"] = toJson(ArrayRef(ranked).take_front(count), model);
  return row;
}

/// Errors are diagnostics of the module's context.
static FailureOr<std::string> explain(ModuleOp module, const UcmohChooseOptions &options,
                                      int64_t limit) {
  SelectOptions select = selectOptions(options);
  auto target = loadTarget(module.getContext(), select.target);
  if (failed(target))
    return failure();
  target->threads = select.threads;
  std::string error;
  std::unique_ptr<CostModel> model = createModelFor(*target, select.model, error);
  if (!model)
    return module.emitError(error);
  auto prepared = prepareModule(module);
  if (!prepared)
    return module.emitError(llvm::toString(prepared.takeError()));
  json::Array rows;
  (*prepared)->walk([&](linalg::LinalgOp op) {
    if (isContractionLike(op))
      rows.push_back(explain(op, rows.size(), limit, *target, *model));
  });
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(rows));
  return text;
}

MlirLogicalResult ucmohExplain(MlirModule module, UcmohChooseOptions options, int64_t limit,
                               MlirStringCallback callback, void *userData) {
  FailureOr<std::string> text = explain(unwrap(module), options, limit);
  if (succeeded(text))
    callback(wrap(StringRef(*text)), userData);
  return wrap(LogicalResult(text));
}

MlirLogicalResult ucmohExplainText(MlirStringRef text, UcmohChooseOptions options, int64_t limit,
                                   MlirStringCallback callback, void *userData) {
  DialectRegistry registry;
  registerInputDialects(registry);
  MLIRContext context(registry);
  std::string diagnostics;
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(diagnostics) << diagnostic.getLocation() << ": " << diagnostic << "\n";
  });
  auto module = parseSourceString<ModuleOp>(unwrap(text), &context);
  FailureOr<std::string> answer = failure();
  if (module)
    answer = explain(*module, options, limit);
  callback(wrap(succeeded(answer) ? StringRef(*answer) : StringRef(diagnostics)), userData);
  return wrap(LogicalResult(answer));
}
