//===- Stages.cpp - The dispatches that a group becomes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

using namespace mlir;
using namespace ucmoh;

func::FuncOp ucmoh::functionOf(const CompiledGroup &group) {
  return *group.module.get().getOps<func::FuncOp>().begin();
}

/// IREE has no buffers without bytes.
static RankedTensorType bytesType(MLIRContext *context, int64_t bytes) {
  return RankedTensorType::get(std::max<int64_t>(bytes, 64), IntegerType::get(context, 8));
}

static Stage createStage(const CompiledGroup &group, StringRef suffix, bool ofWeights) {
  Stage stage = {(group.dispatch.name + suffix).str(), {}, {}};
  func::FuncOp function = functionOf(group);
  for (BlockArgument argument : function.getArguments())
    if (!!function.getArgAttr(argument.getArgNumber(), "ucmoh.weight") == ofWeights) {
      stage.arguments.push_back(argument.getArgNumber());
      stage.bindings.push_back({cast<RankedTensorType>(argument.getType()), false});
    }
  return stage;
}

std::vector<Stage> ucmoh::stagesOf(const CompiledGroup &group) {
  const Dispatch &dispatch = group.dispatch;
  func::FuncOp function = functionOf(group);
  MLIRContext *context = function.getContext();
  Stage pack = createStage(group, "_pack", true), run = createStage(group, "_run", false);
  auto result = cast<RankedTensorType>(function.getResultTypes().front());
  RankedTensorType block = bytesType(context, dispatch.packedBytes);
  pack.bindings.append({{block, true}, {bytesType(context, dispatch.packScratch), true}});
  if (dispatch.packedBytes)
    run.bindings.push_back({block, false});
  run.bindings.append({{result, true}, {bytesType(context, dispatch.runScratch), true}});
  return dispatch.packedBytes ? std::vector{pack, run} : std::vector{run};
}
