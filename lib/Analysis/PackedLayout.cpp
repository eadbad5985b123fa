//===- PackedLayout.cpp - Where packed operands and partial sums lie
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/PackedLayout.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace ucmoh;

int64_t PackedLayout::lhsRowElements(int64_t k) const {
  return llvm::alignTo(k, candidate.intrinsic->k);
}

int64_t PackedLayout::rhsSlabElements(int64_t k) const {
  return llvm::alignTo(k, candidate.intrinsic->k) * candidate.tileN;
}

int64_t PackedLayout::rhsPanelElements(int64_t k) const {
  int64_t slabs = 1;
  for (const Nest::Group &group : nest.outerK)
    slabs *= group.extent;
  return slabs * rhsSlabElements(k);
}

int64_t PackedLayout::rhsSlabStride(unsigned level, int64_t k) const {
  int64_t stride = rhsSlabElements(k);
  for (const Nest::Group &group : llvm::drop_begin(nest.outerK, level + 1))
    stride *= group.extent;
  return stride;
}

int64_t PackedLayout::rhsPanels() const { return llvm::divideCeil(nest.n.extent, candidate.tileN); }

int64_t PackedLayout::partExtent(char letter) const {
  unsigned mAt = nest.batch.size() + nest.outerM.size() + nest.outerN.size();
  std::optional<ParallelLoop> parallel = findParallelLoop(nest, candidate);
  if (parallel && parallel->variable == mAt + (letter == 'n'))
    return parallel->step;
  return letter == 'm' ? nest.m.extent : nest.n.extent;
}

int64_t PackedLayout::blockK() const { return std::min(candidate.cacheK, nest.k.extent); }

int64_t PackedLayout::lhsBlockElements() const {
  int64_t rows = std::min(candidate.cacheM, partExtent('m'));
  return llvm::alignTo(rows, candidate.intrinsic->m) * lhsRowElements(blockK());
}

int64_t PackedLayout::rhsBlockElements() const {
  return accumulatorRowElements() / candidate.tileN * rhsPanelElements(blockK());
}

int64_t PackedLayout::rhsPrepackedElements() const {
  int64_t panels = rhsPanels();
  for (const auto *list : {&nest.batch, &nest.outerN})
    for (const Nest::Group &group : *list)
      panels *= group.extent;
  return panels * rhsPanelElements(nest.k.extent);
}

int64_t PackedLayout::accumulatorRowElements() const {
  return llvm::alignTo(std::min(candidate.cacheN, partExtent('n')), candidate.tileN);
}

int64_t PackedLayout::accumulatorElements() const {
  return std::min(candidate.cacheM, partExtent('m')) * accumulatorRowElements();
}

/// How many values of a group's variable, from a multiple of that number on, are neighbours in
/// memory; 0 if not even two.
static int64_t runLength(const Workload &workload, const Nest::Group &group,
                         const Operand &operand) {
  AffineExpr index = operand.linearIndex();
  int64_t run = 0, expected = 1;
  for (unsigned dim : llvm::reverse(group.dims)) {
    if (coefficient(index, dim) != expected)
      break;
    expected *= workload.dims[dim].extent;
    run = expected;
  }
  return run;
}

int64_t PackedLayout::lhsRun(int64_t k) const {
  int64_t run = std::max<int64_t>(runLength(workload, nest.k, workload.lhs), 1);
  // A block of the reduction may begin and end inside a run.
  if (run < nest.k.extent && k < nest.k.extent)
    run = std::gcd(run, candidate.cacheK);
  return std::min(run, k);
}

bool PackedLayout::rhsColumnsAreNeighbours() const {
  return runLength(workload, nest.n, workload.rhs) == nest.n.extent;
}

bool PackedLayout::rhsStepsAreNeighbours() const {
  int64_t run = runLength(workload, nest.k, workload.rhs);
  return run == nest.k.extent || (run > 1 && run % candidate.intrinsic->kInterleave == 0);
}

bool PackedLayout::rhsBlocksAreNeighbours() const {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  int64_t run = runLength(workload, nest.k, workload.rhs),
          block = intrinsic.n * intrinsic.kInterleave;
  return !intrinsic.isStaged && llvm::isPowerOf2_64(intrinsic.n) && intrinsic.n > 1 &&
         (run == nest.k.extent || (run > 1 && run % block == 0));
}
