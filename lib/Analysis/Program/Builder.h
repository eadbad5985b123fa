//===- Builder.h - The program that a candidate makes of a workload
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_BUILDER_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_BUILDER_H

#include "LinearForm.h"
#include "ucmoh/Analysis/PackedLayout.h"
#include "ucmoh/Analysis/RowTiles.h"
#include "ucmoh/Analysis/ScratchLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ucmoh {

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

/// Goes through the loops that a candidate asks for, as the emission does, and notes them.
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
  void blockLoops(llvm::StringRef order);
  void reductionBlocks();
  void reductionBlock(const ReductionBlock &block);
  void tileLoops(llvm::StringRef order, int64_t rows, int64_t columns, const ReductionBlock &block);

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

  // A grid of blocks of threads.
  Program grid();
  /// What moves with a loop of the grid; what runs once does not.
  LinearForm moving(unsigned loop, int64_t by) const {
    return LinearForm::ofLoop(loop, program.loops[loop].trips() > 1 ? by : 0);
  }
  void gridAxes(unsigned variable);
  void gridBlock();
  void gridStage();
  void warps(llvm::function_ref<void()> body);

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
  LinearForm positionIn(llvm::ArrayRef<int64_t> coefficients) const;
  llvm::SmallVector<int64_t> coefficientsOf(const Operand &operand) const;
  Span &spanOf(char letter) { return letter == 'm' ? m : n; }
  int64_t extentOf(char letter) const { return letter == 'm' ? nest.m.extent : nest.n.extent; }
  bool isSplit() const { return candidate.cacheK < nest.k.extent; }

  const Workload &workload;
  const Candidate &candidate;
  const Intrinsic &intrinsic;
  Nest nest;
  PackedLayout layout;
  RowTiles rowTiles;
  std::optional<ParallelLoop> parallel;
  unsigned mAt, nAt;                                 ///< positions in nest.variables()
  llvm::SmallVector<int64_t> lhsBy, rhsBy, resultBy; ///< coefficients of the variables
  llvm::SmallVector<LinearForm> values;              ///< of the variables
  Span m, n;                                         ///< the current cache block
  Program program;
  std::optional<unsigned> current; ///< innermost open loop
  size_t straightLine = 0;         ///< where the code began in which like statements join
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_BUILDER_H
