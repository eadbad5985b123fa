//===- NarrowWeights.h - Products with weights of few bits, and scales for groups of them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_NARROWWEIGHTS_H
#define UCMOH_ANALYSIS_NARROWWEIGHTS_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Analysis/Formula.h"

namespace ucmoh {

/// Numbers that integers stand for: each is `integer * scale + offset`. The latter two are the same
/// for `group` neighbouring steps of the reduction. Formulas are over the column (or row) of the
/// product and the step.
struct Dequantization {
  FormulaRef integer;      ///< the stored integer, which has at most 32 bits
  bool isUnsigned = false; ///< how the bits of the integer are read
  FormulaRef scale;        ///< null: 1
  FormulaRef offset;       ///< null: 0
  int64_t group = 0;       ///< steps; the whole reduction if nothing depends on the step
};

/// A product whose weights are dequantized group by group.
struct NarrowProduct {
  Workload workload;        ///< the product of the floats
  Nest nest;                ///< with the lhs in place and the rhs packed ahead
  Dequantization weights;   ///< how the rhs becomes floats
  ElementRange range{0, 0}; ///< the rhs' integers lie in it
  /// How the lhs becomes floats, where its rows are quantized on each call: integers of 8 bits,
  /// with scales of whole groups of the weights' and no offset, or with one scale and one offset
  /// for a row.
  std::optional<Dequantization> quantized;
  ElementRange quantizedRange{0, 0}; ///< the integers of `quantized` lie in it
  /// Rows of floats are split into so many integers of 8 bits, so that intrinsics of integers
  /// multiply them. 1: rows stay whole.
  int64_t pieces = 1;

  /// Bits of a packed weight: 4 where the integers minus the least one fit them, else 8.
  unsigned bits() const { return range.high - range.low < 16 ? 4 : 8; }
  int64_t rows() const { return nest.m.extent; }
  int64_t columns() const { return nest.n.extent; }
  int64_t steps() const { return nest.k.extent; }

  /// Whether all steps of a quantized row have one scale.
  bool hasRowScales() const;

  /// Whether rows of floats may be split: where the sums of a group fit.
  bool canSplitRows() const;
  /// Splits rows if an intrinsic that takes elements of the type needs it, or keeps quantized rows
  /// as floats.
  void multiplyAs(ElementType lhs);
  bool multipliesIntegers() const { return quantized || pieces > 1; }

  /// Returns the workload that intrinsics multiply: the floats, or the integers of both sides.
  Workload multiplied() const;
  /// Whether weights are unpacked in registers, by each register tile for itself: where there are
  /// few rows, or integers, which sums in a buffer of floats could not hold.
  bool streamsWeights() const;
  /// Whether the intrinsic is of a unit that multiplies matrices. Its sums are no vectors: those of
  /// a group are scaled as they are stored.
  static bool multipliesTiles(const Intrinsic &intrinsic);
  /// The rows of a register tile that does so; 0 if not even one fits. Each result has registers
  /// for the group's sums of each piece, and for that of the groups before.
  int64_t streamedRows(const Candidate &candidate) const;
  /// Whether so many register tiles read the same weights that they share what is unpacked.
  static bool hasManyTiles(int64_t rows, int64_t tileRows) {
    constexpr int64_t fewestTiles = 4;
    return rows > fewestTiles * tileRows;
  }
};

/// Whether a kernel for narrow weights can do what the candidate says: its intrinsic takes panels
/// of vectors, packed ahead, and rows as they are.
bool readsNarrowWeights(const Candidate &candidate, const NarrowProduct &product);

/// Cycles per row and weight in a register tile that streams weights: those of the intrinsic, of
/// its latency where there are few accumulators or of loads of the lhs, and those of unpacking and
/// of a group's scales.
double cyclesPerWeight(const Candidate &candidate, const NarrowProduct &product,
                       const Machine &machine);

/// Cycles per row and weight in which weights and scales arrive from memory. No kernel takes less.
double arrivingCyclesPerWeight(const NarrowProduct &product, const Machine &machine);

/// The product that the op computes, if its weights are such: `dequantize(w)` of constant integers
/// that fit 8 bits, however they lie in memory, with groups of a multiple of 16 steps. `workload`
/// is that of the op.
std::optional<NarrowProduct> findNarrowProduct(const Workload &workload);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_NARROWWEIGHTS_H
