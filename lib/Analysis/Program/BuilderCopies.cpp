//===- BuilderCopies.cpp - The statements that pack operands
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

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
