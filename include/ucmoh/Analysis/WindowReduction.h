//===- WindowReduction.h - A reduction over windows with what joins it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_WINDOWREDUCTION_H
#define UCMOH_ANALYSIS_WINDOWREDUCTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Analysis/WindowNest.h"
#include "ucmoh/Analysis/Workload.h"

namespace ucmoh {

/// Names an intrinsic on a reduction over windows with groups of channels, whose lanes multiply
/// rows of several channels each.
constexpr llvm::StringLiteral lanesName = "ucmoh.lanes";

/// An op on tensors that reduces over windows of an image, channel by channel, and what is computed
/// with it: a depthwise convolution, one with groups of few channels, or a pooling.
struct WindowReduction {
  mlir::linalg::LinalgOp op;        ///< the reduction
  mlir::OpOperand *image = nullptr; ///< an operand of `op`
  unsigned channelLoop = 0;         ///< over neighbours in memory, in all operands that it moves in
  unsigned columnLoop = 0;          ///< the parallel loop over neighbours in the image
  /// How the image's channels follow from those of the result, where they are others.
  std::optional<ChannelGroups> groups;

  /// Applied to each element of the image: an op of one element, whose body is one cheap op, or a
  /// few where no element is read twice; null if there is none.
  mlir::linalg::GenericOp shift;
  /// The image before it is shifted and padded.
  mlir::Value source;
  /// Elements of padding before the image, for each of its dims. Padding takes no part: it would
  /// leave each sum as it is.
  llvm::SmallVector<int64_t> low;

  /// The values that the reduction starts from: a scalar, or a tensor that is indexed by the op's
  /// loops.
  mlir::Value init;
  mlir::AffineMap initMap; ///< null: a scalar

  /// Elementwise work on the result; null if there is none.
  mlir::linalg::GenericOp consumer;
  mlir::OpOperand *consumed = nullptr; ///< the consumer's operand that is the op's result

  /// The last op, whose results are those of all.
  mlir::Operation *last() { return consumer ? consumer.getOperation() : op.getOperation(); }
  /// From the op's loops to the elements of `source`; those of padding have no such element.
  mlir::AffineMap imageMap();
  /// The maps of a consumer's operand as functions of the op's loops.
  mlir::AffineMap mapOfConsumer(mlir::OpOperand &operand);
};

/// Finds what can be computed as windows around `op`; nothing if the op itself is none.
std::optional<WindowReduction> findWindowReduction(mlir::linalg::LinalgOp op);

/// The contraction of a depthwise convolution, as its windows read it: the image is what exists
/// before it is shifted and padded, and its map has the offsets of padding in it. All that windows
/// leave out of a body is the same for all candidates. A reason where `op` is none, or a pooling.
WorkloadOrReason analyzeWindows(mlir::linalg::LinalgOp op);

/// Analyses `op` as the stage does that chooses its kernel: returns the answer of analyzeWorkload
/// or of analyzeWindows.
WorkloadOrReason analyzeTask(mlir::linalg::LinalgOp op);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_WINDOWREDUCTION_H
