//===- Nest.h - How the dimensions of a workload become loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_NEST_H
#define UCMOH_ANALYSIS_NEST_H

#include "ucmoh/Analysis/Workload.h"

namespace ucmoh {

/// How an operand reaches the micro-kernels: read in place, copied to a packing
/// buffer cache tile by cache tile, or copied as a whole by an op of its own. `Widened` is both:
/// the copy of the whole has the type that the operand has, which is narrower than the intrinsic's,
/// and the buffer has the intrinsic's.
enum class Packing { None, Block, Prepacked, Widened };

/// Whether an op of its own copies the whole operand.
inline bool isPackedAhead(Packing packing) {
  return packing == Packing::Prepacked || packing == Packing::Widened;
}

/// Whether the kernel copies each cache tile to a buffer.
inline bool isCopied(Packing packing) {
  return packing == Packing::Block || packing == Packing::Widened;
}

/// How the dims of a workload become loops under a candidate. `m`, `n` and `k`
/// are the loops that register tiles run along: the innermost dims of a role,
/// collapsed as far as all operands that micro-kernels read in place (the
/// result always; lhs and rhs when not packed) allow: neighbours in the loop
/// nest that are neighbours in memory. The other dims are loops of their own,
/// outside of the tile (batch, outerM, outerN) or inside its reduction (outerK).
struct Nest {
  /// Dims that are one loop.
  struct Group {
    llvm::SmallVector<unsigned> dims; ///< the workload's, outermost first; may be empty
    int64_t extent = 1;               ///< product of the dims' extents
  };
  llvm::SmallVector<Group> batch, outerM, outerN, outerK; ///< outermost first
  Group m, n, k;                                          ///< the loops of the register tile
  llvm::SmallVector<int64_t> dimExtents;                  ///< how far the workload's dims run
  int64_t leastRows = 0;                                  ///< as the workload has it

  /// The groups as variables of affine expressions: batch, outerM, outerN, m, n, outerK, k.
  llvm::SmallVector<const Group *> variables() const;
  /// `operand.linearIndex()` over `variables()` instead of the workload's dims.
  mlir::AffineExpr linearIndex(const Operand &operand) const;
};

/// The nest under these packings: what is packed allows any collapse.
Nest buildNest(const Workload &workload, Packing packLhs, Packing packRhs);

/// Rows of an image with fewer elements leave fragments empty. Where a kernel copies its image, it
/// copies several of such rows as one.
inline constexpr int64_t shortImageRow = 12;

/// The factor of `variable` in an expression that is linear in it; 0 if absent.
int64_t coefficient(mlir::AffineExpr expr, unsigned variable);

/// Whether the expression has no division and no modulus.
bool isLinear(mlir::AffineExpr expr);

/// The value of an expression of dims, and of symbols that follow the `dims` dims in `inputs`. None
/// where it divides by zero or less.
std::optional<int64_t> evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> inputs,
                                unsigned dims);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_NEST_H
