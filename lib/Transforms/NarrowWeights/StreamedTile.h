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
class StreamedTile {
public:
  using Index = NarrowParts::Index;
  using Values = NarrowParts::Values;
  using Rows = NarrowParts::Rows;

  /// `block`: the panel's integers, if they were unpacked to a buffer; else null.
  StreamedTile(NarrowParts &parts, mlir::Value block)
      : parts(parts), plan(parts.plan), intrinsic(parts.intrinsic), arguments(parts.arguments),
        b(parts.b), builder(parts.builder), loc(parts.loc), block(block) {}

  /// The panel has `columns` of the result.
  void emit(const Rows &rows, Index panel, int64_t columns);

private:
  mlir::Type fragmentType(Role role) {
    IntrinsicOp op = intrinsic.op;
    return op.getFragmentType(role);
  }
  /// Steps that one row of vectors has.
  int64_t stepsAtOnce() const { return intrinsic.kInterleave * (block ? 1 : plan.perByte()); }
  Values firstValues(const Rows &rows, Index panel, int64_t columns);
  Values firstSums(const Rows &rows, Index group);
  Values groupSums(const Rows &rows, Index panel, Index group);
  Values steps(const Rows &rows, Index panel, Index group, Index at, Values sums);
  mlir::Value loadWeights(Index panel, Index step, int64_t fragment);
  mlir::Value loadLhs(mlir::Value lhs, Index at);
  Values joined(Values sums);
  Values scaled(const Rows &rows, Index panel, Index group, Values sums, Values total);

  NarrowParts &parts;
  const NarrowPlan &plan;
  const Intrinsic &intrinsic;
  const NarrowArguments &arguments;
  LoopBuilder &b;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value block;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_STREAMEDTILE_H
