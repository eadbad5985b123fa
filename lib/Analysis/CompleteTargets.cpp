//===- CompleteTargets.cpp - Targets with all that they share with others
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompleteTargets.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Completes targets one after the other, those first that others extend.
class Completer {
public:
  explicit Completer(ModuleOp library) : library(library) {}

  LogicalResult complete(TargetOp target);

private:
  LogicalResult takeOver(TargetOp target, SymbolRefAttr base);
  void takeOver(TargetOp target, TargetOp base, Operation *op);
  LogicalResult fill(AsyncCopyOp copy);
  LogicalResult fill(IntrinsicOp intrinsic);
  LogicalResult fill(IntrinsicOp intrinsic, Role role);
  /// What `name` means in a target: a symbol of the target, or `@other::@symbol`. Null if there is
  /// none.
  Operation *find(TargetOp target, SymbolRefAttr name);

  SymbolTableCollection tables;
  ModuleOp library;
  llvm::SmallSetVector<Operation *, 4> underWay; ///< each extends the next one
  llvm::SmallPtrSet<Operation *, 32> done;
};
} // namespace

static InFlightDiagnostic emitErrorAt(TargetOp target) {
  return mlir::emitError(target.getLoc()) << "target @" << target.getSymName() << " ";
}

Operation *Completer::find(TargetOp target, SymbolRefAttr name) {
  return tables.lookupSymbolIn(
      isa<FlatSymbolRefAttr>(name) ? target.getOperation() : library.getOperation(), name);
}

/// A name that holds in every target.
static SymbolRefAttr qualify(SymbolRefAttr name, TargetOp target) {
  auto flat = dyn_cast_or_null<FlatSymbolRefAttr>(name);
  return flat ? SymbolRefAttr::get(target.getSymNameAttr(), {flat}) : name;
}

void Completer::takeOver(TargetOp target, TargetOp base, Operation *op) {
  if (tables.lookupSymbolIn(target, cast<SymbolOpInterface>(op).getNameAttr()))
    return;
  Operation *copy = op->clone();
  for (StringRef name : {"lhs_fragment", "rhs_fragment", "acc_fragment", "like"})
    if (auto symbol = copy->getAttrOfType<SymbolRefAttr>(name))
      copy->setAttr(name, qualify(symbol, base));
  tables.getSymbolTable(target).insert(copy);
}

LogicalResult Completer::takeOver(TargetOp target, SymbolRefAttr name) {
  auto base = library.lookupSymbol<TargetOp>(name.getRootReference());
  if (!base)
    return emitErrorAt(target) << "extends " << name << ", but there is no target @"
                               << name.getRootReference().strref();
  if (failed(complete(base)))
    return failure();
  if (!isa<FlatSymbolRefAttr>(name)) {
    Operation *op = find(target, name);
    if (!isa_and_nonnull<IntrinsicOp, AsyncCopyOp>(op))
      return emitErrorAt(target) << "extends " << name
                                 << ", which is no intrinsic or asynchronous copy";
    takeOver(target, base, op);
    return success();
  }
  for (Operation &op : base.getBody().front())
    if (isa<IntrinsicOp, AsyncCopyOp>(op))
      takeOver(target, base, &op);
  return success();
}

/// A region that is there stays.
static void cloneIfEmpty(Region &from, Region &to) {
  IRMapping mapping;
  if (to.empty())
    from.cloneInto(&to, mapping);
}

LogicalResult Completer::fill(AsyncCopyOp copy) {
  auto isComplete = [](AsyncCopyOp op) {
    return !op.getCopy().empty() && !op.getCommit().empty() && !op.getWait().empty() &&
           op.getInit().empty() != op.getBarrier().has_value();
  };
  if (!copy.getLike() || isComplete(copy))
    return success();
  SymbolRefAttr name = *copy.getLike();
  auto owner = library.lookupSymbol<TargetOp>(name.getRootReference());
  if (owner && failed(complete(owner)))
    return failure();
  auto model = dyn_cast_or_null<AsyncCopyOp>(find(copy->getParentOfType<TargetOp>(), name));
  if (!model || !isComplete(model) ||
      model.getBarrier().has_value() != copy.getBarrier().has_value())
    return mlir::emitError(copy.getLoc())
           << "async_copy @" << copy.getSymName() << " is like " << name
           << (!model ? ", which is no 'ucmoh.async_copy'"
                      : ", which has not all bodies, or not the same kind of barrier");
  cloneIfEmpty(model.getInit(), copy.getInit());
  cloneIfEmpty(model.getCopy(), copy.getCopy());
  cloneIfEmpty(model.getCommit(), copy.getCommit());
  cloneIfEmpty(model.getWait(), copy.getWait());
  return verify(copy);
}

LogicalResult Completer::fill(IntrinsicOp intrinsic, Role role) {
  SymbolRefAttr name = intrinsic.getFragment(role);
  if (!name || !intrinsic.getLoad(role).empty())
    return success();
  Operation *found = find(intrinsic->getParentOfType<TargetOp>(), name);
  if (failed(intrinsic.verifyFragment(role, found)))
    return failure();
  auto fragment = cast<FragmentOp>(found);
  cloneIfEmpty(fragment.getLoad(), intrinsic.getLoad(role));
  if (role != Role::acc)
    return success();
  cloneIfEmpty(fragment.getZero(), intrinsic.getZero());
  cloneIfEmpty(fragment.getStore(), intrinsic.getStore());
  return success();
}

LogicalResult Completer::fill(IntrinsicOp intrinsic) {
  bool isComplete = !intrinsic.getLoadLhs().empty() && !intrinsic.getLoadRhs().empty() &&
                    !intrinsic.getLoadAcc().empty();
  if (isComplete) // and verified
    return success();
  for (Role role : {Role::lhs, Role::rhs, Role::acc})
    if (failed(fill(intrinsic, role)))
      return failure();
  return verify(intrinsic);
}

LogicalResult Completer::complete(TargetOp target) {
  if (done.contains(target))
    return success();
  if (!underWay.insert(target))
    return emitErrorAt(target) << "extends itself, or takes a body from a target that does";
  for (Attribute base : target.getBases().value_or(ArrayAttr::get(target.getContext(), {})))
    if (failed(takeOver(target, cast<SymbolRefAttr>(base))))
      return failure();
  for (auto copy : target.getOps<AsyncCopyOp>())
    if (failed(fill(copy)))
      return failure();
  for (auto intrinsic : target.getOps<IntrinsicOp>())
    if (failed(fill(intrinsic)))
      return failure();
  underWay.pop_back();
  done.insert(target);
  return success();
}

LogicalResult ucmoh::completeTargets(ModuleOp library) {
  Completer completer(library);
  for (auto target : library.getOps<TargetOp>())
    if (failed(completer.complete(target)))
      return failure();
  return success();
}
