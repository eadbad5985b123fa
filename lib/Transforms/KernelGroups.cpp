//===- KernelGroups.cpp - Kernels that can be one function
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ucmoh;

SmallVector<Operation *> ucmoh::opsOf(KernelOp kernel) {
  SmallVector<Operation *> ops;
  for (Operation &op : kernel.getBody().front().without_terminator())
    op.walk<WalkOrder::PreOrder>([&](Operation *inner) { ops.push_back(inner); });
  return ops;
}

namespace {
/// Compares two bodies op by op. A value of one corresponds to that of the other at its place.
class BodyComparison {
public:
  /// Whether `kernel` can be a call of the function that the group's first kernel becomes. Adds to
  /// what varies within the group if so.
  bool joins(KernelGroup &group, KernelOp kernel);

private:
  bool areEqual(Operation *first, Operation *second);
  bool correspond(ValueRange firsts, ValueRange seconds, bool define);
  bool haveEqualBlocks(Operation *first, Operation *second);

  DenseMap<Value, Value> partner;
  bool differsInConstant = false;
};
} // namespace

bool BodyComparison::correspond(ValueRange firsts, ValueRange seconds, bool define) {
  if (firsts.size() != seconds.size())
    return false;
  for (auto [first, second] : llvm::zip(firsts, seconds)) {
    if (define)
      partner[first] = second;
    if (partner.lookup(first) != second || first.getType() != second.getType())
      return false;
  }
  return true;
}

bool BodyComparison::haveEqualBlocks(Operation *first, Operation *second) {
  if (first->getNumRegions() != second->getNumRegions())
    return false;
  for (auto [a, b] : llvm::zip(first->getRegions(), second->getRegions())) {
    if (a.getBlocks().size() > 1 || a.getBlocks().size() != b.getBlocks().size())
      return false;
    if (!a.empty() && !correspond(a.getArguments(), b.getArguments(), /*define=*/true))
      return false;
  }
  return true;
}

/// A scale or a zero point: sizes and positions are better known to LLVM.
static bool mayVary(Operation *op) {
  return isa<arith::ConstantOp>(op) && !getElementTypeOrSelf(op->getResult(0)).isIndex();
}

bool BodyComparison::areEqual(Operation *first, Operation *second) {
  if (first->getName() != second->getName() ||
      !correspond(first->getOperands(), second->getOperands(), /*define=*/false) ||
      !correspond(first->getResults(), second->getResults(), /*define=*/true) ||
      !haveEqualBlocks(first, second))
    return false;
  differsInConstant = first->getAttrDictionary() != second->getAttrDictionary();
  return !differsInConstant || mayVary(first);
}

bool BodyComparison::joins(KernelGroup &group, KernelOp kernel) {
  KernelOp model = group.kernels.front();
  SmallVector<Operation *> firsts = opsOf(model), seconds = opsOf(kernel);
  if (firsts.size() != seconds.size() ||
      !correspond(model.getBody().getArguments(), kernel.getBody().getArguments(),
                  /*define=*/true))
    return false;
  SmallVector<unsigned> differing;
  for (auto [position, pair] : llvm::enumerate(llvm::zip(firsts, seconds))) {
    if (!areEqual(std::get<0>(pair), std::get<1>(pair)))
      return false;
    if (differsInConstant)
      differing.push_back(position);
  }
  group.kernels.push_back(kernel);
  group.varying.insert_range(differing);
  return true;
}

SmallVector<KernelGroup> ucmoh::groupKernels(ArrayRef<KernelOp> kernels) {
  SmallVector<KernelGroup> groups;
  // What is compared first is a matter of hashes; bodies are compared only if it is equal.
  DenseMap<std::pair<Attribute, Attribute>, SmallVector<size_t>> candidates;
  for (KernelOp kernel : kernels) {
    SmallVector<size_t> &known = candidates[{kernel.getChoiceAttr(), kernel.getWorkloadAttr()}];
    auto joined = llvm::find_if(
        known, [&](size_t index) { return BodyComparison().joins(groups[index], kernel); });
    if (joined != known.end())
      continue;
    known.push_back(groups.size());
    groups.push_back({{kernel}, {}});
  }
  return groups;
}
