//===- InlineKernels.cpp - Kernels replaced by their bodies
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace ucmoh {
#define GEN_PASS_DEF_INLINEKERNELS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

namespace {
/// Kernels whose bodies differ in the values of constants at most, such as the scales of quantized
/// layers.
struct KernelGroup {
  llvm::SmallVector<KernelOp> kernels;
  /// The constants whose values differ, as positions in `opsOf` each kernel.
  llvm::SetVector<unsigned> varying;
};
} // namespace

/// The ops of a kernel's body in pre-order, without its terminator.
static SmallVector<Operation *> opsOf(KernelOp kernel) {
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

/// In the order of each group's first kernel.
static SmallVector<KernelGroup> groupKernels(ArrayRef<KernelOp> kernels) {
  SmallVector<KernelGroup> groups;
  // Hashes are compared first, and bodies only if these are equal.
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

static void inlineKernel(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  body.getTerminator()->erase();
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), kernel.getOperands()))
    argument.replaceAllUsesWith(operand);
  kernel->getBlock()->getOperations().splice(kernel->getIterator(), body.getOperations());
  kernel->erase();
}

/// The constants of a kernel that become arguments.
static SmallVector<Operation *> varyingOf(const KernelGroup &group, KernelOp kernel) {
  SmallVector<Operation *> ops = opsOf(kernel);
  return llvm::map_to_vector(group.varying, [&](unsigned position) { return ops[position]; });
}

/// A function of the first kernel's body.
static func::FuncOp outline(const KernelGroup &group, SymbolTable &symbols) {
  KernelOp kernel = group.kernels.front();
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  auto caller = kernel->getParentOfType<func::FuncOp>();
  SmallVector<Type> inputs(kernel->getOperandTypes());
  Block &body = kernel.getBody().front();
  for (Operation *constant : varyingOf(group, kernel)) {
    inputs.push_back(constant->getResult(0).getType());
    constant->getResult(0).replaceAllUsesWith(body.addArgument(inputs.back(), loc));
    constant->erase();
  }
  auto function = func::FuncOp::create(loc, (caller.getName() + "." + kernel.getKind()).str(),
                                       builder.getFunctionType(inputs, {}));
  function.setPrivate();
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"})); // LLVM's attributes
  builder.setInsertionPoint(body.getTerminator());
  func::ReturnOp::create(builder, loc);
  body.getTerminator()->erase();
  function.getBody().takeBody(kernel.getBody());
  symbols.insert(function, caller->getIterator());
  return function;
}

/// One function for all kernels of the group: it is compiled once. What varies is passed.
static LogicalResult replaceByCalls(const KernelGroup &group, SymbolTable &symbols) {
  SmallVector<SmallVector<Value>> arguments;
  for (KernelOp kernel : group.kernels) {
    auto caller = kernel->getParentOfType<func::FuncOp>();
    if (!caller || caller->getParentOp() != symbols.getOp())
      return kernel.emitOpError("is outlined, and must be in a function of the module for that");
    OpBuilder builder(kernel);
    arguments.emplace_back(kernel->getOperands());
    for (Operation *constant : varyingOf(group, kernel))
      arguments.back().push_back(builder.clone(*constant)->getResult(0));
  }
  func::FuncOp function = outline(group, symbols);
  for (auto [kernel, values] : llvm::zip_equal(group.kernels, arguments)) {
    OpBuilder builder(kernel);
    func::CallOp::create(builder, kernel->getLoc(), function, values);
    kernel->erase();
  }
  return success();
}

/// A kernel that must be a function, because what it needs of registers holds for all of it, or
/// one that occurs more than once, or any one of a function in `networks`.
static bool becomesFunction(const KernelGroup &group, const DenseSet<Operation *> &networks) {
  KernelOp kernel = group.kernels.front();
  auto caller = kernel->getParentOfType<func::FuncOp>();
  bool isOutermost = caller && isa_and_nonnull<ModuleOp>(caller->getParentOp());
  return kernel.getOutlined() ||
         ((group.kernels.size() > 1 || networks.contains(caller)) && isOutermost);
}

/// Functions with several kernels.
static DenseSet<Operation *> findNetworks(ArrayRef<KernelOp> kernels) {
  DenseMap<Operation *, unsigned> counts;
  DenseSet<Operation *> networks;
  for (KernelOp kernel : kernels)
    if (auto caller = kernel->getParentOfType<func::FuncOp>(); ++counts[caller] > 1)
      networks.insert(caller);
  return networks;
}

LogicalResult ucmoh::inlineKernels(ModuleOp module, bool outlineNetworks) {
  SymbolTable symbols(module);
  SmallVector<KernelOp> kernels;
  module.walk([&](KernelOp op) { kernels.push_back(op); });
  for (KernelOp kernel : kernels)
    if (kernel.getNumResults() != 0)
      return kernel.emitOpError("works on tensors; bufferize first");
  DenseSet<Operation *> networks;
  if (outlineNetworks)
    networks = findNetworks(kernels);
  for (const KernelGroup &group : groupKernels(kernels)) {
    if (becomesFunction(group, networks)) {
      if (failed(replaceByCalls(group, symbols)))
        return failure();
      continue;
    }
    for (KernelOp kernel : group.kernels)
      inlineKernel(kernel);
  }
  return success();
}

namespace {
struct InlineKernelsPass : ucmoh::impl::InlineKernelsBase<InlineKernelsPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(inlineKernels(getOperation(), outlineNetworks)))
      signalPassFailure();
  }
};
} // namespace
