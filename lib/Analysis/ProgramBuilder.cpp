//===- ProgramBuilder.cpp - The program that a candidate makes of a workload
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinearForm.h"
#include "ucmoh/Analysis/PackedLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

namespace {

/// The values [begin, end) of a tile loop's variable, or, inside of the loop `within`, the part of
/// them that begins at `from` in each iteration.
struct Span {
  LinearForm from;
  int64_t end;
  std::optional<unsigned> within;
};

/// One block of the reduction; `from` counts for operands that are not packed block by block.
struct ReductionBlock {
  LinearForm from;
  int64_t extent;
  bool isFirst, isLast;
};

class ProgramBuilder {
public:
  ProgramBuilder(const Workload &workload, const Candidate &candidate);
  Program run();

private:
  using Body = llvm::function_ref<void(const LinearForm &)>;

  // Loops. What runs once is no loop.
  void inLoop(Loop loop, llvm::function_ref<void(unsigned)> body);
  void loop(const Span &span, int64_t step, Body body);
  void loopOver(int64_t extent, Body body) { loop({{}, extent, std::nullopt}, 1, body); }
  void ifReached(const Span &span, llvm::function_ref<void()> body);

  void outerLoops(unsigned level);
  void blockLoops(StringRef order);
  void reductionBlocks();
  void reductionBlock(const ReductionBlock &block);
  void tileLoops(StringRef order, int64_t rows, int64_t columns, const ReductionBlock &block);

  // One register tile.
  void tile(int64_t rows, int64_t columns, const ReductionBlock &block);
  void reduction(unsigned level, LinearForm lhsAt, LinearForm rhsAt, int64_t rows, int64_t columns,
                 int64_t extent);
  void steps(LinearForm lhsAt, LinearForm rhsAt, int64_t rows, int64_t columns, int64_t extent);
  void step(const LinearForm &lhsAt, const LinearForm &rhsAt, int64_t rows, int64_t columns,
            int64_t whole, bool hasRaggedStep);
  LinearForm accumulatorsAt() const;
  LinearForm panelsAt(LinearForm column, int64_t extent) const;
  LinearForm aheadAt() const;

  // Copies.
  void packLhs(int64_t extent);
  void packRhs(int64_t extent);
  void packRhsPanel(int64_t columns, int64_t extent, const LinearForm &base);
  void packRhsSlabs(unsigned level, int64_t columns, int64_t extent, LinearForm base);
  void interleave(int64_t columns, int64_t extent, const LinearForm &base);
  void copyColumns(int64_t columns, int64_t extent, const LinearForm &base);
  void copy(Statement::Kind kind, int64_t stores, int64_t read, int64_t written,
            const LinearForm &at);

  void add(Statement::Kind kind, int64_t count, BufferRole buffer, bool isWrite, int64_t elements,
           const LinearForm &at);
  /// Position of the current values of all variables in an operand that is read in place.
  LinearForm positionIn(ArrayRef<int64_t> coefficients) const;
  SmallVector<int64_t> coefficientsOf(const Operand &operand) const;
  Span &spanOf(char letter) { return letter == 'm' ? m : n; }
  int64_t extentOf(char letter) const { return letter == 'm' ? nest.m.extent : nest.n.extent; }
  bool isSplit() const { return candidate.cacheK < nest.k.extent; }

  const Workload &workload;
  const Candidate &candidate;
  const Intrinsic &intrinsic;
  Nest nest;
  PackedLayout layout;
  std::optional<ParallelLoop> parallel;
  unsigned mAt, nAt;                           ///< positions in nest.variables()
  SmallVector<int64_t> lhsBy, rhsBy, resultBy; ///< coefficients of the variables
  SmallVector<LinearForm> values;              ///< of the variables
  Span m, n;                                   ///< the current cache block
  Program program;
  std::optional<unsigned> current; ///< innermost open loop
  size_t straightLine = 0;         ///< where the code began in which like statements join
};

} // namespace

