//===- ModelChoice.cpp - Which cost model decides for a target
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/ModelChoice.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ucmoh;

static bool multiplyAlike(mlir::Type first, mlir::Type second) {
  ElementType a = ElementType::get(first), b = ElementType::get(second);
  return a.bits == b.bits && (a.kind == b.kind || (a.isInteger() && b.isInteger()));
}

static bool multiplyAlike(IntrinsicOp a, IntrinsicOp b) {
  return a.getShape() == b.getShape() && a.getSubgroupSize() == b.getSubgroupSize() &&
         multiplyAlike(a.getLhsType(), b.getLhsType()) &&
         multiplyAlike(a.getRhsType(), b.getRhsType()) &&
         multiplyAlike(a.getAccType(), b.getAccType());
}

/// Null if the library does not know `id` ("target::name").
static IntrinsicOp lookup(const TargetLibrary &library, llvm::StringRef id) {
  auto [target, name] = id.split("::");
  mlir::MLIRContext *context = library.getModule()->getContext();
  return library.lookup(
      mlir::SymbolRefAttr::get(context, target, mlir::FlatSymbolRefAttr::get(context, name)));
}

std::string ucmoh::whyUnseen(const CostModel &model, const Target &target) {
  if (model.getTrainedIntrinsics().empty())
    return "";
  std::vector<IntrinsicOp> seen;
  for (llvm::StringRef id : model.getTrainedIntrinsics())
    if (IntrinsicOp op = lookup(*target.library, id))
      seen.push_back(op);
  for (const Intrinsic &intrinsic : target.intrinsics)
    if (llvm::none_of(seen, [&](IntrinsicOp op) { return multiplyAlike(op, intrinsic.op); }))
      return "no intrinsic like " + intrinsic.id() + " was learned from";
  return "";
}

bool ucmoh::knowsThreads(const CostModel &model, int64_t threads) {
  return model.getTrainedIntrinsics().empty() ||
         llvm::is_contained(model.getTrainedThreads(), threads);
}

bool ucmoh::knowsMachine(const CostModel &model, const Target &target) {
  if (model.getTrainedIntrinsics().empty())
    return true;
  FeatureRow row;
  describeMachine(target.machine, row);
  return target.machineOp && model.knowsMachine(row);
}

std::unique_ptr<CostModel> ucmoh::createModelFor(const Target &target, llvm::StringRef name,
                                                 std::string &error, std::string *caveat) {
  auto model = createCostModel(name == "auto" ? "embedded" : name, error);
  std::string why = model ? whyUnseen(*model, target) : error;
  if (caveat && model && !knowsThreads(*model, target.threads))
    *caveat = llvm::formatv("no measurement with {0} threads was learned from: the model is asked "
                            "about the thread that has most to do",
                            target.threads);
  if (caveat && model && !knowsMachine(*model, target))
    *caveat = "no machine like '" + target.machine.name +
              "' was learned from: the roofline chooses "
              "the intrinsic, the learned model its tiles";
  if (caveat && !why.empty())
    *caveat = why + (name == "auto" ? "; the roofline decides" : "; model=auto takes the roofline");
  return name == "auto" && !why.empty() ? createCostModel("analytic", error) : std::move(model);
}
