//===- PackedLayout.h - Where packed operands and partial sums lie
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_PACKEDLAYOUT_H
#define UCMOH_ANALYSIS_PACKEDLAYOUT_H

#include "ucmoh/Analysis/Program.h"

namespace ucmoh {

/// The packing buffers of one candidate. All extents in elements; `k` is the extent of a block of
/// the reduction. Refers to what it is made of.
///
/// lhs: rows of `lhsRowElements`, zero behind the end of the reduction; whole fragments, whose rows
/// behind the end are never written.
/// rhs: panels of tileN columns; inside, [outerK][k / kInterleave][tileN][kInterleave].
class PackedLayout {
public:
  PackedLayout(const Workload &workload, const Nest &nest, const Candidate &candidate)
      : workload(workload), nest(nest), candidate(candidate) {}

  /// Of one row of lhs, of one slab and of one panel of rhs.
  int64_t lhsRowElements(int64_t k) const;
  int64_t rhsSlabElements(int64_t k) const; ///< one combination of the outerK
  int64_t rhsPanelElements(int64_t k) const;
  /// From one value of an outerK to the next.
  int64_t rhsSlabStride(unsigned level, int64_t k) const;
  int64_t rhsPanels() const; ///< of one batch and outerN

  // Whole buffers.
  /// Elements of whole buffers.
  int64_t lhsBlockElements() const;
  int64_t rhsBlockElements() const;
  int64_t rhsPrepackedElements() const;
  int64_t accumulatorElements() const; ///< rows of `accumulatorRowElements`
  int64_t accumulatorRowElements() const;

  /// How many values of 'm' or 'n' one thread has.
  int64_t partExtent(char letter) const;

  // How operands lie in memory, which decides how they are copied.
  int64_t lhsRun(int64_t k) const;      ///< steps of the reduction that are neighbours
  bool rhsColumnsAreNeighbours() const; ///< in memory
  bool rhsStepsAreNeighbours() const;   ///< at least those of one group of kInterleave
  bool rhsBlocksAreNeighbours() const;  ///< as many of such groups as a fragment has columns

private:
  int64_t blockK() const;

  const Workload &workload;
  const Nest &nest;
  const Candidate &candidate;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_PACKEDLAYOUT_H
