//===- CompiledGroups.cpp - The groups of a program, and their code
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/CompiledGroups.h"
#include "mlir/IR/OperationSupport.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;

static func::FuncOp functionOf(ModuleOp module) { return *module.getOps<func::FuncOp>().begin(); }

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
      return isSame(functionOf(other.module.get()), functionOf(*outlined));
    });
    if (known != result.groups.end()) {
      known->places.push_back(group);
      continue;
    }
    auto dispatch = Dispatch::compile(*outlined, name, program);
    if (dispatch) {
      result.groups.push_back(
          {std::move(outlined), std::move(*dispatch), textOf(group.root()->getLoc()), {group}});
      continue;
    }
    std::string reason = llvm::toString(dispatch.takeError());
    for (Operation *op : group.ops)
      if (isContractionLike(op))
        result.left.push_back({op, reason});
  }
  return result;
}
