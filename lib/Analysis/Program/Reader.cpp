//===- Reader.cpp - The loops and statements of a kernel in the IR
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

FailureOr<ProgramReader::Bounds> ProgramReader::boundsOf(LoopLikeOpInterface op) {
  auto lower = op.getLoopLowerBounds(), upper = op.getLoopUpperBounds();
  auto steps = op.getLoopSteps();
  if (!lower || !upper || !steps || lower->size() != 1)
    return op.emitError("a loop of a program has one variable and bounds");
  Bounds bounds{nullptr, 0, std::nullopt, getConstantIntValue(steps->front())};
  if (auto constant = getConstantIntValue(lower->front()))
    bounds.first = *constant;
  else
    bounds.from = cast<Value>(lower->front());
  OpFoldResult end = upper->front();
  bounds.end = getConstantIntValue(end);
  if (!bounds.end)
    bounds.end = values.largest(cast<Value>(end));
  return bounds;
}

/// A loop that begins where an enclosing one stands runs over its current part.
LogicalResult ProgramReader::readLoop(LoopLikeOpInterface op, LoopKind kind) {
  FailureOr<Bounds> bounds = boundsOf(op);
  if (failed(bounds))
    return failure();
  Loop loop{kind, 0, bounds->step.value_or(0), notes.getCurrent(), std::nullopt};
  Position from = Position::ofConstant(bounds->first);
  if (bounds->from) {
    loop.refines = values.loopOf(bounds->from);
    if (auto at = values.positionOf(bounds->from, notes.program.loops.size() + 1))
      from = *at;
  }
  if ((bounds->from && !loop.refines) || !bounds->end || loop.step <= 0)
    return op.emitError("a loop of a program needs constant bounds, or to begin where an "
                        "enclosing loop stands, and a positive step");
  loop.extent = *bounds->end - (loop.refines ? 0 : bounds->first);
  if (loop.extent <= 0)
    return success();
  std::optional<unsigned> outer = notes.getCurrent();
  unsigned id = notes.open(loop);
  auto add = [](int64_t a, int64_t b) { return a + b; };
  Value variable = op.getLoopInductionVars()->front();
  values.setVariable(variable, id, Position::combine(from, Position::ofLoop(id, loop.step), add));
  loops[id] = {variable, bounds->from, op};
  LogicalResult result = read(*op.getLoopRegions().front());
  notes.close(outer);
  return result;
}

/// What a thread of a block copies in turns; a loop whose bounds depend on more than constants
/// clears what lies behind the end of an operand.
LogicalResult ProgramReader::readTurns(scf::ForOp loop) {
  auto from = getConstantIntValue(loop.getLowerBound()),
       to = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  if (!from || !to || !step || *step <= 0)
    return success();
  for (int64_t i = *from; i < *to; i += *step) {
    values.setNumber(loop.getInductionVar(), i);
    if (failed(read(loop.getRegion())))
      return failure();
  }
  values.clearNumber(loop.getInductionVar());
  return success();
}

/// In how many iterations of the loop, and of those that it refines, the condition holds.
int64_t ProgramReader::countIterations(Value condition, unsigned loop) {
  SmallVector<unsigned> chain;
  for (std::optional<unsigned> id = loop; id; id = notes.program.loops[*id].refines)
    chain.insert(chain.begin(), *id);
  int64_t count = 0;
  auto visit = [&](auto &self, size_t depth) -> void {
    if (depth == chain.size()) {
      count += values.numberOf(condition).value_or(0) != 0;
      return;
    }
    const OpenLoop &open = loops[chain[depth]];
    auto op = cast<LoopLikeOpInterface>(open.op);
    const Loop &known = notes.program.loops[chain[depth]];
    int64_t from = open.from ? values.numberOf(open.from).value_or(0)
                             : *getConstantIntValue(op.getLoopLowerBounds()->front());
    OpFoldResult upper = op.getLoopUpperBounds()->front();
    int64_t to = isa<Attribute>(upper) ? *getConstantIntValue(upper)
                                       : values.numberOf(cast<Value>(upper)).value_or(from);
    for (int64_t i = from; i < to; i += known.step) {
      values.setNumber(open.variable, i);
      self(self, depth + 1);
    }
    values.clearNumber(open.variable);
  };
  visit(visit, 0);
  return count;
}

