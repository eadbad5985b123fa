//===- PlanMemory.cpp - All buffers of a function in one
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A buffer lives from its allocation to its release, both in one block. What lives at the same
/// time gets different places in one buffer of the function, the arena. A loop or a branch counts
/// as one buffer that lives while it runs, with places of its own inside; a loop that threads share
/// has as many of them as parts. A function that only others of the module call gets its arena from
/// them, where it is one buffer among theirs.
///
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/SCCIterator.h"

namespace ucmoh {
#define GEN_PASS_DEF_PLANMEMORY
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Buffers begin with a line of the cache, as those of the allocator do.
static constexpr int64_t lineBytes = 64;

namespace {
struct BlockPlan;

/// One buffer of a block, or all those inside of an op of the block.
struct PlannedBuffer {
  int64_t bytes, first, last; ///< bytes; positions in the block
  memref::AllocOp alloc;      ///< null: those inside of `owner`
  memref::DeallocOp dealloc;
  Operation *owner = nullptr;
  std::vector<BlockPlan> inside = {}; ///< one for each region
  int64_t offset = 0;

  bool livesWith(const PlannedBuffer &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// The buffers of a block, and what they take.
struct BlockPlan {
  std::vector<PlannedBuffer> buffers;
  int64_t bytes = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

/// Where the buffer is released, if that is in its own block and its size is known.
static memref::DeallocOp findDealloc(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || type.getMemorySpace() ||
      alloc.getAlignment().value_or(lineBytes) > lineBytes)
    return {};
  memref::DeallocOp found;
  for (Operation *user : alloc->getUsers())
    if (auto dealloc = dyn_cast<memref::DeallocOp>(user)) {
      if (found || dealloc->getBlock() != alloc->getBlock())
        return {};
      found = dealloc;
    }
  return found;
}

static int64_t bytesOf(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  int64_t each = DataLayout::closest(alloc).getTypeSize(type.getElementType());
  return llvm::alignTo(std::max<int64_t>(type.getNumElements() * each, 1), lineBytes);
}

/// How many blocks of the op run at once; nothing where that is not known.
static std::optional<int64_t> partsOf(Operation *op) {
  if (isa<scf::ForOp, scf::IfOp>(op))
    return 1;
  auto loop = dyn_cast<scf::ParallelOp>(op);
  if (!loop || loop.getNumLoops() != 1)
    return std::nullopt;
  auto from = getConstantIntValue(loop.getLowerBound().front());
  auto to = getConstantIntValue(loop.getUpperBound().front());
  auto step = getConstantIntValue(loop.getStep().front());
  if (!from || !to || !step)
    return std::nullopt;
  return llvm::divideCeilSigned(*to - *from, *step);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The lowest offset that is free while the buffer lives.
static int64_t findOffset(const PlannedBuffer &buffer, ArrayRef<const PlannedBuffer *> placed) {
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (const PlannedBuffer *other : placed)
    if (buffer.livesWith(*other))
      taken.push_back({other->offset, other->offset + other->bytes});
  llvm::sort(taken);
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + buffer.bytes <= begin)
      break;
    offset = std::max(offset, end);
  }
  return offset;
}

/// The largest one first: small ones fit in between.
static void place(BlockPlan &plan) {
  SmallVector<PlannedBuffer *> order;
  for (PlannedBuffer &buffer : plan.buffers)
    order.push_back(&buffer);
  llvm::sort(order, [](auto *a, auto *b) { // of equally large ones, as they lie in the block
    return std::tie(b->bytes, a) < std::tie(a->bytes, b);
  });
  SmallVector<const PlannedBuffer *> placed;
  for (PlannedBuffer *buffer : order) {
    buffer->offset = findOffset(*buffer, placed);
    plan.bytes = std::max(plan.bytes, buffer->offset + buffer->bytes);
    placed.push_back(buffer);
  }
}

static BlockPlan planBlock(Block &block);

static PlannedBuffer planInside(Operation &op, int64_t position, int64_t parts) {
  PlannedBuffer all{0, position, position, {}, {}, &op};
  for (Region &region : op.getRegions()) {
    all.inside.push_back(region.empty() ? BlockPlan() : planBlock(region.front()));
    all.bytes = std::max(all.bytes, parts * all.inside.back().bytes);
  }
  return all;
}

static BlockPlan planBlock(Block &block) {
  BlockPlan plan;
  DenseMap<Operation *, int64_t> positions;
  for (auto [position, op] : llvm::enumerate(block))
    positions[&op] = position;
  for (Operation &op : block) {
    int64_t position = positions[&op];
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      if (memref::DeallocOp dealloc = findDealloc(alloc))
        plan.buffers.push_back({bytesOf(alloc), position, positions[dealloc], alloc, dealloc});
    } else if (std::optional<int64_t> parts = partsOf(&op)) {
      if (PlannedBuffer all = planInside(op, position, *parts); all.bytes)
        plan.buffers.push_back(std::move(all));
    }
  }
  place(plan);
  return plan;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static Value shiftedBy(OpBuilder &builder, Location loc, Value base, int64_t bytes) {
  return bytes ? arith::AddIOp::create(builder, loc, base,
                                       arith::ConstantIndexOp::create(builder, loc, bytes))
                     .getResult()
               : base;
}

/// Where the current part of a shared loop has its buffers, which take `bytes` each.
static Value baseOfPart(OpBuilder &builder, scf::ParallelOp loop, Value base, int64_t bytes) {
  Location loc = loop.getLoc();
  Value from = arith::SubIOp::create(builder, loc, loop.getInductionVars().front(),
                                     loop.getLowerBound().front());
  Value index = arith::DivUIOp::create(builder, loc, from, loop.getStep().front());
  Value size = arith::ConstantIndexOp::create(builder, loc, bytes);
  return arith::AddIOp::create(builder, loc, base,
                               arith::MulIOp::create(builder, loc, index, size));
}

static void apply(const BlockPlan &plan, Value arena, Value base);

static void applyInside(const PlannedBuffer &all, Value arena, Value base) {
  for (auto [region, plan] : llvm::zip_equal(all.owner->getRegions(), all.inside)) {
    if (!plan.bytes)
      continue;
    OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
    Value inside = shiftedBy(builder, all.owner->getLoc(), base, all.offset);
    if (auto loop = dyn_cast<scf::ParallelOp>(all.owner))
      inside = baseOfPart(builder, loop, inside, plan.bytes);
    apply(plan, arena, inside);
  }
}

/// `base` is where the buffers of the block begin in the arena.
static void apply(const BlockPlan &plan, Value arena, Value base) {
  for (const PlannedBuffer &buffer : plan.buffers) {
    if (buffer.owner) {
      applyInside(buffer, arena, base);
      continue;
    }
    memref::AllocOp alloc = buffer.alloc;
    OpBuilder builder(alloc);
    Value offset = shiftedBy(builder, alloc.getLoc(), base, buffer.offset);
    memref::DeallocOp(buffer.dealloc).erase();
    alloc.replaceAllUsesWith(memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(), arena,
                                                    offset, ValueRange())
                                 .getResult());
    alloc.erase();
  }
}

//===----------------------------------------------------------------------===//
// Arenas
//===----------------------------------------------------------------------===//

static memref::AllocOp allocate(OpBuilder &builder, Location loc, MemRefType type) {
  return memref::AllocOp::create(builder, loc, type, ValueRange(),
                                 builder.getI64IntegerAttr(lineBytes));
}

/// All calls of a function that nobody else can call; nothing if it has other uses.
static std::optional<SmallVector<func::CallOp>> findCalls(func::FuncOp function, ModuleOp module) {
  std::optional<SymbolTable::UseRange> uses = function.getSymbolUses(module);
  if (!function.isPrivate() || !uses)
    return std::nullopt;
  SmallVector<func::CallOp> calls;
  for (SymbolTable::SymbolUse use : *uses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call)
      return std::nullopt;
    calls.push_back(call);
  }
  return calls;
}

/// The arena as one more argument, which is allocated around each call.
static Value takeFromCallers(func::FuncOp function, ArrayRef<func::CallOp> calls, MemRefType type) {
  unsigned last = function.getNumArguments();
  (void)function.insertArgument(last, type, DictionaryAttr(), function.getLoc());
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    Value arena = allocate(builder, call.getLoc(), type);
    call->insertOperands(last, arena);
    builder.setInsertionPointAfter(call);
    memref::DeallocOp::create(builder, call.getLoc(), arena);
  }
  return function.getArgument(last);
}

