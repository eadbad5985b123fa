//===- Outline.cpp - Loops of a network become functions
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FunctionGroup.h"
#include "../Pieces.h"
#include "Rest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_OUTLINEREST
#define GEN_PASS_DEF_LOWERDISTINCT
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// On a function: the pointers among its arguments in LLVM, as positions, through which alone is
/// reached what is written through one of them.
static constexpr llvm::StringLiteral distinctName = "ucmoh.distinct";

/// What MLIR makes for callers in C has the function's attributes, but other arguments.
static constexpr llvm::StringLiteral interfacePrefix = "_mlir_ciface_";

/// Functions with fewer loops are compiled fast, and are easier to read in one piece.
static constexpr unsigned fewestLoops = 8;

//===----------------------------------------------------------------------===//
// What is outlined
//===----------------------------------------------------------------------===//

/// Whether a value can be an argument: a buffer whose function gets its descriptor, or a number.
static bool canPass(Value value) {
  auto buffer = dyn_cast<MemRefType>(value.getType());
  return buffer ? buffer.isStrided() && !buffer.getMemorySpace()
                : value.getType().isIntOrIndexOrFloat();
}

static SmallVector<Value> valuesFromOutside(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values.takeVector();
}

static bool isConstant(Value value) { return value.getDefiningOp<arith::ConstantOp>() != nullptr; }

static bool canOutline(Operation *op) {
  return isa<scf::ForOp, scf::ParallelOp>(op) && op->getNumResults() == 0 &&
         llvm::all_of(valuesFromOutside(op),
                      [](Value value) { return isConstant(value) || canPass(value); });
}

/// The outermost loops of a block, and those inside of loops over pieces that hold networks: of
/// several loops.
static void findLoops(Block &block, SmallVector<Operation *> &loops) {
  for (Operation &op : block) {
    SmallVector<Operation *> inner;
    if (op.hasAttr(piecesMark))
      findLoops(op.getRegion(0).front(), inner);
    if (inner.size() > 1 || !canOutline(&op))
      llvm::append_range(loops, inner);
    else
      loops.push_back(&op);
  }
}

/// The loops of functions that have many.
static SmallVector<Operation *> findLoops(ModuleOp module) {
  SmallVector<Operation *> loops;
  for (auto function : module.getOps<func::FuncOp>()) {
    SmallVector<Operation *> found;
    for (Block &block : function.getBody())
      findLoops(block, found);
    if (found.size() >= fewestLoops)
      llvm::append_range(loops, found);
  }
  return loops;
}

/// A copy of the loop is the body; what was constant outside is so inside.
static OutlinedOp asFunction(Operation *loop, Region &body) {
  OutlinedOp outlined{loop, &body, {}};
  OpBuilder builder(loop->getContext());
  Block *block = builder.createBlock(&body);
  IRMapping mapping;
  for (Value value : valuesFromOutside(loop)) {
    if (isConstant(value)) {
      builder.clone(*value.getDefiningOp(), mapping);
      continue;
    }
    mapping.map(value, block->addArgument(value.getType(), value.getLoc()));
    outlined.operands.push_back(value);
  }
  builder.clone(*loop, mapping);
  YieldOp::create(builder, loop->getLoc(), ValueRange());
  return outlined;
}

//===----------------------------------------------------------------------===//
// Which arguments overlap
//===----------------------------------------------------------------------===//

static bool isAllocation(Value whole) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(whole.getDefiningOp());
}

/// Memory that was there before the function allocated any.
static bool isFromOutside(Value whole) {
  auto argument = dyn_cast<BlockArgument>(whole);
  return whole.getDefiningOp<memref::GetGlobalOp>() ||
         (argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()));
}

/// Whether both may be parts of the same memory.
static bool mayOverlap(Value first, Value second) {
  Value a = wholeOf(first), b = wholeOf(second);
  auto isApart = [](Value whole, Value other) {
    return isAllocation(whole) && (isAllocation(other) || isFromOutside(other));
  };
  return a == b || (!isApart(a, b) && !isApart(b, a));
}

