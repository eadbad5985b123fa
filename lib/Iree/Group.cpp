//===- Group.cpp - Parts of a program that become one dispatch each
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/Group.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// What may be in a group
//===----------------------------------------------------------------------===//

/// Operands, and what the op's regions use from outside of them.
static SetVector<Value> usedBy(Operation *op) {
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used;
}

/// A buffer of such a tensor holds whole bytes, as many in the runtime as here.
static bool isPlainTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getElementType().isIntOrFloat() &&
         tensor.getElementTypeBitWidth() % 8 == 0 && !tensor.getEncoding();
}

/// Constants of one value are code. Any other one is a weight.
static bool isSmallConstant(Operation *op) {
  DenseElementsAttr elements;
  auto constant = dyn_cast_if_present<arith::ConstantOp>(op);
  return constant && (!isa<ShapedType>(constant.getType()) ||
                      (matchPattern(op, m_Constant(&elements)) && elements.isSplat()));
}

static bool isWeight(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return !isSmallConstant(constant);
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  return function && function.getArgAttr(argument.getArgNumber(), "ucmoh.weight");
}

/// Whether several groups may compute it, each for itself.
static bool isCheap(Operation *op) {
  return isa<tensor::EmptyOp, linalg::FillOp>(op) || isSmallConstant(op);
}

static bool isElementwiseOp(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumLoops() == linalgOp.getNumParallelLoops() && !isCheap(op);
}

static bool hasCaptures(Operation *op) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return !captured.empty();
}

static bool isUsed(Value result) { return !result.use_empty(); }

Value Group::result() const { return *llvm::find_if(root()->getResults(), isUsed); }

/// Empty if the op can be in a group at all, else what is against it.
static std::string whyNot(Operation *op, const GroupOptions &options) {
  if (isCheap(op))
    return "";
  if (!options.mayCapture && hasCaptures(op))
    return "its body uses values from outside, which IREE's matcher does not compare";
  bool isKnown = isa<linalg::LinalgOp, linalg::SoftmaxOp, tensor::ExpandShapeOp,
                     tensor::CollapseShapeOp, tensor::PadOp, tensor::ExtractSliceOp>(op);
  if (!isKnown || llvm::count_if(op->getResults(), isUsed) != 1)
    return "it is not an op on tensors of which one result is used";
  for (Type type : op->getResultTypes())
    if (!isPlainTensor(type))
      return "its result has an open shape, or elements that are no whole bytes";
  for (Value value : usedBy(op)) {
    if (isSmallConstant(value.getDefiningOp()))
      continue;
    if (!isPlainTensor(value.getType()))
      return "an operand has an open shape, or elements that are no whole bytes";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Growth
//===----------------------------------------------------------------------===//

namespace {

/// Grows groups in one block.
class GroupFinder {
public:
  GroupFinder(Block &block, GroupOptions options, Groups &found)
      : block(block), options(options), found(found) {}
  void run();

private:
  void runOnNetwork();
  void runOnContractions();
  Operation *findRoot(Operation *contraction);
  bool mayTake(Operation *op, const DenseSet<Operation *> &members);
  DenseSet<Operation *> grow(Operation *root, Operation *contraction);
  Group collect(Operation *root, const DenseSet<Operation *> &members);

  Block &block;
  GroupOptions options;
  Groups &found;
  DenseSet<Operation *> taken;
};

} // namespace

/// The op of the block that contains the only use; null if there are several.
static Operation *onlyUser(Operation *op, Block &block) {
  SetVector<Operation *> users;
  for (Operation *user : op->getUsers())
    users.insert(block.findAncestorOpInBlock(*user));
  return users.size() == 1 ? users.front() : nullptr;
}

/// Follows the contraction's result as long as one op alone uses it.
Operation *GroupFinder::findRoot(Operation *contraction) {
  Operation *root = contraction;
  while (Operation *user = onlyUser(root, block)) {
    if (!isElementwiseOp(user) || taken.contains(user) || !whyNot(user, options).empty())
      break;
    root = user;
  }
  return root;
}

/// The group takes those ops that members use and no other op uses, so that nothing is computed
/// twice and only the root's result leaves the group.
bool GroupFinder::mayTake(Operation *op, const DenseSet<Operation *> &members) {
  if (isCheap(op))
    return true;
  if (taken.contains(op) || !whyNot(op, options).empty())
    return false;
  if (options.extent == GroupExtent::Contraction && (isContractionLike(op) || !isElementwiseOp(op)))
    return false;
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return members.contains(block.findAncestorOpInBlock(*user));
  });
}

