//===- Items.cpp - Loops that threads may share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Items.h"
#include "../RestDescription.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace ucmoh;

static bool isView(Operation *op) {
  return isa_and_nonnull<ViewLikeOpInterface, memref::ExtractStridedMetadataOp>(op);
}

namespace {
/// Finds out whose memory a value of a loop over batches may be.
class MemoryOfItem {
public:
  explicit MemoryOfItem(scf::ForOp loop) : loop(loop) {}

  /// Whether it is that of one step.
  bool isOwn(Value buffer);

private:
  bool isInside(Value value) { return loop.getBodyRegion().isAncestor(value.getParentRegion()); }
  bool isPartOfItem(memref::SubViewOp view);
  bool isOwnOfLoop(scf::ForOp inner, unsigned number);

  scf::ForOp loop;
  llvm::SmallPtrSet<Value, 16> visited;
};
} // namespace

/// The batch at hand of a tensor of all of them.
bool MemoryOfItem::isPartOfItem(memref::SubViewOp view) {
  for (auto [offset, size] : llvm::zip_equal(view.getMixedOffsets(), view.getMixedSizes()))
    if (getAsOpFoldResult(loop.getInductionVar()) == offset && isConstantIntValue(size, 1))
      return true;
  return false;
}

/// A value that an inner loop carries: the first one, or one that a step gives.
bool MemoryOfItem::isOwnOfLoop(scf::ForOp inner, unsigned number) {
  return isOwn(inner.getInitArgs()[number]) && isOwn(inner.getYieldedValues()[number]);
}

bool MemoryOfItem::isOwn(Value buffer) {
  if (!visited.insert(buffer).second)
    return true;
  Operation *definition = buffer.getDefiningOp();
  if (!isInside(buffer))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    auto inner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return inner && isOwnOfLoop(inner, argument.getArgNumber() - inner.getNumInductionVars());
  }
  if (auto inner = dyn_cast<scf::ForOp>(definition))
    return isOwnOfLoop(inner, cast<OpResult>(buffer).getResultNumber());
  if (auto view = dyn_cast<memref::SubViewOp>(definition); view && isPartOfItem(view))
    return true;
  if (isView(definition))
    return isOwn(definition->getOperand(0));
  return isa<memref::AllocOp, memref::AllocaOp>(definition);
}

static func::FuncOp calleeOf(func::CallOp call) {
  return call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(call.getCallee());
}

static SmallVector<Value> buffersWritten(Operation *op);

/// Whether a function may write to its argument.
static bool writes(func::FuncOp function, unsigned number) {
  auto isWritten = [&](Value buffer) {
    while (isView(buffer.getDefiningOp()))
      buffer = buffer.getDefiningOp()->getOperand(0);
    auto argument = dyn_cast<BlockArgument>(buffer);
    return argument && (argument == function.getArgument(number) ||
                        argument.getOwner() != &function.getBody().front());
  };
  return function
      .walk([&](Operation *op) {
        return llvm::any_of(buffersWritten(op), isWritten) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The buffers that an op itself may write to.
static SmallVector<Value> buffersWritten(Operation *op) {
  SmallVector<Value> written;
  auto call = dyn_cast<func::CallOp>(op);
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool handsOn = isView(op) || op->hasTrait<OpTrait::IsTerminator>() ||
                 (!effects && op->hasTrait<OpTrait::HasRecursiveMemoryEffects>());
  for (OpOperand &operand : op->getOpOperands()) {
    Value buffer = operand.get();
    if (handsOn || !isa<BaseMemRefType>(buffer.getType()))
      continue;
    if (call ? writes(calleeOf(call), operand.getOperandNumber())
             : !effects || effects.getEffectOnValue<MemoryEffects::Write>(buffer))
      written.push_back(buffer);
  }
  return written;
}

/// Clocks know threads.
static bool isForOneThread(func::FuncOp callee) {
  return callee.isDeclaration() && !callee->hasAttr(clockMark);
}

/// Visits what the loop writes to; fails where it is not a step's own.
static LogicalResult checkWrites(scf::ForOp loop, MemoryOfItem &memory) {
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    bool mayShare = !call || !isForOneThread(calleeOf(call));
    mayShare = mayShare &&
               llvm::all_of(buffersWritten(op), [&](Value buffer) { return memory.isOwn(buffer); });
    return mayShare ? WalkResult::advance() : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

bool ucmoh::areIndependent(scf::ForOp loop) {
  MemoryOfItem memory(loop);
  return succeeded(checkWrites(loop, memory));
}

namespace {
/// Finds out whether what is written in a loop depends on its step.
class PlaceOfStep {
public:
  explicit PlaceOfStep(scf::ForOp loop) : loop(loop) {
    getForwardSlice(loop.getInductionVar(), &dependent);
  }

  /// Whether it is one place of a buffer from outside of the loop.
  bool isOne(Operation *op, Value buffer) {
    for (; !loop.isDefinedOutsideOfLoop(buffer); buffer = buffer.getDefiningOp()->getOperand(0))
      if (!isView(buffer.getDefiningOp()) || dependent.contains(buffer.getDefiningOp()))
        return false;
    return llvm::none_of(op->getOperands(), [&](Value operand) {
      return operand.getType().isIndex() && dependsOnStep(operand);
    });
  }

private:
  bool dependsOnStep(Value value) {
    Operation *definition = value.getDefiningOp();
    return definition ? dependent.contains(definition) : !loop.isDefinedOutsideOfLoop(value);
  }

  scf::ForOp loop;
  SetVector<Operation *> dependent;
};
} // namespace

bool ucmoh::writeToOnePlace(scf::ForOp loop) {
  PlaceOfStep place(loop);
  return loop.getBody()
      ->walk([&](Operation *op) {
        bool isOne =
            llvm::any_of(buffersWritten(op), [&](Value buffer) { return place.isOne(op, buffer); });
        return isOne ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
