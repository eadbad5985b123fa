//===- Patterns.h - What ucmoh-prepare does to contractions and their producers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_PREPARE_PATTERNS_H
#define UCMOH_TRANSFORMS_PREPARE_PATTERNS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace ucmoh {

/// Takes what operands are computed from out of the body of a contraction: f(x) * g(y) becomes
/// ext(a) * ext(b) of tensors a and b, each made by an elementwise op of its own.
void populateSplitBodyPatterns(mlir::RewritePatternSet &patterns);

/// Brings the extension of 8-bit operands and the subtraction of their zero points into ops of
/// their own and zero points out of bodies, where the analysis of a contraction sees both.
void populateWideningPatterns(mlir::RewritePatternSet &patterns);
/// Whether an op only extends (or shifts) 8-bit values or narrow floats for a contraction: it
/// should not become part of what computes those values.
bool widensForContraction(mlir::linalg::GenericOp op);

/// Whether the body of both together is of a size that networks have, and neither checks indices
/// that it reads. Each merger copies both, so that a chain of thousands of ops would take quadratic
/// time. A check would keep the loop of all of them scalar.
bool mayBecomeOne(mlir::linalg::GenericOp producer, mlir::linalg::GenericOp consumer);

/// Sums of 64 bits of which 32 are used, or which fit 32, are computed in 32.
void populateNarrowAccumulatorPatterns(mlir::RewritePatternSet &patterns);

/// Whether an op takes many instructions, such as an exponential.
bool isCostly(mlir::Operation *op);
/// The most ops that are not costly of what each reader may compute for itself.
constexpr unsigned mostOpsOfReaders = 8;

/// Whoever reads a dequantized value that others read, too, gets a dequantization of its own.
void dequantizeForEachReader(mlir::Operation *root);

/// A maximum over windows of dequantized values becomes one of the integers that they were made of.
void populateMaxPoolingPatterns(mlir::RewritePatternSet &patterns);

/// Quantizations behind reshapes and transposes go in front of them, and contractions write rows
/// where transposes would move them.
void populateMovePatterns(mlir::RewritePatternSet &patterns);
/// The part of them that quantizes rows in their table instead of wherever they are looked up.
void populateLookupPatterns(mlir::RewritePatternSet &patterns);
/// The access to a table, if `value` is nothing but elements of it, and only one op needs them;
/// else null.
mlir::tensor::ExtractOp findLookup(mlir::Value value);

/// Integers of more than 32 bits inside of elementwise ops become such of 32, where their ranges
/// are known to fit: vectors hold twice as many, and convert them to floats at once.
llvm::LogicalResult narrowElementwise(mlir::Operation *root);

/// Adds patterns that compute once for each row of an image what a resized image makes of the row's
/// elements.
void populateInterpolationPatterns(mlir::RewritePatternSet &patterns);

/// Costly functions of values of 8 bits are looked up in tables.
void populateTablePatterns(mlir::RewritePatternSet &patterns);

/// Leaves what elementwise ops quantize and dequantize again a float, which has the same values.
/// Limits in front of a conversion to integers do not treat NaN, whose conversion is undefined.
llvm::LogicalResult simplifyQuantization(mlir::Operation *root);

/// Elementwise ops on bf16 and f16 compute in f32, and round their results instead of each step.
void roundOnce(mlir::Operation *root);

/// Whether the op leaves NaN to chance, so that a limit may be elsewhere.
bool ignoresNaN(mlir::Operation *op);
/// Whether a float's value is an integer.
bool isWhole(mlir::Value value);
/// Small integers that are dequantized and quantized with another scale are multiplied once.
void populateRescalePatterns(mlir::RewritePatternSet &patterns);
/// A quantization to few integers multiplies by the reciprocal of its scale where each of its
/// results is the same.
void populateScalePatterns(mlir::RewritePatternSet &patterns);
/// Other divisions by constants do so where all quotients are the same.
void populateDivisionPatterns(mlir::RewritePatternSet &patterns);

/// u8 that is hidden as i8, and shifted back before it is multiplied, is extended without its sign.
void populateReadUnsignedPatterns(mlir::RewritePatternSet &patterns);

/// Finds the value that `wide`, of the body, is extended from (after which a zero point may be
/// subtracted). A shift from u8 to i8 in front of that is left out too, or if there is nothing more
/// in front, cut off after: the analysis looks through shifts that are ops of their own.
mlir::Value findNarrow(mlir::linalg::GenericOp op, mlir::Value wide);

/// Moves the products of loops over steps that need no earlier step in front of the loops, where
/// one product multiplies the rows of all steps.
void multiplyAheadOfSteps(mlir::Operation *root);

/// Gives contractions whose batch and rows are open other loops: heads and batches apart, and the
/// rows of all batches as one.
void arrangeOpenBatches(mlir::Operation *root);
/// What is around such a product has one loop for its rows as well.
void populateOpenRowsPatterns(mlir::RewritePatternSet &patterns);

/// Elementwise ops that read what was only given dims of extent 1 lose these dims, so that they are
/// one with the op that made it; other tensors beside it, such as masks, lose theirs.
void populateUnitDimPatterns(mlir::RewritePatternSet &patterns);

/// Elementwise ops behind contractions read the positions of their elements, such as those that a
/// causal mask compares, from constants.
void readPositionsOfResults(mlir::Operation *root);

/// The same move, a transpose or a reshape, of another value of the shape of what was moved.
mlir::Value moveLike(mlir::OpBuilder &builder, mlir::Operation *move, mlir::Value value);

/// Bits of a number that the value has; 0 for positions.
unsigned bitsOf(mlir::Value value);

/// Copies what says which op of the source program this is.
void copyMarks(mlir::Operation *from, mlir::Operation *to);

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_PREPARE_PATTERNS_H
