//===- NarrowParts.h - What all tiles of a kernel with narrow weights share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_NARROWPARTS_H
#define UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_NARROWPARTS_H

#include "NarrowEmitter.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ucmoh {

/// Addresses in packed weights, vectors, and integers that are unpacked in registers.
class NarrowParts {
public:
  using Index = mlir::OpFoldResult;
  using Values = llvm::SmallVector<mlir::Value>;

  NarrowParts(mlir::OpBuilder &builder, mlir::Location loc, const NarrowPlan &plan,
              const NarrowArguments &arguments)
      : plan(plan), intrinsic(*plan.intrinsic), arguments(arguments), b(builder, loc, 0),
        builder(builder), loc(loc) {}

  /// Rows of a register tile.
  struct Rows {
    Index first;
    int64_t count;
  };

  const NarrowPlan &plan;
  const Intrinsic &intrinsic;
  const NarrowArguments &arguments;
  LoopBuilder b;
  mlir::OpBuilder &builder;
  mlir::Location loc;

  // Positions.
  Index constant(int64_t value) { return builder.getIndexAttr(value); }
  /// Vectors of columns in a panel.
  int64_t fragments() const { return plan.panel / intrinsic.n; }
  /// The address of packed integers; `step` is a multiple of the steps in one row of bytes.
  Index weightsAt(Index panel, Index step, int64_t fragment);
  Index scalesAt(Index panel, Index group) {
    return b.mul(b.add(b.mul(panel, plan.groups()), group), plan.panel);
  }
  Index rowAt(const Rows &rows, int64_t row, int64_t stride) {
    return b.add(b.mul(rows.first, stride), constant(row * stride));
  }
  Index groupAt(const Rows &rows, int64_t row, Index group) {
    return b.add(rowAt(rows, row, plan.groups()), group);
  }
  /// The address of unpacked weights in a block.
  Index blockAt(Index step, int64_t fragment) {
    return b.add(b.mul(step, plan.panel), constant(fragment * intrinsic.n * intrinsic.kInterleave));
  }
  /// The first column of a panel's fragment.
  Index columnAt(Index panel, int64_t fragment) {
    return b.add(b.mul(panel, plan.panel), constant(fragment * intrinsic.n));
  }

  // Vectors.
  mlir::VectorType floats(int64_t lanes) {
    return mlir::VectorType::get({lanes}, builder.getF32Type());
  }
  mlir::Value splat(mlir::VectorType type, double value);
  mlir::Value splatInteger(mlir::VectorType type, int64_t value);
  mlir::Value load(mlir::Value buffer, Index at, int64_t lanes);
  /// Has the line of the cache come that the element is in.
  void fetch(mlir::Value buffer, Index at);
  /// One element in all lanes of an accumulator.
  mlir::Value broadcast(mlir::Value buffer, Index at);
  /// Signed integers as floats; floats as they are.
  mlir::Value toFloats(mlir::Value values);
  /// A loop that carries values; none where it would run once.
  Values reduce(Index extent, int64_t step, Values first,
                llvm::function_ref<Values(Index, Values)> body);
  /// The values of one of two branches: whether `a` equals `b` decides.
  Values ifEqual(Index a, Index b, llvm::function_ref<Values()> then,
                 llvm::function_ref<Values()> otherwise);

  // Unpacking.
  /// Packed integers of one of the rows that share bytes.
  mlir::Value unpackBytes(mlir::Value bytes, int64_t half);
  /// Packed integers as the intrinsic's type.
  mlir::Value convert(mlir::Value integers);
  /// The integers that the weights have, as floats: with what was subtracted before packing.
  mlir::Value exactFloats(mlir::Value integers);
  /// Scales or offsets of a fragment's columns, each as often as steps lie side by side.
  mlir::Value loadForSteps(mlir::Value scales, Index panel, Index group, int64_t fragment);

  // Results.
  /// What the sums of a row begin with.
  mlir::Value firstValue(Index rowAt, Index panel, int64_t fragment, int64_t columns);
  /// Stores what of the panel's columns exists.
  void storeRow(Index rowAt, Index panel, int64_t columns, llvm::ArrayRef<mlir::Value> values);

private:
  mlir::Value extended(mlir::Value integers, unsigned bits);
  mlir::Value firstLanes(int64_t count);
};

/// The base of classes that emit a piece of the kernel. Members of the parts have their names in
/// it.
struct NarrowPiece {
  using Index = NarrowParts::Index;
  using Values = NarrowParts::Values;
  using Rows = NarrowParts::Rows;

  explicit NarrowPiece(NarrowParts &parts)
      : parts(parts), plan(parts.plan), intrinsic(parts.intrinsic), arguments(parts.arguments),
        b(parts.b), builder(parts.builder), loc(parts.loc) {}

  NarrowParts &parts;
  const NarrowPlan &plan;
  const Intrinsic &intrinsic;
  const NarrowArguments &arguments;
  LoopBuilder &b;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_NARROWPARTS_H