/// Producers are asked again for each new member: the last of their users may just have joined.
DenseSet<Operation *> GroupFinder::grow(Operation *root, Operation *contraction) {
  DenseSet<Operation *> members = {root};
  SmallVector<Operation *> work = {root};
  while (!work.empty())
    for (Value value : usedBy(work.pop_back_val())) {
      Operation *producer = value.getDefiningOp();
      if (!producer || producer->getBlock() != &block || members.contains(producer))
        continue;
      if (producer == contraction || mayTake(producer, members)) {
        members.insert(producer);
        work.push_back(producer);
      }
    }
  return members;
}

/// The members, each behind what it uses: an order that does not depend on that of the block, so
/// that equal groups look equal.
static SetVector<Operation *> inOrderOfUse(Operation *root, const DenseSet<Operation *> &members) {
  SetVector<Operation *> order;
  SmallVector<Operation *> stack = {root};
  while (!stack.empty()) {
    Operation *op = stack.back();
    size_t height = stack.size();
    SetVector<Value> used = usedBy(op);
    for (Value value : llvm::reverse(used))
      if (Operation *producer = value.getDefiningOp();
          members.contains(producer) && !order.contains(producer))
        stack.push_back(producer);
    if (stack.size() > height)
      continue;
    order.insert(op);
    stack.pop_back();
  }
  return order;
}

Group GroupFinder::collect(Operation *root, const DenseSet<Operation *> &members) {
  Group group;
  SetVector<Value> inputs, weights;
  group.ops = inOrderOfUse(root, members).takeVector();
  for (Operation *op : group.ops) {
    if (!isCheap(op))
      taken.insert(op);
    for (Value value : usedBy(op))
      if (!members.contains(value.getDefiningOp()))
        (isWeight(value) ? weights : inputs).insert(value);
  }
  group.inputs = inputs.takeVector();
  group.weights = weights.size();
  llvm::append_range(group.inputs, weights);
  return group;
}

/// Each op may be a root. The last one comes first: its group contains those before it.
void GroupFinder::runOnNetwork() {
  for (Operation &op : llvm::reverse(block)) {
    if (taken.contains(&op) || isCheap(&op) || !whyNot(&op, options).empty())
      continue;
    DenseSet<Operation *> members = grow(&op, nullptr);
    if (llvm::any_of(members, isContractionLike))
      found.groups.push_back(collect(&op, members));
  }
}

void GroupFinder::runOnContractions() {
  for (Operation &op : llvm::reverse(block))
    if (isContractionLike(&op) && whyNot(&op, options).empty()) {
      Operation *root = findRoot(&op);
      found.groups.push_back(collect(root, grow(root, &op)));
    }
}

void GroupFinder::run() {
  if (options.extent == GroupExtent::Network)
    runOnNetwork();
  else
    runOnContractions();
  for (Operation &op : block)
    if (isContractionLike(&op) && !taken.contains(&op))
      found.left.push_back({&op, whyNot(&op, options)});
}

Groups ucmoh::findGroups(ModuleOp module, GroupOptions options) {
  Groups found;
  for (Operation &function : *module.getBody())
    for (Region &region : function.getRegions())
      for (Block &block : region)
        GroupFinder(block, options, found).run();
  return found;
}

OwningOpRef<ModuleOp> ucmoh::outline(const Group &group, StringRef name) {
  Location loc = group.root()->getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  auto type =
      builder.getFunctionType(TypeRange(ValueRange(group.inputs)), group.root()->getResultTypes());
  auto function = func::FuncOp::create(builder, loc, name, type);
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(group.inputs, function.getArguments());
  for (Operation *op : group.ops)
    builder.clone(*op, mapping);
  func::ReturnOp::create(builder, loc, mapping.lookup(group.result()));
  for (size_t i = group.inputs.size() - group.weights; i < group.inputs.size(); ++i)
    function.setArgAttr(i, "ucmoh.weight", builder.getUnitAttr());
  return module;
}
