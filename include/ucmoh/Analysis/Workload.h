//===- Workload.h - What is to be computed: one contraction, stripped of its IR
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A contraction or convolution as the rest of the analysis sees it: iteration
/// dimensions with a role each, and one affine access per operand. A
/// convolution differs from a matmul only in that the access of lhs (or rhs) is
/// not a projection.
///
/// Canonical orientation: the innermost dimension of the result is an `n`
/// dimension, because fragments hold consecutive columns. An op whose result
/// has it otherwise (an NCHW convolution) is seen with its operands swapped.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_WORKLOAD_H
#define UCMOH_ANALYSIS_WORKLOAD_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"
#include "ucmoh/Analysis/ElementRange.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace ucmoh {

/// Says which operands a dimension indexes: all three operands, lhs and result, rhs and result, or
/// the two inputs only.
enum class DimRole { Batch, M, N, K };

/// One dimension of the iteration space.
struct Dim {
  int64_t extent; ///< iterations
  DimRole role;   ///< which operands it indexes
};

/// One operand. `shape` and `map` are of the value in memory; `map` goes from
/// the workload's dims to indices.
struct Operand {
  mlir::Value value;                  ///< the tensor that is read; the init of acc
  llvm::SmallVector<int64_t> shape;   ///< that tensor's
  llvm::SmallVector<int64_t> strides; ///< in elements, of its dims; empty: it lies row by row
  mlir::AffineMap map;                ///< from dims to indices of that tensor
  ElementType type;                   ///< as it enters the multiplication: before any extension
  bool isConstant = false;            ///< same in each call or step: it can be prepacked
  bool isWeight = false;              ///< same in each call: no cache holds it from the last one
  /// zeroPoint + zeroOffset is subtracted before the multiplication; zeroPoint is an i32 or null.
  mlir::Value zeroPoint;
  int64_t zeroOffset = 0;
  /// The elements in memory lie in it, before a zero point, where they are known to be integers
  /// from less than all of `type`.
  std::optional<ElementRange> range;

  /// Whether anything is subtracted before the multiplication.
  bool hasZeroPoint() const { return zeroPoint || zeroOffset; }

  /// The element's position in memory, as an expression of the workload's dims.
  mlir::AffineExpr linearIndex() const;
  int64_t elements() const; ///< product of `shape`
};

/// All shapes are static.
struct Workload {
  llvm::SmallVector<Dim> dims; ///< batch, m, n, k; each group outermost first
  Operand lhs, rhs, acc;       ///< acc is the result (`type` of the accumulation)
  bool isConvolution = false;  ///< an access is a sum of dims: a window
  /// The innermost dimension of the result is a batch dimension: no intrinsic multiplies matrices
  /// of it, but vectors, lane by lane. Then lhs is the image.
  bool isDepthwise = false;
  /// What the accumulation starts from, and what an elementwise consumer of the result reads beside
  /// it, is the same for all rows.
  bool surroundingsIgnoreRows = true;
  /// How many rows are wanted at least, where it may be fewer than there are (OpenRows.h); else 0.
  int64_t leastRows = 0;

  int64_t extent(DimRole role) const; ///< product over the dims of the role; 1 if none
  /// Positions in `dims` of the dims of that role.
  llvm::SmallVector<unsigned> dimsOf(DimRole role) const;
  int64_t flops() const; ///< 2 * product of all extents
  /// One line that names the workload in tables, records and remarks, e.g.
  /// "matmul_u8s8s32_128x768x768" or "conv2d_u8s8s32_1x56x56x64_64x3x3_s1".
  std::string name() const;
};

/// The analysis' answer for an op: a workload, or why there is none.
struct WorkloadOrReason {
  std::optional<Workload> workload; ///< the contraction, if the op is one
  std::string reason;               ///< for a remark; empty when a workload was found

  explicit operator bool() const { return workload.has_value(); }
};

/// Whether the tensor is filled with zero.
bool isZeroTensor(mlir::Value tensor);

/// On a contraction that plain loops compute, which neither merges nor joins rows. Where no kernel
/// was found, it is set before anything is merged, since a merged sum of products would look like
/// one.
constexpr llvm::StringLiteral plainMark = "ucmoh.plain";

/// Whether `op` is a contraction or a convolution in the widest sense, without that mark: the ops
/// of which a remark should say why they were left alone.
bool isContractionLike(mlir::Operation *op);

/// Recognizes matmuls, convolutions and generics that are one of them. Looks
/// through integer extension and the extension of bf16 and f16 in the body and
/// in producers; depthwise convolutions, dynamic shapes and other bodies give a
/// reason.
WorkloadOrReason analyzeWorkload(mlir::linalg::LinalgOp op);

/// The same for products that have channels where a contraction has columns, with the operands as
/// they stand in the op. analyzeWindows (WindowReduction.h) says what a kernel of windows reads.
WorkloadOrReason analyzeDepthwise(mlir::linalg::LinalgOp op);

/// Returns what two workloads are compared by, where names are for people. It is 16 hexadecimal
/// digits of all that is known of the structure, the same in all runs and on all platforms.
std::string identityOf(const Workload &workload);

/// Whether a value is the same in each call of its function: computed without side effects from
/// constants and from arguments marked `{ucmoh.weight}`.
bool dependsOnWeightsAlone(mlir::Value value);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_WORKLOAD_H
