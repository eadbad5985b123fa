//===- PackedProducer.h - What a kernel computes while it packs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_PACKEDPRODUCER_H
#define UCMOH_ANALYSIS_PACKEDPRODUCER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ucmoh/Analysis/KernelShape.h"

namespace ucmoh {

/// The elementwise op that makes an operand, such as its quantization or a cast, where the kernel
/// computes it on the way into the packed copy.
struct PackedProducer {
  /// Says which element of an input belongs to the operand's element at a position of its memory.
  enum class Access {
    Element, ///< that at the same position
    Row,     ///< that at the position divided by `inner`: one for a run of neighbours
    Column   ///< that at the position modulo `inner`: neighbours for neighbours
  };
  /// One tensor that the op reads.
  struct Input {
    mlir::OpOperand *operand; ///< which the op reads
    Access access;            ///< how its elements follow from positions in the operand
    int64_t inner;            ///< elements of the operand's dims that are inside of a row
  };

  mlir::linalg::GenericOp op;      ///< null: the operand is packed as it is
  llvm::SmallVector<Input> inputs; ///< that the body uses
  explicit operator bool() const { return static_cast<bool>(op); }
};

/// Finds the producer of the lhs, or of the rhs, of a contraction on tensors. The kernel takes it
/// in where each element is packed once and nobody else reads it, and where the op's inputs are in
/// memory anyway: an op of the rest that made them would compute both on rows in cache.
PackedProducer findPackedProducer(mlir::linalg::LinalgOp contraction, const KernelShape &shape,
                                  DimRole side);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_PACKEDPRODUCER_H
