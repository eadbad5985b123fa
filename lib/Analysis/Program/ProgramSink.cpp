//===- ProgramSink.cpp - The walk over a kernel's nest as a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramSink.h"
#include "../Windows/WindowProgram.h"

using namespace mlir;
using namespace ucmoh;

ProgramSink::ProgramSink(const KernelShape &shape) : shape(shape) {
  notes.program.threads = shape.candidate.threads;
  notes.program.pipelineDepth = shape.candidate.pipelineDepth;
  setOperandBuffers();
  notePreparation();
}

/// Operands that the kernel itself packs, block by block, have the type that they have in memory.
void ProgramSink::setOperandBuffers() {
  const Workload &workload = shape.workload;
  const Candidate &candidate = shape.candidate;
  const Intrinsic &intrinsic = shape.intrinsic;
  auto bits = [](Packing packing, const Operand &operand, const ElementType &wanted) {
    return isCopied(packing) ? operand.type.bits : wanted.bits;
  };
  bool isAhead = isPackedAhead(candidate.packRhs);
  Program &program = notes.program;
  program[BufferRole::Lhs] = {workload.lhs.elements(),
                              bits(candidate.packLhs, workload.lhs, intrinsic.lhs)};
  program[BufferRole::Rhs] = {isAhead ? shape.layout.rhsPrepackedElements()
                                      : workload.rhs.elements(),
                              bits(candidate.packRhs, workload.rhs, intrinsic.rhs)};
  program[BufferRole::Result] = {workload.acc.elements(), intrinsic.acc.bits};
}

