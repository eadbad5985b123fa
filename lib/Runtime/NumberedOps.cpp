//===- NumberedOps.cpp - The contractions of a program, counted once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberedOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "ucmoh/Analysis/WindowReduction.h"

using namespace mlir;
using namespace ucmoh;

llvm::Expected<OwningOpRef<ModuleOp>> ucmoh::isolate(ModuleOp module,
                                                     ArrayRef<std::string> entries) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto function : copy->getOps<func::FuncOp>())
    if (function.isPublic() && !llvm::is_contained(entries, function.getSymName()))
      function.setPrivate();
  PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addPass(createSymbolDCEPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  if (failed(manager.run(*copy)))
    return llvm::createStringError("the program cannot be simplified");
  return copy;
}

std::vector<OpInfo> ucmoh::numberOps(func::FuncOp function) {
  std::vector<OpInfo> infos;
  Builder builder(function.getContext());
  function.walk([&](Operation *op) {
    if (!isContractionLike(op))
      return;
    op->setAttr("ucmoh.op", builder.getI64IntegerAttr(infos.size()));
    OpInfo &info = infos.emplace_back();
    info.workload = op->getName().getStringRef();
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return;
    WorkloadOrReason analyzed = analyzeTask(linalgOp);
    info.workload = analyzed ? analyzed.workload->name() : info.workload + ": " + analyzed.reason;
    info.flops = analyzed ? analyzed.workload->flops() : 0;
  });
  return infos;
}