ProgramBuilder::ProgramBuilder(const Workload &workload, const Candidate &candidate)
    : workload(workload), candidate(candidate), intrinsic(*candidate.intrinsic),
      nest(buildNest(workload, candidate.packLhs, candidate.packRhs)),
      layout(workload, nest, candidate), parallel(findParallelLoop(nest, candidate)) {
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
    coefficients.push_back(coefficient(index, i, values.size()));
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

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

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
  loop({span.from, extentOf(letter) - rest, span.within}, size, [&](const LinearForm &at) {
    value = at;
    tileLoops(order.drop_front(), rows, columns, block);
  });
  if (rest)
    ifReached(span, [&] {
      size = rest;
      value = LinearForm();
      tileLoops(order.drop_front(), rows, columns, block);
    });
  value = LinearForm();
}

//===----------------------------------------------------------------------===//
// One register tile
//===----------------------------------------------------------------------===//

LinearForm ProgramBuilder::accumulatorsAt() const {
  return (values[mAt] - m.from) * layout.accumulatorRowElements() + (values[nAt] - n.from);
}

/// Where the panel of `column`, a multiple of tileN, begins.
LinearForm ProgramBuilder::panelsAt(LinearForm column, int64_t extent) const {
  int64_t panel = layout.rhsPanelElements(extent);
  for (int64_t &step : column.perIteration)
    step = step / candidate.tileN * panel;
  return column;
}

/// The current panel in a rhs that was packed as a whole.
LinearForm ProgramBuilder::aheadAt() const {
  LinearForm before;
  for (unsigned i = 0; i < mAt; ++i)
    if (i < nest.batch.size() || i >= mAt - nest.outerN.size()) // rhs has no rows
      before = before * nest.variables()[i]->extent + values[i];
  int64_t k = nest.k.extent;
  return before * (layout.rhsPanels() * layout.rhsPanelElements(k)) + panelsAt(values[nAt], k);
}

void ProgramBuilder::tile(int64_t rows, int64_t columns, const ReductionBlock &block) {
  straightLine = program.statements.size();
  int64_t columnFragments = llvm::divideCeil(columns, intrinsic.n);
  int64_t paddedRows = llvm::alignTo(rows, intrinsic.m);
  if (!block.isFirst)
    add(Statement::LoadAcc, paddedRows * columnFragments, BufferRole::Accumulators, false,
        paddedRows * columns, accumulatorsAt());
  LinearForm lhsAt, rhsAt;
  if (candidate.packLhs == Packing::None)
    lhsAt = positionIn(lhsBy) + block.from * lhsBy.back();
  else
    lhsAt = (values[mAt] - m.from) * layout.lhsRowElements(block.extent);
  if (candidate.packRhs == Packing::None)
    rhsAt = positionIn(rhsBy) + block.from * rhsBy.back();
  else if (candidate.packRhs == Packing::Block)
    rhsAt = panelsAt(values[nAt] - n.from, block.extent);
  else
    rhsAt = aheadAt() + block.from * candidate.tileN;
  reduction(0, lhsAt, rhsAt, rows, columns, block.extent);
  int64_t stores = rows * columnFragments;
  if (block.isLast)
    add(Statement::Store, stores, BufferRole::Result, true, rows * columns, positionIn(resultBy));
  else
    add(Statement::Store, stores, BufferRole::Accumulators, true, rows * columns, accumulatorsAt());
  straightLine = program.statements.size();
}

void ProgramBuilder::reduction(unsigned level, LinearForm lhsAt, LinearForm rhsAt, int64_t rows,
                               int64_t columns, int64_t extent) {
  if (level == nest.outerK.size())
    return steps(lhsAt, rhsAt, rows, columns, extent);
  unsigned variable = nAt + 1 + level;
  int64_t trips = nest.outerK[level].extent;
  int64_t rhsStep =
      candidate.packRhs == Packing::None ? rhsBy[variable] : layout.rhsSlabStride(level, extent);
  inLoop({LoopKind::Serial, trips, 1, current, std::nullopt}, [&](unsigned id) {
    reduction(level + 1, lhsAt + LinearForm::ofLoop(id, lhsBy[variable]),
              rhsAt + LinearForm::ofLoop(id, rhsStep), rows, columns, extent);
  });
}