static Value allocateArena(func::FuncOp function, MemRefType type) {
  Block &body = function.front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Value arena = allocate(builder, function.getLoc(), type);
  builder.setInsertionPoint(body.getTerminator());
  memref::DeallocOp::create(builder, function.getLoc(), arena);
  return arena;
}

static void planFunction(func::FuncOp function, ModuleOp module) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return;
  BlockPlan plan = planBlock(function.front());
  if (!plan.bytes)
    return;
  auto type = MemRefType::get({plan.bytes}, IntegerType::get(module.getContext(), 8));
  auto calls = findCalls(function, module);
  Value arena = calls ? takeFromCallers(function, *calls, type) : allocateArena(function, type);
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  if (Operation *made = arena.getDefiningOp())
    builder.setInsertionPointAfter(made);
  apply(plan, arena, arith::ConstantIndexOp::create(builder, function.getLoc(), 0));
}

namespace {
struct PlanMemoryPass : ucmoh::impl::PlanMemoryBase<PlanMemoryPass> {
  using Base::Base;
  void runOnOperation() override {
    // What is called comes before what calls it.
    SmallVector<func::FuncOp> functions;
    const CallGraph &graph = getAnalysis<CallGraph>();
    for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc)
      for (CallGraphNode *node : *scc)
        if (auto function = node->isExternal()
                                ? func::FuncOp()
                                : dyn_cast<func::FuncOp>(node->getCallableRegion()->getParentOp());
            function && !scc.hasCycle())
          functions.push_back(function);
    for (func::FuncOp function : functions)
      planFunction(function, getOperation());
  }
};
} // namespace
