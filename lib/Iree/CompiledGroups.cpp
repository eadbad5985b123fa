//===- CompiledGroups.cpp - The groups of a program, and their code
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/CompiledGroups.h"
#include "Stages.h"
#include "Workgroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OperationSupport.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;

/// Buffers of one dispatch.
static constexpr size_t mostBindings = 64;

static func::FuncOp onlyFunction(ModuleOp module) { return *module.getOps<func::FuncOp>().begin(); }

static bool isSame(func::FuncOp one, func::FuncOp other) {
  return one.getArgAttrsAttr() == other.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(&one.getBody(), &other.getBody(),
                                                    OperationEquivalence::Flags::IgnoreLocations);
}

static std::string textOf(Location location) {
  std::string text;
  llvm::raw_string_ostream(text) << location;
  return text;
}

static bool isConstant(Value value) { return value.getDefiningOp<arith::ConstantOp>() != nullptr; }

/// Whether they are several, and constants that can become one.
static bool canMergeWeights(const Group &group) {
  auto weights = ArrayRef(group.inputs).take_back(group.weights);
  return weights.size() > 1 && llvm::all_of(weights, isConstant);
}

/// A group with code of its own.
static CompiledGroup createGroup(OwningOpRef<ModuleOp> outlined, Dispatch dispatch,
                                 const Group &group, std::optional<SharedGroup> shared) {
  CompiledGroup result;
  result.module = std::move(outlined);
  result.dispatch = std::move(dispatch);
  result.location = textOf(group.root()->getLoc());
  result.places = {group};
  result.isPart.resize(group.inputs.size(), false);
  if (shared) {
    result.workgroups = shared->workgroups;
    result.isPart = std::move(shared->isPart);
  }
  return result;
}

void CompiledGroups::leave(const Group &group, const std::string &reason) {
  for (Operation *op : group.ops)
    if (isContractionLike(op))
      left.push_back({op, reason});
}

/// Leaves the groups that IREE's runtime would refuse.
void CompiledGroups::leaveLarge() {
  for (CompiledGroup &group : groups)
    for (const Stage &stage : stagesOf(group))
      if (stage.bindings.size() > mostBindings) {
        std::string reason =
            llvm::formatv("it uses {0} buffers, and a dispatch of IREE {1} at most",
                          stage.bindings.size(), mostBindings);
        for (const Group &place : group.places)
          leave(place, reason);
        group.places.clear();
        break;
      }
  llvm::erase_if(groups, [](const CompiledGroup &group) { return group.places.empty(); });
}

CompiledGroups CompiledGroups::compile(ModuleOp module, GroupOptions options,
                                       const CompileOptions &program,
                                       llvm::function_ref<void(size_t, size_t)> progress) {
  Groups found = findGroups(module, options);
  CompiledGroups result;
  result.left = std::move(found.left);
  for (auto [i, group] : llvm::enumerate(found.groups)) {
    progress(i, found.groups.size());
    std::string name = llvm::formatv("ucmoh_{0}", result.groups.size());
    OwningOpRef<ModuleOp> outlined = outline(group, name);
    auto known = llvm::find_if(result.groups, [&](const CompiledGroup &other) {
      return isSame(onlyFunction(other.module.get()), onlyFunction(*outlined));
    });
    if (known != result.groups.end()) {
      known->places.push_back(group);
      continue;
    }
    std::optional<SharedGroup> shared = shareRows(*outlined, options.workgroups);
    auto dispatch = Dispatch::compile(shared ? *shared->module : *outlined, name, program);
    if (dispatch) {
      result.groups.push_back(
          createGroup(std::move(outlined), std::move(*dispatch), group, std::move(shared)));
      continue;
    }
    result.leave(group, llvm::toString(dispatch.takeError()));
  }
  for (CompiledGroup &group : result.groups)
    group.mergesWeights = options.mayMergeWeights && llvm::all_of(group.places, canMergeWeights);
  result.leaveLarge();
  return result;
}