/// A condition on a loop is a guard, one on the number of a thread says who goes on. One on both is
/// about the edges of operands, which the first iterations do not meet.
LogicalResult ProgramReader::readCondition(scf::IfOp op) {
  LoopValues::Dependence on = values.dependenceOf(op.getCondition());
  if (op.elseBlock() || (on.onThread && on.loop))
    return read(op.getThenRegion());
  if (on.onThread) {
    threadConditions.push_back(op.getCondition());
    LogicalResult result = read(op.getThenRegion());
    threadConditions.pop_back();
    return result;
  }
  if (!on.loop)
    return op.emitError("a condition in a program must be about an enclosing loop");
  if (launch && notes.program.loops[*on.loop].kind == LoopKind::Block)
    return read(op.getThenRegion());
  int64_t holds = countIterations(op.getCondition(), *on.loop);
  if (!holds)
    return success();
  std::optional<unsigned> outer = notes.getCurrent();
  notes.open({LoopKind::Guard, holds, 1, outer, on.loop});
  LogicalResult result = read(op.getThenRegion());
  notes.close(outer);
  return result;
}

/// The axes of the grid are loops, also those of one block: what a device runs in parallel has to
/// be seen.
LogicalResult ProgramReader::readLaunch(gpu::LaunchOp op) {
  gpu::KernelDim3 ids = op.getBlockIds(), sizes = op.getGridSizeOperandValues();
  auto blockSize = getConstantIntValue(op.getBlockSizeX());
  if (!blockSize || *blockSize <= 0)
    return op.emitError("a grid of a program needs a constant number of threads");
  threads = *blockSize;
  op.walk([&](ComputeOp compute) {
    if (IntrinsicOp intrinsic = library.lookup(compute.getIntrinsic()))
      lanes = intrinsic.getLanes();
  });
  for (auto [id, size] : {std::pair(ids.x, sizes.x), {ids.y, sizes.y}, {ids.z, sizes.z}}) {
    auto extent = getConstantIntValue(size);
    if (!extent || *extent <= 0)
      return op.emitError("a grid of a program needs a constant number of blocks");
    unsigned loop = notes.open({LoopKind::Block, *extent, 1, notes.getCurrent(), std::nullopt});
    values.setVariable(id, loop, Position::ofLoop(loop, 1));
  }
  values.setThreads(op.getThreadIds().x, lanes);
  launch = op;
  return read(op.getBody());
}

static bool computes(Operation *op) {
  return op->walk([](ComputeOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

LogicalResult ProgramReader::read(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) -> LogicalResult {
        if (!launch || computes(loop))
          return readLoop(loop, LoopKind::Serial);
        return readTurns(loop);
      })
      .Case([&](affine::AffineForOp loop) { return readLoop(loop, LoopKind::Serial); })
      .Case<scf::ParallelOp, scf::ForallOp>(
          [&](auto loop) { return readLoop(loop, LoopKind::Parallel); })
      .Case([&](scf::IfOp condition) { return readCondition(condition); })
      .Case([&](gpu::LaunchOp grid) { return readLaunch(grid); })
      .Case([&](LoadOp load) { return readLoad(load); })
      .Case([&](ComputeOp) {
        pending = {};
        notes.note(Statement::Compute, 1, {});
        return success();
      })
      .Case([&](StoreOp store) { return readStore(store); })
      .Case([&](CopyOp copy) { return readCopy(copy); })
      .Case<vector::LoadOp, vector::MaskedLoadOp>([&](auto load) {
        Value mask;
        if constexpr (std::is_same_v<decltype(load), vector::MaskedLoadOp>)
          mask = load.getMask();
        return readVector(load, load.getBase(), load.getIndices(), load.getVectorType(), mask,
                          /*isWrite=*/false);
      })
      .Case<vector::StoreOp, vector::MaskedStoreOp>([&](auto store) {
        Value mask;
        if constexpr (std::is_same_v<decltype(store), vector::MaskedStoreOp>)
          mask = store.getMask();
        return readVector(store, store.getBase(), store.getIndices(), store.getVectorType(), mask,
                          /*isWrite=*/true);
      })
      .Default([](Operation *) { return success(); });
}

LogicalResult ProgramReader::read(Region &region) {
  for (Operation &op : region.front())
    if (failed(read(&op)))
      return failure();
  return success();
}

FailureOr<Program> ProgramReader::run() {
  if (failed(buffers.find(root)))
    return failure();
  if (auto kernel = dyn_cast<KernelOp>(root); kernel && kernel.getChoiceAttr()) {
    notes.program.threads = kernel.getChoiceAttr().getThreads();
    notes.program.pipelineDepth = kernel.getChoiceAttr().getStages();
  }
  bool isLoop = isa<LoopLikeOpInterface, gpu::LaunchOp>(root);
  for (Region &region : root->getRegions())
    if (failed(isLoop ? read(root) : region.empty() ? success() : read(region)))
      return failure();
  return std::move(notes.program);
}

FailureOr<Program> ucmoh::readProgram(Operation *root, const TargetLibrary &library) {
  return ProgramReader(root, library).run();
}
