//===- FunctionGroup.cpp - Ops that become calls of one function
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionGroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Which bodies are equal
//===----------------------------------------------------------------------===//

/// The ops of a body in pre-order, without its terminator.
static SmallVector<Operation *> opsOf(Region &body) {
  SmallVector<Operation *> ops;
  for (Operation &op : body.front().without_terminator())
    op.walk<WalkOrder::PreOrder>([&](Operation *inner) { ops.push_back(inner); });
  return ops;
}

namespace {
/// Compares two bodies op by op. A value of one corresponds to that of the other at its place.
class BodyComparison {
public:
  /// Returns the positions of the constants that differ; nothing if anything else does.
  std::optional<SmallVector<unsigned>> compare(Region &first, Region &second);

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

std::optional<SmallVector<unsigned>> BodyComparison::compare(Region &first, Region &second) {
  SmallVector<Operation *> firsts = opsOf(first), seconds = opsOf(second);
  if (firsts.size() != seconds.size() ||
      !correspond(first.getArguments(), second.getArguments(), /*define=*/true))
    return std::nullopt;
  SmallVector<unsigned> differing;
  for (auto [position, pair] : llvm::enumerate(llvm::zip(firsts, seconds))) {
    if (!areEqual(std::get<0>(pair), std::get<1>(pair)))
      return std::nullopt;
    if (differsInConstant)
      differing.push_back(position);
  }
  return differing;
}

//===----------------------------------------------------------------------===//
// FunctionGroup
//===----------------------------------------------------------------------===//

bool FunctionGroup::join(const OutlinedOp &op) {
  auto differing = BodyComparison().compare(*members.front().body, *op.body);
  if (!differing)
    return false;
  members.push_back(op);
  varying.insert_range(*differing);
  return true;
}

/// Equal for bodies that may be: of the kinds of ops, and the types of their results.
static llvm::hash_code hashOf(Region &body) {
  llvm::hash_code hash = llvm::hash_combine_range(body.getArgumentTypes());
  for (Operation *op : opsOf(body))
    hash = llvm::hash_combine(hash, op->getName(), llvm::hash_combine_range(op->getResultTypes()));
  return hash;
}

std::vector<FunctionGroup> FunctionGroup::groupsOf(ArrayRef<OutlinedOp> ops) {
  std::vector<FunctionGroup> groups;
  std::map<size_t, SmallVector<size_t>> candidates; // by hash
  for (const OutlinedOp &op : ops) {
    SmallVector<size_t> &known = candidates[hashOf(*op.body)];
    auto joined = llvm::find_if(known, [&](size_t index) { return groups[index].join(op); });
    if (joined != known.end())
      continue;
    known.push_back(groups.size());
    groups.emplace_back(op);
  }
  return groups;
}

/// The constants of a member that become arguments.
SmallVector<Operation *> FunctionGroup::varyingOf(const OutlinedOp &member) const {
  SmallVector<Operation *> ops = opsOf(*member.body);
  return llvm::map_to_vector(varying, [&](unsigned position) { return ops[position]; });
}

/// A function of the first member's body.
func::FuncOp FunctionGroup::outline(StringRef kind, SymbolTable &symbols) {
  const OutlinedOp &first = members.front();
  OpBuilder builder(first.op);
  Location loc = first.op->getLoc();
  auto caller = first.op->getParentOfType<func::FuncOp>();
  SmallVector<Type> inputs(ValueRange(first.operands).getTypes());
  Block &body = first.body->front();
  for (Operation *constant : varyingOf(first)) {
    constant->getResult(0).replaceAllUsesWith(
        body.addArgument(constant->getResult(0).getType(), loc));
    constant->erase();
  }
  auto function = func::FuncOp::create(loc, (caller.getName() + "." + kind).str(),
                                       builder.getFunctionType(inputs, {}));
  function.setPrivate();
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"})); // LLVM's attributes
  builder.setInsertionPoint(body.getTerminator());
  func::ReturnOp::create(builder, loc);
  body.getTerminator()->erase();
  function.getBody().takeBody(*first.body);
  symbols.insert(function, caller->getIterator());
  return function;
}

FailureOr<func::FuncOp> FunctionGroup::replaceByCalls(StringRef kind, SymbolTable &symbols) {
  for (OutlinedOp &member : members) {
    auto caller = member.op->getParentOfType<func::FuncOp>();
    if (!caller || caller->getParentOp() != symbols.getOp())
      return member.op->emitOpError(
          "is outlined, and must be in a function of the module for that");
    OpBuilder builder(member.op);
    for (Operation *constant : varyingOf(member))
      member.operands.push_back(builder.clone(*constant)->getResult(0));
  }
  func::FuncOp function = outline(kind, symbols);
  for (const OutlinedOp &member : members) {
    OpBuilder builder(member.op);
    func::CallOp::create(builder, member.op->getLoc(), function, member.operands);
    member.op->erase();
  }
  return function;
}
