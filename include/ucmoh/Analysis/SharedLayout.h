//===- SharedLayout.h - What a block of threads keeps in shared memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_SHAREDLAYOUT_H
#define UCMOH_ANALYSIS_SHAREDLAYOUT_H

#include "ucmoh/Analysis/Candidates.h"

namespace ucmoh {

/// The shared memory of one block of threads under a candidate whose intrinsic is staged, and how
/// the block divides its work. Extents in elements where no unit is named.
///
/// lhs: per slot, cacheM rows of cacheK. rhs: per slot, a panel for each tileN columns; inside,
/// cacheK / kInterleave rows of tileN * kInterleave. Rows are padded against bank conflicts. Behind
/// the slots of both, the epilogue staging: m rows of tileN results for each warp, padded too;
/// last, where copies are counted by barriers, one for each slot.
class SharedLayout {
public:
  SharedLayout(const Workload &workload, const Candidate &candidate)
      : workload(workload), candidate(candidate), intrinsic(*candidate.intrinsic) {}

  /// Warps of a block, and their threads.
  int64_t warpsAlongM() const { return candidate.cacheM / candidate.tileM; }
  int64_t warpsAlongN() const { return candidate.cacheN / candidate.tileN; }
  int64_t warps() const { return warpsAlongM() * warpsAlongN(); }
  int64_t threads() const { return warps() * intrinsic.subgroupSize; }

  /// Elements of rows, panels and slots, padding included.
  int64_t lhsRow() const { return paddedOperand(candidate.cacheK, intrinsic.lhs.bits); }
  int64_t lhsSlot() const { return candidate.cacheM * lhsRow(); }
  int64_t rhsRow() const {
    return paddedOperand(candidate.tileN * intrinsic.kInterleave, intrinsic.rhs.bits);
  }
  int64_t rhsRowsPerPanel() const { return candidate.cacheK / intrinsic.kInterleave; }
  int64_t rhsPanel() const { return rhsRowsPerPanel() * rhsRow(); }
  int64_t rhsSlot() const { return warpsAlongN() * rhsPanel(); }
  int64_t epilogueStagingRow() const;
  int64_t epilogueStagingPerWarp() const { return intrinsic.m * epilogueStagingRow(); }

  /// Where the parts behind the slots of lhs begin.
  int64_t rhsOffsetBytes() const;
  int64_t epilogueStagingOffsetBytes() const;
  int64_t barriersOffsetBytes() const;
  /// Bytes of one slot's barrier; 0 where no copy is counted by barriers.
  int64_t barrierBytes() const;
  int64_t bytes() const; ///< all together

  /// How many elements are copied at once: neighbours in memory and in shared memory. Where the
  /// target has copies of any length they are a row of shared memory, or as much of it as is
  /// contiguous in memory; else a power of two, at most 16 bytes, aligned to their size.
  int64_t lhsChunk() const;
  int64_t rhsChunk() const;
  /// The target's asynchronous copy of one chunk of an operand; null where elements have to be
  /// converted on the way (`have` to `want`), or there is none of that size.
  AsyncCopyOp findAsyncCopy(ElementType have, ElementType want, int64_t chunk) const;

private:
  int64_t paddedOperand(int64_t elements, unsigned bits) const;
  AsyncCopyOp findBarrierCopy() const;
  int64_t lhsRun() const;
  int64_t rhsRun() const;
  int64_t unitOf(AsyncCopyOp engine, const ElementType &type) const;
  bool isWorthOneCopy(AsyncCopyOp engine, const ElementType &type, int64_t run) const;

  const Workload &workload;
  const Candidate &candidate;
  const Intrinsic &intrinsic;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_SHAREDLAYOUT_H