static bool isWritten(Value buffer);

/// Whether an op without effects hands the buffer on to one that may write to it.
static bool handsOn(Operation *op) {
  return isa<memref::ExtractAlignedPointerAsIndexOp>(op) ||
         llvm::any_of(op->getResults(), [](Value result) {
           return isa<BaseMemRefType>(result.getType()) && isWritten(result);
         });
}

/// Whether the body may write to the buffer, or to a view of it.
static bool isWritten(Value buffer) {
  return llvm::any_of(buffer.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isPure(user))
      return handsOn(user);
    auto interface = dyn_cast<MemoryEffectOpInterface>(user);
    if (!interface)
      return true;
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    return llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
      return !isa<MemoryEffects::Read>(effect.getEffect()) &&
             !isa<MemoryEffects::Allocate>(effect.getEffect());
    });
  });
}

/// Whether the operand overlaps none that is written, or is not written itself and overlaps what is
/// only read.
static bool isDistinct(const OutlinedOp &op, unsigned position, const llvm::BitVector &written) {
  for (auto [other, value] : llvm::enumerate(op.operands)) {
    bool matters = other != position && isa<MemRefType>(value.getType()) &&
                   (written[other] || written[position]);
    if (matters && mayOverlap(op.operands[position], value))
      return false;
  }
  return true;
}

/// The buffers among a group's arguments that are distinct in each call.
static llvm::BitVector findDistinct(const FunctionGroup &group) {
  const OutlinedOp &first = group.getMembers().front();
  llvm::BitVector written(first.operands.size()), distinct(first.operands.size());
  for (BlockArgument argument : first.body->getArguments())
    if (isa<MemRefType>(argument.getType()) && isWritten(argument))
      written.set(argument.getArgNumber());
  for (unsigned position = 0; position < first.operands.size(); ++position)
    if (isa<MemRefType>(first.operands[position].getType()) &&
        llvm::all_of(group.getMembers(), [&](const OutlinedOp &member) {
          return isDistinct(member, position, written);
        }))
      distinct.set(position);
  return distinct;
}

/// A buffer becomes two pointers, an offset, and two numbers for each dim. Its elements are reached
/// through the second pointer.
static void markDistinct(func::FuncOp function, const llvm::BitVector &distinct) {
  SmallVector<int64_t> positions;
  int64_t position = 0;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (index < distinct.size() && distinct[index])
      positions.push_back(position + 1);
    auto buffer = dyn_cast<MemRefType>(type);
    position += buffer ? 3 + 2 * buffer.getRank() : 1;
  }
  function->setAttr(distinctName, Builder(function).getDenseI64ArrayAttr(positions));
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

namespace {
struct OutlineRestPass : ucmoh::impl::OutlineRestBase<OutlineRestPass> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<Operation *> loops = findLoops(getOperation());
    std::vector<Region> bodies(loops.size());
    SmallVector<OutlinedOp> ops;
    for (auto [loop, body] : llvm::zip_equal(loops, bodies))
      ops.push_back(asFunction(loop, body));
    for (FunctionGroup &group : FunctionGroup::groupsOf(ops)) {
      llvm::BitVector distinct = findDistinct(group);
      FailureOr<func::FuncOp> function = group.replaceByCalls("loop", symbols);
      if (failed(function))
        return signalPassFailure();
      markDistinct(*function, distinct);
    }
  }
};

struct LowerDistinctPass : ucmoh::impl::LowerDistinctBase<LowerDistinctPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (auto positions = function->getAttrOfType<DenseI64ArrayAttr>(distinctName)) {
        function->removeAttr(distinctName);
        if (function.getName().starts_with(interfacePrefix))
          continue;
        for (int64_t position : positions.asArrayRef())
          function.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(),
                              Builder(function).getUnitAttr());
      }
  }
};
} // namespace
