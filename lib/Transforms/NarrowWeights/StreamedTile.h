//===- StreamedTile.h - A register tile that unpacks its weights
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_STREAMEDTILE_H
#define UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_STREAMEDTILE_H

#include "NarrowParts.h"

namespace ucmoh {

/// Rows times a panel, where each vector of weights is unpacked in registers. A group's products
/// are summed first, and the sum is scaled.
class StreamedTile : NarrowPiece {
public:
  /// Groups of the reduction that one emission computes.
  struct Part {
    Index from, count;
  };

  /// `block`: a buffer that has the part's integers, unpacked, or that this tile `fillsBlock` with
  /// them for others; null: each tile unpacks them. `totals`: rows x columns of a panel, which has
  /// the sums of the parts before; null where there is one part.
  StreamedTile(NarrowParts &parts, mlir::Value block, bool fillsBlock, mlir::Value totals)
      : NarrowPiece(parts), block(block), totals(totals), fillsBlock(fillsBlock) {}

  /// The panel has `columns` of the result.
  void emit(const Rows &rows, Index panel, int64_t columns, const Part &part);

private:
  mlir::Type fragmentType(Role role) {
    IntrinsicOp op = intrinsic.op;
    return op.getFragmentType(role);
  }
  bool readsBlock() const { return block && !fillsBlock; }
  /// Steps that one row of vectors has.
  int64_t stepsAtOnce() const {
    return intrinsic.kInterleave * (readsBlock() ? 1 : plan.perByte());
  }
  Values firstValues(const Rows &rows, Index panel, int64_t columns);
  Values firstSums(const Rows &rows, Index group);
  /// A group, and its number in the part.
  struct Group {
    Index number, inPart;
  };
  /// The step of the reduction, or of the part, that is `at` behind the beginning of a group.
  Index stepOf(Index number, Index at) { return b.add(b.mul(number, plan.group), at); }
  Values groupSums(const Rows &rows, Index panel, const Group &group);
  Values steps(const Rows &rows, Index panel, const Group &group, Index at, Values sums);
  mlir::Value loadWeights(Index panel, const Group &group, Index at, int64_t fragment);
  mlir::Value unpack(mlir::Value loaded, int64_t half, Index step, int64_t fragment);
  mlir::Value loadLhs(mlir::Value lhs, Index at);
  Values joined(Values sums);
  Values scaled(const Rows &rows, Index panel, Index group, Values sums, Values total);
  Values sumsBefore(const Rows &rows, Index panel, int64_t columns, const Part &part);
  Values finished(const Rows &rows, Index panel, int64_t columns, Values total);
  void storeTotals(const Rows &rows, Values total);
  void storeResults(const Rows &rows, Index panel, int64_t columns, Values total);
  Index totalAt(const Rows &rows, int64_t number);
  Index tileNumber(const Rows &rows);
  void fetchNext(const Rows &rows, Index panel, const Part &part);

  mlir::Value block, totals;
  bool fillsBlock;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_STREAMEDTILE_H
