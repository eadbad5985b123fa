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

static int64_t bytesOf(RankedTensorType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

static bool isWeight(func::FuncOp function, BlockArgument argument) {
  return function.getArgAttr(argument.getArgNumber(), "ucmoh.weight") != nullptr;
}

SmallVector<int64_t> ucmoh::mergedOffsets(const CompiledGroup &group) {
  SmallVector<int64_t> offsets = {0};
  func::FuncOp function = functionOf(group);
  for (BlockArgument argument : function.getArguments())
    if (isWeight(function, argument))
      offsets.push_back(offsets.back() +
                        llvm::alignTo(bytesOf(cast<RankedTensorType>(argument.getType())), 64));
  return offsets;
}

/// Weights as parts of one buffer.
static Stage createMergedStage(const CompiledGroup &group) {
  SmallVector<int64_t> offsets = mergedOffsets(group);
  RankedTensorType type = bytesType(group.module.get().getContext(), offsets.pop_back_val());
  Stage stage = {group.dispatch.name + "_pack", {{type, false}}, {}, {}};
  for (int64_t offset : offsets)
    stage.parameters.push_back({0, offset});
  return stage;
}

/// Adds buffers that are a parameter each.
static void addBindings(Stage &stage, ArrayRef<Binding> bindings) {
  for (const Binding &binding : bindings) {
    stage.parameters.push_back({stage.bindings.size(), 0});
    stage.bindings.push_back(binding);
  }
}

static Stage createStage(const CompiledGroup &group, StringRef suffix, bool ofWeights) {
  Stage stage = {(group.dispatch.name + suffix).str(), {}, {}, {}};
  func::FuncOp function = functionOf(group);
  for (BlockArgument argument : function.getArguments())
    if (isWeight(function, argument) == ofWeights) {
      stage.arguments.push_back(argument.getArgNumber());
      addBindings(stage, {{cast<RankedTensorType>(argument.getType()), false,
                           group.isPart[argument.getArgNumber()]}});
    }
  return stage;
}

std::vector<Stage> ucmoh::stagesOf(const CompiledGroup &group) {
  const Dispatch &dispatch = group.dispatch;
  func::FuncOp function = functionOf(group);
  MLIRContext *context = function.getContext();
  Stage pack = group.mergesWeights ? createMergedStage(group) : createStage(group, "_pack", true);
  Stage run = createStage(group, "_run", false);
  auto result = cast<RankedTensorType>(function.getResultTypes().front());
  RankedTensorType block = bytesType(context, dispatch.packedBytes);
  addBindings(pack, {{block, true}, {bytesType(context, dispatch.packScratch), true}});
  if (dispatch.packedBytes)
    addBindings(run, {{block, false}});
  int64_t scratch = llvm::alignTo(dispatch.runScratch, 64) * group.workgroups;
  bool isShared = group.workgroups > 1;
  addBindings(run, {{result, true, isShared}, {bytesType(context, scratch), true, isShared}});
  run.workgroups = group.workgroups;
  return dispatch.packedBytes ? std::vector{pack, run} : std::vector{run};
}
