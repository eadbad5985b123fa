//===- GridReader.cpp - The program of a kernel that is a grid of blocks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void GridReader::enter(LoopKind kind, int64_t extent, int64_t step, Axis axis) {
  program.loops.push_back({kind, extent, step, current, std::nullopt});
  axes.push_back(axis);
  current = program.loops.size() - 1;
}

/// [extent, step, dimension, advance]
static bool isAxis(Attribute attribute) {
  auto axis = dyn_cast<DenseI64ArrayAttr>(attribute);
  return axis && axis.size() == 4 && axis[1] > 0 && axis[2] >= 0 && axis[2] < 3;
}

LogicalResult GridReader::readAxes() {
  auto grid = launch->getAttrOfType<ArrayAttr>("ucmoh.grid");
  auto warps = launch->getAttrOfType<DenseI64ArrayAttr>("ucmoh.warps");
  if (!grid || !llvm::all_of(grid, isAxis) || grid.empty() || !warps || warps.size() != 5 ||
      !llvm::all_of(warps.asArrayRef(), [](int64_t number) { return number > 0; }))
    return launch.emitError("a grid of a program needs ucmoh.grid, an [extent, step, dimension, "
                            "advance] for each axis, and ucmoh.warps, five positive numbers");
  lanes = warps[4];
  gpu::KernelDim3 ids = launch.getBlockIds();
  Value dims[] = {ids.x, ids.y, ids.z};
  for (auto axis : grid.getAsRange<DenseI64ArrayAttr>())
    enter(LoopKind::Block, axis[0], axis[1], {dims[axis[2]], axis[3]});
  return success();
}

void GridReader::enterWarps() {
  if (program.loops[*current].kind == LoopKind::Warp)
    return;
  ArrayRef<int64_t> warps = launch->getAttrOfType<DenseI64ArrayAttr>("ucmoh.warps");
  enter(LoopKind::Warp, warps[0], warps[1], {Value(), lanes * (warps[2] / warps[3])});
  enter(LoopKind::Warp, warps[2], warps[3], {Value(), lanes});
  straightLine = program.statements.size();
}

LogicalResult GridReader::readStages(scf::ForOp loop) {
  auto stage = loop->getAttrOfType<DenseI64ArrayAttr>("ucmoh.stage");
  if (!stage || stage.size() != 2 || stage[1] <= 0)
    return loop.emitError("ucmoh.stage must be the extent and the step of the stages");
  std::optional<unsigned> outside = current;
  enter(LoopKind::Stage, stage[0], stage[1], {loop.getInductionVar(), 0});
  inStages = true;
  straightLine = program.statements.size();
  point.set(loop.getInductionVar(), 0);
  LogicalResult result = read(*loop.getBody());
  inStages = false;
  current = outside;
  return result;
}

/// What a thread copies in turns.
LogicalResult GridReader::readTurns(scf::ForOp loop) {
  auto from = getConstantIntValue(loop.getLowerBound()),
       to = getConstantIntValue(loop.getUpperBound());
  auto step = getConstantIntValue(loop.getStep());
  if (!from || !to || !step || *step <= 0)
    return loop.emitError("a loop of a program needs constant bounds and a positive step");
  for (int64_t i = *from; i < *to; i += *step) {
    point.set(loop.getInductionVar(), i);
    if (failed(read(*loop.getBody())))
      return failure();
  }
  return success();
}

/// A condition on a number that grows from thread to thread says how many of them go on; others
/// are about the edges of operands, or about the last stages.
LogicalResult GridReader::readGuard(scf::IfOp guard) {
  auto compare = guard.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt)
    return read(*guard.thenBlock());
  auto bound = point.evaluate(compare.getRhs()), first = point.evaluate(compare.getLhs());
  GridPoint last = point;
  last.thread = threads - 1;
  auto end = last.evaluate(compare.getLhs());
  if (!bound || !first || !end || *end < *first)
    return guard.emitError("a condition of a grid must be about blocks, threads and stages, and "
                           "exclude the last threads");
  std::optional<int64_t> outside = active;
  if (*end != *first)
    active = std::clamp<int64_t>(*bound - *first, 0, *end - *first + 1);
  LogicalResult result = read(*guard.thenBlock());
  active = outside;
  return result;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult GridReader::read(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) {
        auto name = loop->getAttrOfType<StringAttr>("ucmoh.loop");
        if (name && name == "edge") // zeros in place of what does not exist
          return success();
        return loop->hasAttr("ucmoh.stage") ? readStages(loop) : readTurns(loop);
      })
      .Case([&](scf::IfOp guard) { // with an else it is about what exists in memory
        return guard.elseBlock() ? success() : readGuard(guard);
      })
      .Case([&](LoadOp load) { return readLoad(load); })
      .Case([&](ComputeOp) {
        enterWarps();
        addStatement(program, straightLine, {Statement::Compute, current, 1, {}});
        return success();
      })
      .Case([&](StoreOp) {
        enterWarps();
        ++fragments;
        return success();
      })
      .Case([&](CopyOp copy) {
        return readStore(copy, copy.getTarget(), copy.getTargetIndex(), copy.getElements());
      })
      .Case([&](vector::StoreOp store) {
        return readStore(store, store.getBase(), store.getIndices(),
                         store.getVectorType().getNumElements());
      })
      .Default([](Operation *) { return success(); });
}

LogicalResult GridReader::read(Block &block) {
  for (Operation &op : block)
    if (failed(read(&op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LogicalResult GridReader::findBuffers() {
  if (failed(buffers.addOperands(kernel)))
    return failure();
  WalkResult found = launch.walk([&](StoreOp op) {
    return WalkResult(buffers.add(op, BufferRole::Accumulators, op.getMemref()));
  });
  if (!found.wasInterrupted())
    found = launch.walk([&](LoadOp op) {
      if (op.getRole() == Role::acc)
        return WalkResult::advance();
      return WalkResult(
          buffers.add(op, op.getRole() == Role::lhs ? BufferRole::PackedLhs : BufferRole::PackedRhs,
                      op.getMemref()));
    });
  return failure(found.wasInterrupted());
}

/// Copies are counted over the threads of a block.
LogicalResult GridReader::readThreads() {
  auto constant = getConstantIntValue(launch.getBlockSizeX());
  if (!constant || *constant <= 0)
    return launch.emitError("a grid of a program needs a constant number of threads");
  threads = *constant;
  return success();
}

/// Whether whole stages were copied before the loop over them.
LogicalResult GridReader::checkAhead() {
  for (const Statement &statement : program.statements)
    if (statement.kind == Statement::PackLhs || statement.kind == Statement::PackRhs)
      if (int64_t copies = ahead[static_cast<unsigned>(statement.accesses.back().buffer)];
          copies && (!statement.count || copies % statement.count))
        return launch.emitError("copies a part of a stage before the loop over the stages");
  return success();
}

FailureOr<Program> GridReader::run() {
  if (failed(findBuffers()) || failed(readThreads()))
    return failure();
  for (BlockArgument argument : launch.getBody().getArguments())
    if (argument != launch.getThreadIds().x)
      point.set(argument, 0);
  if (failed(readAxes()) || failed(read(launch.getBody().front())) || failed(checkAhead()))
    return failure();
  return std::move(program);
}
