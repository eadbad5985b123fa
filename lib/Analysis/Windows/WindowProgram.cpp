//===- WindowProgram.cpp - The walk over windows as a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowProgram.h"
#include "../Program/Notes.h"
#include "ucmoh/Analysis/WindowWalk.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Notes what the walk does: see WindowWalk.h for what each member stands for.
class WindowProgramSink {
public:
  WindowProgramSink(const Workload &workload, const WindowNest &nest, const WindowBlock &block);

  using Body = llvm::function_ref<void()>;
  void loop(unsigned number, int64_t from, int64_t to, int64_t step, Body body);
  void reduce(unsigned number, const WindowSlide &slide, Body body);
  void setTap(unsigned number, int64_t value) { at[number].first = value; }
  void beginBlock(int64_t vectors, int64_t) {
    loaded.clear();
    channels = vectors * block.lanes;
  }
  void multiply(int64_t vector, int64_t column);
  void endBlock(int64_t vectors, int64_t columns);
  Program take() { return std::move(notes.program); }

private:
  /// An operand's index: how far it moves with each dim.
  struct Index {
    int64_t constant = 0;
    SmallVector<int64_t> strides;
  };
  Index indexOf(const Operand &operand) const;
  void noteOnce(Statement::Kind kind, BufferRole role, const Index &index, int64_t column);
  void note(Statement::Kind kind, BufferRole role, const Position &at, int64_t offset);
  Position position(const Index &index) const;

  const WindowNest &nest;
  const WindowBlock &block;
  Index image, weights, result;
  SmallVector<Position> at; ///< the dims' values
  int64_t channels = 0;     ///< channels of the block at hand, which are neighbours in memory
  /// Channels that are in registers, by buffer and first element: LLVM loads each vector once in
  /// straight-line code.
  llvm::DenseSet<std::pair<unsigned, int64_t>> loaded;
  ProgramNotes notes;
};
} // namespace

WindowProgramSink::WindowProgramSink(const Workload &workload, const WindowNest &nest,
                                     const WindowBlock &block)
    : nest(nest), block(block), image(indexOf(workload.lhs)), weights(indexOf(workload.rhs)),
      result(indexOf(workload.acc)), at(workload.dims.size()) {
  Program &program = notes.program;
  program.isLaneByLane = true;
  program[BufferRole::Lhs] = {workload.lhs.elements(), workload.lhs.type.bits};
  program[BufferRole::Rhs] = {workload.rhs.elements(), workload.rhs.type.bits};
  program[BufferRole::Result] = {workload.acc.elements(), workload.acc.type.bits};
}

WindowProgramSink::Index WindowProgramSink::indexOf(const Operand &operand) const {
  AffineExpr expr = operand.linearIndex();
  SmallVector<int64_t> zeros(nest.extents.size(), 0);
  Index index;
  index.constant = *evaluate(expr, zeros, zeros.size());
  for (unsigned dim = 0; dim < zeros.size(); ++dim)
    index.strides.push_back(coefficient(expr, dim));
  return index;
}

Position WindowProgramSink::position(const Index &index) const {
  Position sum = Position::ofConstant(index.constant);
  for (auto [value, stride] : llvm::zip_equal(at, index.strides))
    sum = Position::combine(sum, value,
                            [stride = stride](int64_t x, int64_t y) { return x + y * stride; });
  return sum;
}

void WindowProgramSink::loop(unsigned number, int64_t from, int64_t to, int64_t step, Body body) {
  Position before = at[number];
  at[number] = Position::ofConstant(from);
  if (to - from <= step) {
    body();
  } else {
    Loop loop{LoopKind::Serial, to - from, step, notes.getCurrent(), std::nullopt};
    notes.inLoop(loop, [&](unsigned id) {
      at[number] = Position::ofLoop(id, step);
      at[number].first = from;
      body();
    });
  }
  at[number] = before;
}

void WindowProgramSink::reduce(unsigned number, const WindowSlide &, Body body) {
  loop(number, 0, nest.extents[number], 1, [&] {
    loaded.clear();
    body();
  });
}

/// All vectors of a place: one after the other, of neighbouring channels.
void WindowProgramSink::note(Statement::Kind kind, BufferRole role, const Position &at,
                             int64_t offset) {
  notes.note(kind, channels / block.lanes,
             {{role, /*isWrite=*/kind == Statement::Store, channels, channels, at, offset}});
}

void WindowProgramSink::noteOnce(Statement::Kind kind, BufferRole role, const Index &index,
                                 int64_t column) {
  Position from = position(index);
  int64_t moved = index.strides[nest.columns] * column;
  if (loaded.insert({static_cast<unsigned>(role), from.first + moved}).second)
    note(kind, role, from, moved);
}

void WindowProgramSink::multiply(int64_t vector, int64_t column) {
  if (vector == 0) {
    noteOnce(Statement::LoadRhs, BufferRole::Rhs, weights, column);
    noteOnce(Statement::LoadLhs, BufferRole::Lhs, image, column);
  }
  notes.note(Statement::Compute, 1, {});
}

void WindowProgramSink::endBlock(int64_t, int64_t columns) {
  Position to = position(result);
  for (int64_t column = 0; column < columns; ++column)
    note(Statement::Store, BufferRole::Result, to, result.strides[nest.columns] * column);
}

Program ucmoh::buildWindowProgram(const Workload &workload, const Candidate &candidate) {
  WindowNest nest = WindowNest::get(workload);
  WindowBlock block = WindowBlock::get(candidate);
  WindowProgramSink sink(workload, nest, block);
  WindowWalk<WindowProgramSink>(nest, block, sink).run();
  return sink.take();
}
