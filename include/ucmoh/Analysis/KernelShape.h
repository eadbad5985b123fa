//===- KernelShape.h - What decides the nest of a kernel
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_KERNELSHAPE_H
#define UCMOH_ANALYSIS_KERNELSHAPE_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Analysis/Nest.h"
#include "ucmoh/Analysis/Program.h"
#include "ucmoh/Analysis/SharedLayout.h"
#include "ucmoh/Analysis/TileWalk.h"
#include "llvm/Support/MathExtras.h"

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

  /// Elements of one row of lhs, of one slab and of one panel of rhs.
  int64_t lhsRowElements(int64_t k) const;
  int64_t rhsSlabElements(int64_t k) const; ///< one combination of the outerK
  int64_t rhsPanelElements(int64_t k) const;
  /// From one value of an outerK to the next.
  int64_t rhsSlabStride(unsigned level, int64_t k) const;
  int64_t rhsPanels() const; ///< one batch and outerN has so many

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

/// Tiles of tileM rows, and one of `restRows` at the end. Where an intrinsic's fragments may have
/// fewer rows, copying what exists of one to a buffer is avoided in two ways: fragments have as
/// many rows as fill all tiles evenly (28 rows: two of 14), or the last tile begins earlier and
/// computes some rows a second time (35 rows: those from 0, 16 and 19 on).
struct RowTiles {
  int64_t fragmentRows; ///< the intrinsic's m, or fewer
  int64_t restRows;     ///< 0: whole tiles only; more than are left where the last tile overlaps

  /// `mayOverlap`: see `mayRepeatRows`.
  RowTiles(const Nest &nest, const Candidate &candidate, bool mayOverlap);
};

/// Whether a row of the result may be computed twice: what it starts from and what its consumer
/// reads is the same for all rows, so it cannot be what was written the first time.
bool mayRepeatRows(const Workload &workload, const Intrinsic &intrinsic);

/// Whether a kernel computes no rows but those that are wanted of a product of which some may be
/// padding. Its last tile begins earlier and computes some rows a second time, so that there are
/// wanted rows enough for one tile, sums do not rest in between, and lhs is read in place. Few rows
/// do not read all of rhs.
bool leavesRows(const Workload &workload, const Nest &nest, const Candidate &candidate);

/// How many rows the fragments of tiles with so many rows have: `m`, or fewer if those fill all of
/// the tiles. All the same: a register that has a shape has one in all of a function.
int64_t evenFragmentRows(llvm::ArrayRef<int64_t> tileRows, int64_t m);

/// How a prepacked rhs is fetched ahead: a part of it while tiles compute with the part before.
struct RhsPrefetch {
  bool byPanel;     ///< a part is one panel of the current block of the reduction
  int64_t panels;   ///< one part has so many
  int64_t readers;  ///< tiles of rows that share one panel of a part
  int64_t elements; ///< that a tile fetches for each element of the reduction
};

/// A workload and a legal candidate with all that follows from them: the loops, the layouts of
/// packed operands, the cut of the rows, the loop that threads share. Refers to both.
struct KernelShape {
  /// `rowsMayRepeat`: see `mayRepeatRows`. It is asked before operands are converted.
  KernelShape(const Workload &workload, const Candidate &candidate, bool rowsMayRepeat)
      : workload(workload), candidate(candidate), intrinsic(*candidate.intrinsic),
        nest(buildNest(workload, candidate.packLhs, candidate.packRhs)),
        layout(workload, nest, candidate), shared(workload, candidate),
        rowTiles(nest, candidate, rowsMayRepeat), parallel(findParallelLoop(nest, candidate)),
        prefetch(findPrefetch()) {}
  KernelShape(const KernelShape &) = delete;

  // Positions in nest.variables().
  /// Where the loops of each kind begin.
  unsigned outerMAt() const { return nest.batch.size(); }
  unsigned outerNAt() const { return outerMAt() + nest.outerM.size(); }
  unsigned mAt() const { return outerNAt() + nest.outerN.size(); }
  unsigned nAt() const { return mAt() + 1; }
  unsigned outerKAt(unsigned level) const { return nAt() + 1 + level; }
  unsigned kAt() const { return outerKAt(nest.outerK.size()); }
  unsigned variableCount() const { return kAt() + 1; }

  /// Whether a tile sees only a part of the reduction at a time.
  bool reductionIsSplit() const { return candidate.cacheK < nest.k.extent; }
  /// Whether rows that nobody wants are not computed.
  bool leavesRows() const { return ucmoh::leavesRows(workload, nest, candidate); }
  /// How many register tiles there are one below the other.
  int64_t tilesOfRows() const { return llvm::divideCeil(nest.m.extent, candidate.tileM); }
  /// The register tile of a CPU; `reductionExtent` is what the current block has of the reduction.
  TileShape tile(int64_t rows, int64_t columns, int64_t reductionExtent) const;
  /// The register tile of a warp.
  TileShape warpTile() const;

  const Workload &workload;             ///< the contraction that the kernel computes
  const Candidate &candidate;           ///< the way in which the kernel computes it
  const Intrinsic &intrinsic;           ///< the candidate's
  Nest nest;                            ///< its loops
  PackedLayout layout;                  ///< how packed operands lie
  SharedLayout shared;                  ///< how shared memory is divided
  RowTiles rowTiles;                    ///< how rows are cut into tiles
  std::optional<ParallelLoop> parallel; ///< the loop that threads share
  std::optional<RhsPrefetch> prefetch;  ///< for a prepacked rhs that several tiles read

private:
  int64_t streamsOf(const TileShape &tile) const;
  std::optional<RhsPrefetch> findPrefetch() const;
  void addStrides(const Operand &operand, unsigned tiled,
                  llvm::SmallVectorImpl<int64_t> &strides) const;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_KERNELSHAPE_H
