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

/// Reads a loop in which a thread of a block copies in turns; a loop whose bounds depend on more
/// than constants clears what lies behind the end of an operand.
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
      subgroupSize = intrinsic.getSubgroupSize();
  });
  for (auto [id, size] : {std::pair(ids.x, sizes.x), {ids.y, sizes.y}, {ids.z, sizes.z}}) {
    auto extent = getConstantIntValue(size);
    if (!extent || *extent <= 0)
      return op.emitError("a grid of a program needs a constant number of blocks");
    unsigned loop = notes.open({LoopKind::Block, *extent, 1, notes.getCurrent(), std::nullopt});
    values.setVariable(id, loop, Position::ofLoop(loop, 1));
  }
  values.setThreads(op.getThreadIds().x, subgroupSize);
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
    notes.program.pipelineDepth = kernel.getChoiceAttr().getPipelineDepth();
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

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// Finds the position of a view's first element where no indices are given.
FailureOr<Position> ProgramReader::positionIn(Operation *op, Value memref, ValueRange indices) {
  if (auto at = values.positionOf(memref, indices, notes.program.loops.size() + 1))
    return *at;
  return op->emitError("accesses a position that does not follow from loops and threads");
}

int64_t ProgramReader::countActive(int64_t count) {
  if (threadConditions.empty())
    return count;
  int64_t active = 0;
  for (int64_t thread = 0; thread < count; ++thread)
    active += llvm::all_of(threadConditions, [&](Value condition) {
      return values.numberOf(condition, thread).value_or(1) != 0;
    });
  return active;
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

IntrinsicOp ProgramReader::findIntrinsic(Operation *op, SymbolRefAttr name) {
  IntrinsicOp intrinsic = library.lookup(name);
  if (!intrinsic)
    op->emitError("unknown intrinsic ") << name;
  return intrinsic;
}

/// The rows of a fragment of lhs or acc, which may be fewer than the intrinsic's.
static int64_t rowsOf(Type fragment, IntrinsicOp intrinsic) {
  auto shaped = dyn_cast<ShapedType>(fragment);
  return intrinsic.getVariableM() && shaped && shaped.hasRank() && shaped.getRank() == 2
             ? shaped.getDimSize(0)
             : intrinsic.getShape()[0];
}

/// The elements from one row of a view to the next.
static FailureOr<int64_t> rowDistance(Operation *op, Value view) {
  int64_t distance = stridesOf(view).front();
  if (ShapedType::isDynamic(distance))
    return op->emitError("accesses a view of a program whose rows are not a constant apart");
  return distance;
}

LogicalResult ProgramReader::readLoad(LoadOp op) {
  IntrinsicOp intrinsic = findIntrinsic(op, op.getIntrinsic());
  if (!intrinsic)
    return failure();
  bool isAcc = op.getRole() == Role::acc, isLhs = op.getRole() == Role::lhs;
  std::optional<BufferRole> role = buffers.roleOf(op.getView());
  if (isAcc && (launch || role != BufferRole::Accumulators))
    return success(); // first values are no part of a program
  FailureOr<Position> at = positionIn(op, op.getView(), {});
  FailureOr<int64_t> distance = rowDistance(op, op.getView());
  if (failed(at) || failed(distance))
    return failure();
  if (launch)
    notes.enterWarps(threads / subgroupSize);
  int64_t rows = rowsOf(op.getFragment().getType(), intrinsic);
  int64_t n = intrinsic.getShape()[1], k = intrinsic.getShape()[2];
  int64_t stride = *distance, pack = intrinsic.getKInterleave();
  if (isAcc)
    notes.note(Statement::LoadAcc, rows,
               {{*role, false, rows * n, n, *at, 0, (rows - 1) * stride + n}});
  else if (!isLhs)
    notes.note(Statement::LoadRhs, 1,
               {{*role, false, n * k, n * pack, *at, 0, (k / pack - 1) * stride + n * pack}});
  else
    notes.note(op.getView().getType().getNumElements() < rows * k ? Statement::LoadLhsPartial
                                                                  : Statement::LoadLhs,
               1, {{*role, false, rows * k, k, *at, 0, (rows - 1) * stride + k}});
  return success();
}

/// Fragments of a device pass through shared memory on their way.
LogicalResult ProgramReader::readStore(StoreOp op) {
  IntrinsicOp intrinsic = findIntrinsic(op, op.getIntrinsic());
  if (!intrinsic)
    return failure();
  if (launch) {
    notes.enterWarps(threads / subgroupSize);
    ++fragments;
    fragmentColumns = intrinsic.getShape()[1];
    return success();
  }
  std::optional<BufferRole> role = buffers.roleOf(op.getView());
  if (!role)
    return success(); // registers on their way to vectors
  FailureOr<Position> at = positionIn(op, op.getView(), {});
  FailureOr<int64_t> distance = rowDistance(op, op.getView());
  if (failed(at) || failed(distance))
    return failure();
  int64_t rows = rowsOf(op.getFragment().getType(), intrinsic), n = intrinsic.getShape()[1];
  notes.note(Statement::Store, rows,
             {{*role, true, rows * n, n, *at, 0, (rows - 1) * *distance + n}});
  return success();
}

//===----------------------------------------------------------------------===//
// Copies, partial sums and results
//===----------------------------------------------------------------------===//

void ProgramReader::readElements(Value memref, ValueRange indices, int64_t elements) {
  if (pending.memref != memref)
    pending = {memref, {}, elements};
  pending.reads.push_back({llvm::to_vector<2>(indices), elements});
}

/// Each thread copies its share; alone, there is but one. Zeros at the edges of a grid depend on
/// the data.
LogicalResult ProgramReader::writePacked(Operation *op, BufferRole role, const Position &to,
                                         int64_t elements) {
  int64_t count = launch ? countActive(threads) : 1;
  Pending read = std::exchange(pending, {});
  NotedAccess written{role, true, count * elements, elements, to};
  auto kind = role == BufferRole::PackedLhs ? Statement::PackLhs : Statement::PackRhs;
  auto source = role == BufferRole::PackedLhs ? BufferRole::Lhs : BufferRole::Rhs;
  if (read.memref && failed(buffers.addSource(op, role, findBuffer(read.memref))))
    return failure();
  if (!read.memref || buffers.roleOf(read.memref) != source) {
    if (!launch)
      notes.note(kind, count, written);
    return success();
  }
  return notePack(op, kind, count, source, read, written);
}

/// Notes all reads since the last write as one access that begins with the first read.
LogicalResult ProgramReader::notePack(Operation *op, Statement::Kind kind, int64_t count,
                                      BufferRole source, const Pending &read,
                                      const NotedAccess &written) {
  std::optional<Position> first;
  int64_t elements = 0, span = 0;
  for (const Pending::Read &part : read.reads) {
    FailureOr<Position> at = positionIn(op, read.memref, part.indices);
    if (failed(at))
      return failure();
    if (!first)
      first = *at;
    elements += count * part.elements;
    span = std::max(span, at->first + part.elements - first->first);
  }
  bool divides =
      !launch && notes.getCurrent() && llvm::any_of(read.reads.front().indices, [&](Value index) {
        return values.divides(index, *notes.getCurrent());
      });
  NotedAccess accesses[] = {{source, false, elements, read.run, *first, 0, span, divides}, written};
  if (launch)
    notes.noteTurn(kind, count, accesses, isa<CopyOp>(op));
  else
    notes.note(kind, count, accesses);
  return success();
}

void ProgramReader::writeResult(BufferRole role, const Position &to, int64_t elements) {
  if (!launch)
    return notes.note(Statement::Store, 1, {{role, true, elements, elements, to}});
  if (role == BufferRole::Accumulators)
    return;
  notes.noteTurn(Statement::Store, fragments,
                 {{role, true, countActive(subgroupSize) * elements, fragmentColumns, to}},
                 /*isAsynchronous=*/false);
  fragments = 0;
}

LogicalResult ProgramReader::readCopy(CopyOp op) {
  std::optional<BufferRole> role = buffers.roleOf(op.getTarget());
  if (role != BufferRole::PackedLhs && role != BufferRole::PackedRhs)
    return success();
  int64_t elements = op.getElements();
  FailureOr<Position> to = positionIn(op, op.getTarget(), op.getTargetIndex());
  if (failed(to))
    return failure();
  readElements(op.getSource(), op.getSourceIndex(), elements);
  return writePacked(op, *role, *to, elements);
}

LogicalResult ProgramReader::readVector(Operation *op, Value memref, ValueRange indices,
                                        VectorType type, Value mask, bool isWrite) {
  std::optional<BufferRole> role = buffers.roleOf(memref);
  int64_t elements = type.getNumElements();
  bool isSum = role == BufferRole::Accumulators || role == BufferRole::Result;
  if (!isWrite && !isSum) {
    readElements(memref, indices, elements);
    return success();
  }
  if (!role || (!isWrite && (launch || role == BufferRole::Result)))
    return success(); // a consumer reads or writes it besides
  FailureOr<Position> at = positionIn(op, memref, indices);
  if (failed(at))
    return failure();
  if (!isSum)
    return writePacked(op, *role, *at, elements);
  if (auto valid = mask ? mask.getDefiningOp<vector::ConstantMaskOp>() : nullptr)
    elements = valid.getMaskDimSizes().front();
  if (isWrite)
    writeResult(*role, *at, elements);
  else
    notes.note(Statement::LoadAcc, 1, {{*role, false, elements, elements, *at}});
  return success();
}
