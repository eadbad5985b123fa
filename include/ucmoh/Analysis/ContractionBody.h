//===- ContractionBody.h - acc + f(lhs) * g(rhs), recognized
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_CONTRACTIONBODY_H
#define UCMOH_ANALYSIS_CONTRACTIONBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "ucmoh/Analysis/ElementType.h"
#include <optional>

namespace ucmoh {

/// The scalar computation of a contraction: acc + (ext(lhs) - zero) * (ext(rhs) - zero).
struct ContractionBody {
  /// One factor, before it is extended.
  struct Input {
    mlir::Value value;      ///< the tensor
    mlir::AffineMap map;    ///< from the op's loops to its indices
    ElementType type;       ///< before the extension; its sign is that of the extension
    mlir::Value zeroPoint;  ///< i32 scalar outside of the body, or null
    int64_t zeroOffset = 0; ///< added to the zero point
  };
  Input lhs, rhs; ///< the factors in the order of the op's operands
};

/// The factors of acc + a * b, whatever they are computed from.
std::optional<std::pair<mlir::Value, mlir::Value>> matchProduct(mlir::linalg::LinalgOp op);
/// Whether acc + f * g reduces two operands that are indexed differently, however they are
/// computed: not a sum of squares, nor a sum of one operand that is scaled.
bool reducesTwoOperands(mlir::linalg::LinalgOp op);
/// Returns the value that is extended and then shifted by a zero point to become `factor`.
mlir::Value stripWidening(mlir::linalg::LinalgOp op, mlir::Value factor);

/// Matches the body of a named op or generic.
std::optional<ContractionBody> matchContractionBody(mlir::linalg::LinalgOp op);

/// Replaces an input by what it was made from where that only extended it (and subtracted a zero
/// point), moved it (a transpose, a broadcast) or shifted an unsigned value into the signed range:
/// the original is cheaper to read.
void lookThroughProducers(ContractionBody::Input &input);
/// The same for values that were only moved.
void lookThroughMoves(ContractionBody::Input &input);

/// Replaces a reshape of a slice whose elements are apart, which only adds or drops dims of extent
/// 1, by the slice: only that can be read in place.
void lookThroughSlice(ContractionBody::Input &input);

/// Whether a reshape only adds or drops dims of extent 1: of each group of dims of the `expanded`
/// side, all but one have it.
bool haveOneDimEach(mlir::RankedTensorType expanded,
                    llvm::ArrayRef<mlir::ReassociationIndices> groups);

/// The elementwise op that alone reads the result, each element where it lies, in the same block
/// and on tensors; null if there is none.
mlir::linalg::GenericOp findElementwiseConsumer(mlir::linalg::LinalgOp op);
/// The same of an op's result.
mlir::linalg::GenericOp findElementwiseConsumer(mlir::Value result);

/// Whether an op adds 128 to 8-bit values, element by element: quantized models shift u8 into i8
/// so.
bool matchShift(mlir::linalg::LinalgOp op);
/// Returns the value to which such a shift in a body adds 128, or `value` if it is no such shift.
mlir::Value stripShift(mlir::Value value);
/// Whether an op without reduction rounds floats: rows that are quantized, and perhaps dequantized,
/// on each call.
bool matchRounding(mlir::linalg::LinalgOp op);
/// Whether an op yields elements of one input: as they are, extended, or ext(x) - zero.
bool matchMoveOrWidening(mlir::linalg::LinalgOp op);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_CONTRACTIONBODY_H
