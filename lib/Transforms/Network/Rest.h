//===- Rest.h - What the passes over the rest of a network share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NETWORK_REST_H
#define UCMOH_LIB_TRANSFORMS_NETWORK_REST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace ucmoh {

/// On a contraction that has no kernel, which neither merges nor joins rows. It is set before
/// anything is merged, since a merged sum of products would look like one.
constexpr llvm::StringLiteral plainMark = "ucmoh.plain";

/// On loops over the rows of a group.
constexpr llvm::StringLiteral rowsMark = "ucmoh.rows";

/// Whether an op is of the rest: linalg of known shape that is neither a contraction nor part of
/// what is timed as one.
bool isRest(mlir::Operation *op);

/// Whether an op is inside of a loop over rows.
bool isInRows(mlir::Operation *op);

/// Elementwise ops become one with what uses them, where nothing is computed twice.
void populateMergePatterns(mlir::RewritePatternSet &patterns);

/// How dims of extent 1 leave an op of the rest.
enum class UnitDims {
  Reshaped, ///< by reshapes, of whole tensors
  Sliced    ///< by slices, of the tiles in loops over rows
};
void foldUnitDims(mlir::Operation *root, UnitDims how);

/// A part of a result that stays in registers while windows are reduced.
struct RegisterBlock {
  int64_t lanes;          ///< channels in a vector
  int64_t vectors;        ///< side by side in the channels
  unsigned neighbourLoop; ///< a loop over the image
  int64_t neighbours;     ///< of which so many steps are taken at once
};

/// The block for a reduction over windows whose last loop is over channels, such as a depthwise
/// convolution or a pooling; nothing if the op is another one.
std::optional<RegisterBlock> findRegisterBlock(mlir::linalg::LinalgOp op, int64_t lanes,
                                               int64_t registers);

/// Replaces such an op on buffers by loops over vectors.
void emitWindows(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                 const RegisterBlock &block);

/// Arithmetic on bf16 as such on f32 and integers: LLVM calls a function for each rounding where
/// the processor has no instruction.
llvm::LogicalResult expandBFloats(mlir::Operation *root);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NETWORK_REST_H