/// The loop over whole steps of the intrinsic's k, then what is left of them.
void ProgramBuilder::steps(LinearForm lhsAt, LinearForm rhsAt, int64_t rows, int64_t columns,
                           int64_t extent) {
  bool isPadded = candidate.packLhs == Packing::Block;
  int64_t k = intrinsic.k, step_ = k * candidate.unroll;
  int64_t whole = isPadded ? llvm::alignTo(extent, k) : extent - extent % k;
  int64_t unrolled = whole - whole % step_;
  int64_t lhsStride = isPadded ? 1 : lhsBy.back();
  int64_t rhsStride = candidate.packRhs == Packing::None ? rhsBy.back() : candidate.tileN;
  if (unrolled > step_)
    inLoop({LoopKind::Serial, unrolled, step_, current, std::nullopt}, [&](unsigned id) {
      step(lhsAt + LinearForm::ofLoop(id, step_ * lhsStride),
           rhsAt + LinearForm::ofLoop(id, step_ * rhsStride), rows, columns, candidate.unroll,
           false);
    });
  else
    unrolled = 0;
  step(lhsAt, rhsAt, rows, columns, (whole - unrolled) / k, whole < extent);
}

/// `whole` steps and perhaps one behind them that reads what is left of the rows.
void ProgramBuilder::step(const LinearForm &lhsAt, const LinearForm &rhsAt, int64_t rows,
                          int64_t columns, int64_t whole, bool hasRaggedStep) {
  int64_t rowFragments = llvm::divideCeil(rows, intrinsic.m);
  int64_t columnFragments = llvm::divideCeil(columns, intrinsic.n);
  int64_t all = whole + hasRaggedStep;
  bool isPacked = candidate.packLhs == Packing::Block;
  int64_t partial = hasRaggedStep ? rowFragments : 0;
  if (rows % intrinsic.m)
    partial += whole;
  auto lhs = isPacked ? BufferRole::PackedLhs : BufferRole::Lhs;
  auto rhs = candidate.packRhs == Packing::Block ? BufferRole::PackedRhs : BufferRole::Rhs;
  int64_t lhsElements = intrinsic.m * intrinsic.k, rhsElements = intrinsic.n * intrinsic.k;
  add(Statement::LoadRhs, columnFragments * all, rhs, false, columnFragments * all * rhsElements,
      rhsAt);
  int64_t loads = rowFragments * all - partial;
  bool firstIsPartial = whole == 0 || rows < intrinsic.m;
  auto addLoads = [&](bool partially) {
    int64_t count = partially ? partial : loads;
    add(partially ? Statement::LoadLhsPartial : Statement::LoadLhs, count, lhs, false,
        count * lhsElements, lhsAt);
  };
  addLoads(firstIsPartial);
  if (all)
    addStatement(program, straightLine,
                 {Statement::Compute, current, rowFragments * columnFragments * all, {}});
  addLoads(!firstIsPartial);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void ProgramBuilder::copy(Statement::Kind kind, int64_t stores, int64_t read, int64_t written,
                          const LinearForm &at) {
  bool isLhs = kind == Statement::PackLhs;
  auto from = isLhs ? BufferRole::Lhs : BufferRole::Rhs;
  auto to = isLhs ? BufferRole::PackedLhs : BufferRole::PackedRhs;
  if (stores)
    addStatement(program, straightLine,
                 {kind,
                  current,
                  stores,
                  {{from, false, read, {}}, {to, true, written, stridesIn(program, current, at)}}});
}

void ProgramBuilder::packLhs(int64_t extent) {
  if (candidate.packLhs != Packing::Block)
    return;
  straightLine = program.statements.size();
  int64_t row = layout.lhsRowElements(extent), run = layout.lhsRun(extent);
  int64_t wide = 512 / intrinsic.lhs.bits, whole = run - run % wide;
  loop(m, 1, [&](const LinearForm &at) {
    LinearForm target = (at - m.from) * row;
    loop({{}, extent, std::nullopt}, run, [&](const LinearForm &k) {
      loop({{}, whole, std::nullopt}, wide, [&](const LinearForm &part) {
        copy(Statement::PackLhs, 1, wide, wide, target + k + part);
      });
      int64_t rest = run - whole;
      copy(Statement::PackLhs, llvm::popcount(uint64_t(rest)), rest, rest, target + k);
    });
    copy(Statement::PackLhs, row > extent, 0, row - extent, target);
  });
  straightLine = program.statements.size();
}

void ProgramBuilder::packRhs(int64_t extent) {
  if (candidate.packRhs != Packing::Block)
    return;
  straightLine = program.statements.size();
  int64_t rest = nest.n.extent % candidate.tileN;
  loop({n.from, nest.n.extent - rest, n.within}, candidate.tileN, [&](const LinearForm &at) {
    packRhsSlabs(0, candidate.tileN, extent, panelsAt(at - n.from, extent));
  });
  if (rest)
    ifReached(n, [&] { packRhsSlabs(0, rest, extent, panelsAt(LinearForm() - n.from, extent)); });
  straightLine = program.statements.size();
}

void ProgramBuilder::packRhsSlabs(unsigned level, int64_t columns, int64_t extent,
                                  LinearForm base) {
  if (level == nest.outerK.size())
    return layout.rhsColumnsAreNeighbours() ? interleave(columns, extent, base)
                                            : copyColumns(columns, extent, base);
  loopOver(nest.outerK[level].extent, [&](const LinearForm &at) {
    packRhsSlabs(level + 1, columns, extent, base + at * layout.rhsSlabStride(level, extent));
  });
}

/// Whole groups of reduction steps in a loop, then the last ones one by one.
void ProgramBuilder::interleave(int64_t columns, int64_t extent, const LinearForm &base) {
  int64_t pack = intrinsic.rhsPack, whole = extent - extent % pack, width = intrinsic.n;
  int64_t fragments = candidate.tileN / width, reads = llvm::divideCeil(columns, width) * width;
  auto group = [&](int64_t valid, const LinearForm &at) {
    copy(Statement::PackRhs, fragments, reads * valid, candidate.tileN * pack, at);
  };
  loop({{}, whole, std::nullopt}, pack,
       [&](const LinearForm &k) { group(pack, base + k * candidate.tileN); });
  for (int64_t k = whole; k < int64_t(llvm::alignTo(extent, intrinsic.k)); k += pack)
    group(std::max<int64_t>(extent - k, 0), base);
}

/// Zeros, over which the columns are then written.
void ProgramBuilder::copyColumns(int64_t columns, int64_t extent, const LinearForm &base) {
  int64_t pack = intrinsic.rhsPack, width = candidate.tileN * pack;
  int64_t groups = extent - extent % pack, whole = layout.rhsStepsAreNeighbours() ? groups : 0;
  loopOver(llvm::alignTo(extent, intrinsic.k) / pack,
           [&](const LinearForm &at) { copy(Statement::PackRhs, 1, 0, width, base + at * width); });
  loopOver(columns, [&](const LinearForm &column) {
    LinearForm to = base + column * pack;
    auto copyGroup = [&](int64_t stores) {
      return [this, stores, pack, to](const LinearForm &k) {
        copy(Statement::PackRhs, stores, pack, pack, to + k * candidate.tileN);
      };
    };
    loop({{}, whole, std::nullopt}, pack, copyGroup(1));
    loop({{}, groups - whole, std::nullopt}, pack, copyGroup(pack));
    copy(Statement::PackRhs, extent - groups, extent - groups, extent - groups, to);
  });
}

Program ucmoh::buildProgram(const Workload &workload, const Candidate &candidate) {
  return ProgramBuilder(workload, candidate).run();
}
