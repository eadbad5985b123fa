//===- Packing.h - Copies of operands in the layout that micro-kernels read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_PACKING_H
#define UCMOH_LIB_TRANSFORMS_TILE_PACKING_H

#include "LoopBuilder.h"
#include "ucmoh/Analysis/PackedLayout.h"

namespace ucmoh {

/// A part of one tile loop: [from, from + extent), whose end may be a remainder. `from` may vary.
struct Range {
  mlir::OpFoldResult from;
  mlir::OpFoldResult to;
  int64_t maxExtent; ///< static bound of to - from
};

/// Copies rows `m` and reduction steps [kFrom, kFrom + kExtent) of lhs to `packed`, row by row.
/// `index` is the operand's position in `source` over the nest's variables.
void packLhs(LoopBuilder &b, const PackedLayout &layout, const Workload &workload, const Nest &nest,
             const Candidate &candidate, mlir::Value source, mlir::AffineExpr index,
             mlir::Value packed, Range m, mlir::OpFoldResult kFrom, int64_t kExtent);

/// Copies columns `n` and reduction steps [kFrom, kFrom + kExtent) (for each outerK) of rhs to
/// panels in `packed` from position `base` on. `n.from` is a multiple of tileN.
void packRhs(LoopBuilder &b, const PackedLayout &layout, const Workload &workload, const Nest &nest,
             const Candidate &candidate, mlir::Value source, mlir::AffineExpr index,
             mlir::Value packed, mlir::OpFoldResult base, Range n, mlir::OpFoldResult kFrom,
             int64_t kExtent);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_PACKING_H
