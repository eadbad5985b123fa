//===- Builder.cpp - The loops of a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

ProgramBuilder::ProgramBuilder(const Workload &workload, const Candidate &candidate)
    : workload(workload), candidate(candidate), intrinsic(*candidate.intrinsic),
      nest(buildNest(workload, candidate.packLhs, candidate.packRhs)),
      layout(workload, nest, candidate), rowTiles(nest, candidate),
      parallel(findParallelLoop(nest, candidate)) {
  mAt = nest.batch.size() + nest.outerM.size() + nest.outerN.size();
  nAt = mAt + 1;
  values.resize(nest.variables().size());
  if (candidate.packLhs == Packing::None)
    lhsBy = coefficientsOf(workload.lhs);
  if (candidate.packRhs == Packing::None)
    rhsBy = coefficientsOf(workload.rhs);
  resultBy = coefficientsOf(workload.acc);
  m.end = nest.m.extent;
  n.end = nest.n.extent;
}

SmallVector<int64_t> ProgramBuilder::coefficientsOf(const Operand &operand) const {
  AffineExpr index = nest.linearIndex(operand);
  SmallVector<int64_t> coefficients;
  for (unsigned i = 0; i < values.size(); ++i)
    coefficients.push_back(coefficient(index, i));
  return coefficients;
}

LinearForm ProgramBuilder::positionIn(ArrayRef<int64_t> coefficients) const {
  LinearForm form;
  for (auto [value, factor] : llvm::zip_equal(values, coefficients))
    form += value * factor;
  return form;
}

void ProgramBuilder::add(Statement::Kind kind, int64_t count, BufferRole buffer, bool isWrite,
                         int64_t elements, const LinearForm &at) {
  if (count)
    addStatement(
        program, straightLine,
        {kind, current, count, {{buffer, isWrite, elements, stridesIn(program, current, at)}}});
}

void ProgramBuilder::inLoop(Loop loop, llvm::function_ref<void(unsigned)> body) {
  unsigned id = program.loops.size();
  program.loops.push_back(loop);
  current = id;
  body(id);
  current = loop.parent;
}

void ProgramBuilder::loop(const Span &span, int64_t step, Body body) {
  if (!span.within) {
    if (span.end <= 0)
      return;
    if (span.end <= step)
      return body(LinearForm());
  }
  inLoop({LoopKind::Serial, span.end, step, current, span.within},
         [&](unsigned id) { body(span.from + LinearForm::ofLoop(id, step)); });
}

/// What is done where the span reaches the end of its variable.
void ProgramBuilder::ifReached(const Span &span, llvm::function_ref<void()> body) {
  if (!span.within)
    return body();
  inLoop({LoopKind::Guard, 1, 1, current, span.within}, [&](unsigned) { body(); });
}

Program ProgramBuilder::run() {
  if (intrinsic.isStaged)
    return grid();
  auto set = [&](BufferRole role, int64_t elements, unsigned bits) {
    program[role] = {elements, bits};
  };
  set(BufferRole::Lhs, workload.lhs.elements(),
      candidate.packLhs == Packing::Block ? workload.lhs.type.bits : intrinsic.lhs.bits);
  set(BufferRole::Rhs,
      candidate.packRhs == Packing::Ahead ? layout.rhsAheadElements() : workload.rhs.elements(),
      candidate.packRhs == Packing::Block ? workload.rhs.type.bits : intrinsic.rhs.bits);
  set(BufferRole::Result, workload.acc.elements(), intrinsic.acc.bits);
  if (candidate.packLhs == Packing::Block)
    set(BufferRole::PackedLhs, layout.lhsBlockElements(), intrinsic.lhs.bits);
  if (candidate.packRhs == Packing::Block)
    set(BufferRole::PackedRhs, layout.rhsBlockElements(), intrinsic.rhs.bits);
  if (isSplit())
    set(BufferRole::Accumulators, layout.accumulatorElements(), intrinsic.acc.bits);
  if (!parallel) {
    outerLoops(0);
    return std::move(program);
  }
  inLoop({LoopKind::Parallel, parallel->extent, parallel->step, std::nullopt, std::nullopt},
         [&](unsigned id) {
           LinearForm at = LinearForm::ofLoop(id, parallel->step);
           if (parallel->variable == mAt)
             m = {at, nest.m.extent, id};
           else if (parallel->variable == nAt)
             n = {at, nest.n.extent, id};
           else
             values[parallel->variable] = at;
           outerLoops(0);
         });
  return std::move(program);
}

void ProgramBuilder::outerLoops(unsigned level) {
  if (level == mAt)
    return blockLoops(StringRef(candidate.order).split('.').first);
  if (parallel && parallel->variable == level)
    return outerLoops(level + 1);
  loopOver(nest.variables()[level]->extent, [&](const LinearForm &at) {
    values[level] = at;
    outerLoops(level + 1);
  });
}

void ProgramBuilder::blockLoops(StringRef order) {
  if (order.empty() || order.front() == 'k')
    return reductionBlocks();
  char letter = order.front();
  Span &span = spanOf(letter), whole = span;
  int64_t extent = layout.partExtent(letter);
  int64_t step = letter == 'm' ? candidate.cacheM : candidate.cacheN;
  auto block = [&] {
    if (!isSplit() && letter == 'm')
      packLhs(nest.k.extent);
    if (!isSplit() && letter == 'n')
      packRhs(nest.k.extent);
    blockLoops(order.drop_front());
  };
  if (step >= extent)
    return block();
  loop(whole, step, [&](const LinearForm &at) {
    span = {at, whole.end, current};
    block();
  });
  span = whole;
}

void ProgramBuilder::reductionBlocks() {
  int64_t extent = nest.k.extent, step = candidate.cacheK;
  if (!isSplit())
    return reductionBlock({{}, extent, true, true});
  int64_t last = (llvm::divideCeil(extent, step) - 1) * step;
  reductionBlock({{}, step, true, false});
  loop({{}, last - step, std::nullopt}, step,
       [&](const LinearForm &at) { reductionBlock({at, step, false, false}); });
  reductionBlock({{}, extent - last, false, true});
}

void ProgramBuilder::reductionBlock(const ReductionBlock &block) {
  if (isSplit()) {
    packLhs(block.extent);
    packRhs(block.extent);
  }
  tileLoops(StringRef(candidate.order).split('.').second, candidate.tileM, candidate.tileN, block);
}

void ProgramBuilder::tileLoops(StringRef order, int64_t rows, int64_t columns,
                               const ReductionBlock &block) {
  if (order.empty())
    return tile(rows, columns, block);
  char letter = order.front();
  LinearForm &value = values[letter == 'm' ? mAt : nAt];
  int64_t &size = letter == 'm' ? rows : columns;
  const Span &span = spanOf(letter);
  int64_t rest = extentOf(letter) % size;
  int64_t restSize = letter == 'm' ? rowTiles.restRows : rest;
  loop({span.from, extentOf(letter) - rest, span.within}, size, [&](const LinearForm &at) {
    value = at;
    tileLoops(order.drop_front(), rows, columns, block);
  });
  if (rest)
    ifReached(span, [&] {
      size = restSize;
      value = LinearForm();
      tileLoops(order.drop_front(), rows, columns, block);
    });
  value = LinearForm();
}

Program ucmoh::buildProgram(const Workload &workload, const Candidate &candidate) {
  return ProgramBuilder(workload, candidate).run();
}
