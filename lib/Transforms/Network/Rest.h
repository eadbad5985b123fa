//===- Rest.h - What the passes over the rest of a network share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NETWORK_REST_H
#define UCMOH_LIB_TRANSFORMS_NETWORK_REST_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// On loops over the rows of a group.
constexpr llvm::StringLiteral rowsMark = "ucmoh.rows";

/// A dynamic extent is taken for this one where something has to be decided by extents.
constexpr int64_t typicalExtent = 128;

/// The extents of an op's loops, dynamic ones as `typicalExtent`.
llvm::SmallVector<int64_t> typicalExtents(mlir::linalg::LinalgOp op);

/// Whether an op is of the rest: linalg that is neither a contraction nor part of what is timed as
/// one.
bool isRest(mlir::Operation *op);

/// Whether an op is inside of a loop over rows.
bool isInRows(mlir::Operation *op);

/// Elementwise ops become one with what uses them, where nothing is computed twice.
void populateMergePatterns(mlir::RewritePatternSet &patterns);

/// Elementwise ops on concatenations become such on their parts, and parts of transpositions such
/// of what was transposed. Worth it where the ops have merged before, and do so again afterwards.
void populateConcatenationPatterns(mlir::RewritePatternSet &patterns);

/// Concatenations of what the rest makes become insertions, which bufferization does in place.
void placePartsOfRest(mlir::Operation *root);

/// Where the quotient is one of a softmax, the maximum is one of numbers only, and what is
/// subtracted from it has no upper limit.
void relaxMaximum(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                  mlir::arith::DivFOp quotient);

/// Sums of floats over several loops around a parallel one, such as the mean of each channel of an
/// image, become sums of the sums of rows: more digits are right, and threads share the rows.
void splitSums(mlir::RewriterBase &rewriter, mlir::Operation *root);

/// In rows, a reduction of what an elementwise op computes for others too becomes part of it.
void reduceInRows(mlir::RewriterBase &rewriter, mlir::Operation *root);

/// Extremes of all elements of a tensor, whose order does not matter, are found along one row of
/// them as they lie in memory, and all extremes of a tensor at once.
void reduceWholes(mlir::RewriterBase &rewriter, mlir::Operation *root);

/// How dims of extent 1 leave an op of the rest.
enum class UnitDims {
  Reshaped, ///< by reshapes, of whole tensors
  Sliced    ///< by slices, of the tiles in loops over rows
};
void foldUnitDims(mlir::Operation *root, UnitDims how);

/// The registers that vectors are computed in.
struct VectorRegisters {
  int64_t count = 0, bits = 0; ///< 0: not known
};

/// The widest of the target's. Those of tiles hold no vectors, those of devices one element.
VectorRegisters vectorRegisters(const Target &target);

/// The buffer that views lead to; the same one if it is none.
mlir::Value wholeOf(mlir::Value buffer);

/// How far apart in memory two neighbours of a loop are in an operand; none if it is not known.
std::optional<int64_t> strideOf(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, unsigned loop);

/// The same op with that loop inside of all others.
mlir::linalg::LinalgOp moveInnermost(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                                     unsigned loop);

/// Loads what is the same in all iterations, such as a row's sum, in front of an op on buffers,
/// where the op writes to other allocations only.
void loadAhead(mlir::linalg::LinalgOp op);

/// What an iteration over vectors of a row computes.
struct VectorShape {
  int64_t lanes, vectors; ///< lanes of a vector; vectors side by side
};

/// Whether an elementwise op on buffers writes a part of a result that the machine's last-level
/// cache does not hold, and that it does not read, by whole vectors at aligned places.
bool isStreamed(mlir::linalg::LinalgOp op, const VectorShape &shape, const Machine &machine);

/// Loops whose stores go past the caches, in place of the op.
void emitStream(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, const VectorShape &shape);

/// How the target looks up most bytes of a table at once; null if it knows no way.
LookupOp widestLookup(const Target &target);

/// Loops over vectors in place of an elementwise op on buffers that looks up bytes of a table of
/// 256. Returns false, and does nothing, where the op is something else, or `lookup` is null.
bool lookUpOnVectors(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, LookupOp lookup);

/// Loops in place of an elementwise op on buffers that makes pixels of two to four planes, the
/// innermost one over the pixels of a row. Returns that one, or does nothing and returns null where
/// the op is something else, or where a row has fewer pixels than `lanes`.
mlir::scf::ForOp interleavePlanes(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                                  int64_t lanes);

/// Reductions over the innermost loop carry their value in a register: it lies in memory that
/// others might overlap, as far as LLVM knows. Flags are carried as bytes. Returns the loop that
/// carries them, or the same loop where there is nothing to carry.
mlir::scf::ForOp carryAccumulators(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop);

/// Maxima and minima of vectors of bf16 as such of integers.
void compareBFloatsAsBits(mlir::Operation *root);

/// Arithmetic on bf16 as such on f32 and integers: LLVM calls a function for each rounding where
/// the processor has no instruction.
llvm::LogicalResult expandBFloats(mlir::Operation *root);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NETWORK_REST_H