/// Type conversion and sums of operands that are not constant.
void ProgramSink::notePreparation() {
  const Workload &workload = shape.workload;
  const Candidate &candidate = shape.candidate;
  auto add = [&](Statement::Kind kind, BufferRole role, int64_t elements, bool writes) {
    Statement statement{
        kind, std::nullopt, 1, {{role, false, elements, elements, elements, false, {}}}};
    if (writes)
      statement.accesses.push_back({role, true, elements, elements, elements, false, {}});
    notes.program.preparation.push_back(statement);
  };
  auto prepare = [&](const Operand &operand, const Operand &other, ElementType wanted,
                     Packing packing, BufferRole role, BufferRole otherRole) {
    if (operand.type != wanted && !operand.isConstant && packing != Packing::Block)
      add(Statement::Convert, role, operand.elements(), /*writes=*/true);
    if (isShifted(operand, wanted) && !other.isConstant)
      add(Statement::Sum, otherRole, other.elements(), /*writes=*/false);
  };
  prepare(workload.lhs, workload.rhs, shape.intrinsic.lhs, candidate.packLhs, BufferRole::Lhs,
          BufferRole::Rhs);
  prepare(workload.rhs, workload.lhs, shape.intrinsic.rhs, candidate.packRhs, BufferRole::Rhs,
          BufferRole::Lhs);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

const ProgramSink::OperandIndex &ProgramSink::indexOf(const Operand &operand) {
  const Workload &workload = shape.workload;
  OperandIndex &index = indices[&operand == &workload.lhs ? 0 : &operand == &workload.rhs ? 1 : 2];
  if (index.expr)
    return index;
  index.expr = shape.nest.linearIndex(operand);
  index.isLinear = isLinear(index.expr);
  SmallVector<int64_t> zeros(shape.variableCount(), 0);
  index.constant = *evaluate(index.expr, zeros, zeros.size());
  for (unsigned i = 0; i < shape.variableCount(); ++i)
    index.coefficients.push_back(coefficient(index.expr, i));
  return index;
}

/// At which points a number changes that the expression divides.
void ProgramSink::findDivisions(AffineExpr expr, ArrayRef<Position> values, size_t points) {
  expr.walk([&](AffineExpr part) {
    if (part.getKind() != AffineExprKind::Mod && part.getKind() != AffineExprKind::FloorDiv)
      return;
    for (auto [dim, value] : llvm::enumerate(values))
      if (part.isFunctionOfDim(dim))
        for (size_t point = 0; point < points; ++point)
          if (value.step(point) != 0)
            dividedPoints.push_back(point);
  });
}

Position ProgramSink::position(const Operand &operand, ArrayRef<Position> values) {
  const OperandIndex &index = indexOf(operand);
  dividedPoints.clear();
  if (index.isLinear) {
    Position at = constant(index.constant);
    for (auto [value, factor] : llvm::zip_equal(values, index.coefficients))
      if (factor && (value.first || !value.steps.empty()))
        at = advance(at, value, factor);
    return at;
  }
  size_t points = 0;
  for (const Position &value : values)
    points = std::max(points, value.steps.size());
  SmallVector<int64_t> numbers = llvm::map_to_vector(values, [](auto &v) { return v.first; });
  Position at = constant(*evaluate(index.expr, numbers, numbers.size()));
  at.steps.resize(points);
  findDivisions(index.expr, values, points);
  for (size_t point = 0; point < points; ++point) {
    for (auto [number, value] : llvm::zip_equal(numbers, values))
      number = value.first + value.step(point);
    at.steps[point] = *evaluate(index.expr, numbers, numbers.size()) - at.first;
  }
  return at;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void ProgramSink::loop(int64_t from, int64_t to, int64_t step, Body body) {
  if (to <= from)
    return;
  if (to - from <= step)
    return body(constant(from));
  notes.inLoop({LoopKind::Serial, to - from, step, notes.getCurrent(), std::nullopt},
               [&](unsigned id) { body(offset(Position::ofLoop(id, step), from)); });
}

void ProgramSink::loopOver(const Part &part, int64_t end, int64_t step, Body body) {
  if (!part.within)
    return loop(0, end, step, body);
  notes.inLoop({LoopKind::Serial, end, step, notes.getCurrent(), part.within},
               [&](unsigned id) { body(add(part.from, Position::ofLoop(id, step))); });
}

void ProgramSink::ifReached(const Part &part, int64_t, llvm::function_ref<void()> body) {
  if (!part.within)
    return body();
  notes.inLoop({LoopKind::Guard, 1, 1, notes.getCurrent(), part.within}, [&](unsigned) { body(); });
}

void ProgramSink::parallelLoop(int64_t extent, int64_t step, Body body) {
  notes.inLoop({LoopKind::Parallel, extent, step, std::nullopt, std::nullopt},
               [&](unsigned id) { body(Position::ofLoop(id, step)); });
}

void ProgramSink::reduce(int64_t extent, int64_t step, Body body) {
  notes.inLoop({LoopKind::Serial, extent, step, notes.getCurrent(), std::nullopt},
               [&](unsigned id) { body(Position::ofLoop(id, step)); });
}

void ProgramSink::launch(
    int64_t gridX, int64_t gridY, int64_t gridZ,
    llvm::function_ref<void(const Position &, const Position &, const Position &, const Position &)>
        body) {
  SmallVector<Position> ids;
  for (int64_t extent : {gridX, gridY, gridZ})
    ids.push_back(Position::ofLoop(
        notes.open({LoopKind::Block, extent, 1, notes.getCurrent(), std::nullopt}), 1));
  body(ids[0], ids[1], ids[2], Position::ofWarp());
  notes.close(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void ProgramSink::allocate(BufferRole role, int64_t elements) {
  const Intrinsic &intrinsic = shape.intrinsic;
  const ElementType &type = role == BufferRole::PackedLhs   ? intrinsic.lhs
                            : role == BufferRole::PackedRhs ? intrinsic.rhs
                                                            : intrinsic.acc;
  notes.program[role] = {elements, type.bits};
}

static Statement::Kind packOf(BufferRole role) {
  return role == BufferRole::PackedLhs ? Statement::PackLhs : Statement::PackRhs;
}

static BufferRole sourceOf(BufferRole role) {
  return role == BufferRole::PackedLhs ? BufferRole::Lhs : BufferRole::Rhs;
}

/// Whether the last position that was asked for takes a division by the innermost loop.
bool ProgramSink::divides() const {
  std::optional<unsigned> loop = notes.getCurrent();
  return loop && llvm::is_contained(dividedPoints, *loop + 1);
}

void ProgramSink::copy(BufferRole role, const Position &from, const Position &to, int64_t count) {
  bool isWindow = role == BufferRole::PackedLhs && divides(); // panels of rhs are none
  notes.note(packOf(role), 1,
             {{sourceOf(role), false, count, count, from, 0, count, isWindow},
              {role, true, count, count, to}});
}

void ProgramSink::clear(BufferRole role, const Position &to, int64_t count) {
  notes.note(packOf(role), 1, {{role, true, count, count, to}});
}

/// From the first row to the last one.
static int64_t spanOf(ArrayRef<Position> rows) {
  auto [least, most] = std::minmax_element(rows.begin(), rows.end(),
                                           [](auto &a, auto &b) { return a.first < b.first; });
  return most->first - least->first;
}

void ProgramSink::interleave(ArrayRef<Position> rows, int64_t, const Position &to) {
  int64_t width = shape.intrinsic.n, written = width * shape.intrinsic.kInterleave;
  NotedAccess store{BufferRole::PackedRhs, true, written, written, to};
  if (rows.empty())
    return notes.note(Statement::PackRhs, 1, store);
  int64_t read = width * rows.size();
  notes.note(
      Statement::PackRhs, 1,
      {{BufferRole::Rhs, false, read, width, rows.front(), 0, spanOf(rows) + width, divides()},
       store});
}

void ProgramSink::transpose(ArrayRef<Position> columns, const Position &to, int64_t step) {
  int64_t width = shape.intrinsic.n, group = width * shape.intrinsic.kInterleave;
  NotedAccess read{BufferRole::Rhs, false, width * group,           group,
                   columns.front(), 0,     spanOf(columns) + group, divides()};
  notes.note(Statement::PackRhs, 1, {read, {BufferRole::PackedRhs, true, group, group, to}});
  for (int64_t i = 1; i < width; ++i)
    notes.note(Statement::PackRhs, 1,
               {{BufferRole::PackedRhs, true, group, group, offset(to, i * step)}});
}

//===----------------------------------------------------------------------===//
// Register tiles
//===----------------------------------------------------------------------===//

void ProgramSink::tile(const Tile &what) {
  current = &what.shape;
  loadsSums = !what.isFirst;
  storesSums = !what.isLast;
  if (loadsSums || storesSums)
    sumsAt = advance(what.columnInBlock, what.rowInBlock, shape.layout.accumulatorRowElements());
  if (!storesSums) {
    resultAt = position(shape.workload.acc, what.values);
    resultRow = indexOf(shape.workload.acc).coefficients[shape.mAt()];
  }
  tileLhs = lhsFrom = what.lhs;
  tileRhs = rhsFrom = what.rhs;
  TileWalk<ProgramSink>(what.shape, *this).run();
}

int64_t ProgramSink::validRows(int64_t i) const {
  return std::min(current->m, current->rows - i * current->m);
}

/// Rows behind the tile's end repeat its last one.
void ProgramSink::firstValues(int64_t i) {
  if (!loadsSums)
    return;
  int64_t row = shape.layout.accumulatorRowElements(), columns = current->columns;
  notes.note(Statement::LoadAcc, current->m * current->columnFragments(),
             {{BufferRole::Accumulators, false, current->m * columns, std::min(columns, current->n),
               sumsAt, i * current->m * row, (validRows(i) - 1) * row + columns}});
}

void ProgramSink::lastValues(int64_t i) {
  int64_t columns = current->columns, fragments = current->columnFragments();
  if (isStaged()) {
    enterWarps();
    return notes.noteTurn(Statement::Store, fragments,
                          {{BufferRole::Result, true, current->m * columns, current->n, resultAt}},
                          /*isAsynchronous=*/false);
  }
  BufferRole role = storesSums ? BufferRole::Accumulators : BufferRole::Result;
  int64_t row = storesSums ? shape.layout.accumulatorRowElements() : resultRow;
  int64_t rows = validRows(i);
  notes.note(Statement::Store, rows * fragments,
             {{role, true, rows * columns, std::min(columns, current->n),
               storesSums ? sumsAt : resultAt, i * current->m * row, (rows - 1) * row + columns}});
}

void ProgramSink::step(ArrayRef<Position> at) {
  lhsAt = lhsFrom;
  rhsAt = rhsFrom;
  for (auto [level, value] : llvm::enumerate(at)) {
    lhsAt = advance(lhsAt, value, current->lhsStrides[level + 1]);
    rhsAt = advance(rhsAt, value, current->rhsStrides[level + 1]);
  }
}

void ProgramSink::loadRhs(int64_t j) {
  enterWarps();
  bool isPacked = isCopied(shape.candidate.packRhs) || isStaged();
  int64_t pack = shape.intrinsic.kInterleave, group = current->n * pack;
  int64_t span = (current->k / pack - 1) * current->rhsStrides.back() * pack + group;
  notes.note(Statement::LoadRhs, 1,
             {{isPacked ? BufferRole::PackedRhs : BufferRole::Rhs, false, current->n * current->k,
               group, rhsAt, j * current->n * current->rhsStrides.front(), span}});
}

void ProgramSink::loadLhs(int64_t i, int64_t validM, int64_t validK) {
  bool isWhole = validM == current->m && validK == current->k;
  bool isPacked = shape.candidate.packLhs == Packing::Block;
  int64_t k = current->k, row = current->lhsStrides.front();
  notes.note(isWhole ? Statement::LoadLhs : Statement::LoadLhsPartial, 1,
             {{isPacked ? BufferRole::PackedLhs : BufferRole::Lhs, false, current->m * k, k, lhsAt,
               i * current->m * row, (current->m - 1) * row + k}});
}

void ProgramSink::compute(int64_t, int64_t) { notes.note(Statement::Compute, 1, {}); }

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

void ProgramSink::warpTile(const Tile &what, const Position &rowFrom, const Position &columns,
                           const Position &before) {
  const SharedLayout &shared = shape.shared;
  Program &program = notes.program;
  allocate(BufferRole::PackedLhs, shape.candidate.pipelineDepth * shared.lhsSlot());
  allocate(BufferRole::PackedRhs, shape.candidate.pipelineDepth * shared.rhsSlot());
  program[BufferRole::Accumulators] = {shared.warps() * shared.epilogueStagingPerWarp(),
                                       shape.intrinsic.acc.bits};
  blockValues.assign(what.values.begin(), what.values.end());
  blockValues[shape.mAt()] = rowFrom;
  blockValues[shape.nAt()] = columnFrom = columns;
  panelsBefore = before;
  tile(what);
}

/// The block copies its part of one block of the reduction, chunk by chunk.
void ProgramSink::noteStage(BufferRole role, int64_t elements, int64_t chunk,
                            const Position &source, const Position &target, ElementType have,
                            ElementType want) {
  notes.noteTurn(
      packOf(role), elements / chunk,
      {{sourceOf(role), false, elements, chunk, source}, {role, true, elements, chunk, target}},
      /*isAsynchronous=*/bool(shape.shared.findAsyncCopy(have, want, chunk)));
}

void ProgramSink::copyStage(const Position &slot, const Position &from) {
  const SharedLayout &shared = shape.shared;
  const Candidate &candidate = shape.candidate;
  const Intrinsic &intrinsic = shape.intrinsic;
  blockValues[shape.kAt()] = from;
  noteStage(BufferRole::PackedLhs, candidate.cacheM * candidate.cacheK, shared.lhsChunk(),
            position(shape.workload.lhs, blockValues), mul(slot, shared.lhsSlot()),
            shape.workload.lhs.type, intrinsic.lhs);
  Position rhs = position(shape.workload.rhs, blockValues);
  bool isPrepacked = candidate.packRhs == Packing::Prepacked;
  if (isPrepacked) {
    Position panel = add(panelsBefore, divide(columnFrom, candidate.tileN));
    rhs = advance(mul(from, candidate.tileN), panel,
                  shape.layout.rhsPanelElements(shape.nest.k.extent));
  }
  noteStage(BufferRole::PackedRhs, candidate.cacheN * candidate.cacheK, shared.rhsChunk(), rhs,
            mul(slot, shared.rhsSlot()), isPrepacked ? intrinsic.rhs : shape.workload.rhs.type,
            intrinsic.rhs);
  blockValues[shape.kAt()] = constant(0);
}

/// The slot that was computed from before is filled anew, while blocks are left.
void ProgramSink::nextStage(const Position &block, int64_t trips) {
  const Pipeline &pipeline = *current->pipeline;
  int64_t ahead = pipeline.depth - 1;
  if (trips > ahead)
    notes.inLoop({LoopKind::Guard, trips - ahead, 1, notes.getCurrent(), notes.getCurrent()},
                 [&](unsigned) {
                   Position next = offset(block, ahead);
                   copyStage(remainder(next, pipeline.depth), mul(next, pipeline.extent));
                 });
  Position slot = remainder(block, pipeline.depth);
  lhsFrom = advance(tileLhs, slot, shape.shared.lhsSlot());
  rhsFrom = advance(tileRhs, slot, shape.shared.rhsSlot());
}

Program ucmoh::buildProgram(const Workload &workload, const Candidate &candidate) {
  if (workload.isDepthwise)
    return buildWindowProgram(workload, candidate);
  KernelShape shape(workload, candidate, mayRepeatRows(workload, *candidate.intrinsic));
  ProgramSink sink(shape);
  KernelWalk<ProgramSink>(shape, sink).run();
  return sink.take();
}
