//===- ModelChoice.cpp - Which cost model decides for a target
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/ModelChoice.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh;

static bool areAlike(mlir::Type first, mlir::Type second) {
  ElementType a = ElementType::get(first), b = ElementType::get(second);
  return a.bits == b.bits && (a.kind == b.kind || (a.isInteger() && b.isInteger()));
}

static bool areAlike(IntrinsicOp a, IntrinsicOp b) {
  return a.getShape() == b.getShape() && a.getLanes() == b.getLanes() &&
         areAlike(a.getLhsType(), b.getLhsType()) && areAlike(a.getRhsType(), b.getRhsType()) &&
         areAlike(a.getAccType(), b.getAccType());
}

/// Null if the library does not know `id` ("target::name").
static IntrinsicOp lookup(const TargetLibrary &library, llvm::StringRef id) {
  auto [target, name] = id.split("::");
  mlir::MLIRContext *context = library.getModule()->getContext();
  return library.lookup(
      mlir::SymbolRefAttr::get(context, target, mlir::FlatSymbolRefAttr::get(context, name)));
}

bool ucmoh::hasSeen(const CostModel &model, const Target &target) {
  std::vector<IntrinsicOp> seen;
  for (llvm::StringRef id : model.getTrainedIntrinsics())
    if (IntrinsicOp op = lookup(*target.library, id))
      seen.push_back(op);
  return llvm::all_of(target.intrinsics, [&](const Intrinsic &intrinsic) {
    return llvm::any_of(seen, [&](IntrinsicOp op) { return areAlike(op, intrinsic.op); });
  });
}

std::unique_ptr<CostModel> ucmoh::createModelFor(const Target &target, llvm::StringRef name,
                                                 std::string &error) {
  if (name != "auto")
    return createCostModel(name, error);
  auto learned = createCostModel("embedded", error);
  if (learned && hasSeen(*learned, target))
    return learned;
  return createCostModel("analytic", error);
}
