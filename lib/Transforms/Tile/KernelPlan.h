//===- KernelPlan.h - All that a kernel is made of
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_TILE_KERNELPLAN_H
#define UCMOH_LIB_TRANSFORMS_TILE_KERNELPLAN_H

#include "Epilogue.h"
#include "ucmoh/Analysis/Border.h"
#include "ucmoh/Analysis/PackedProducer.h"
#include "ucmoh/Analysis/RowReductions.h"
#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// All that the kernel of one contraction is made of. Operands are converted already.
struct KernelPlan {
  Workload workload;
  Candidate candidate;
  Nest nest;
  bool rowsMayRepeat = false; ///< see `mayRepeatRows`; of the operands before they are converted
  Epilogue epilogue;
  llvm::SmallVector<RowReduction> reductions; ///< which the store takes in
  std::optional<Operand> init;                ///< first value of the accumulator, if not zero
  llvm::SmallVector<Operand> addends;         ///< added to the first value: corrections
  PackedProducer lhsProducer, rhsProducer;    ///< computed while the operand is packed, if any
  bool streamsResult = false;                 ///< past the caches
  llvm::SmallVector<Border> borders;          ///< whose rows of padding are left out
  std::optional<Border> sides;                ///< whose columns of zeros are left out

  /// Lists what the kernel reads beside lhs and rhs: init, addends, the epilogue's extras.
  llvm::SmallVector<Operand> extras() const;
  /// Finds the nest and the epilogue of the workload, which `op` is.
  void findNest(mlir::linalg::LinalgOp op);
};

/// The plan of the kernel that `choice` makes of `op`, as far as its nest and its epilogue: for a
/// depthwise op neither. An error says at the op why the choice cannot be applied.
mlir::FailureOr<KernelPlan> planKernel(mlir::linalg::LinalgOp op, ChoiceAttr choice,
                                       const Target &target);

/// The op whose results the kernel produces.
mlir::Operation *lastOf(const KernelPlan &plan, mlir::linalg::LinalgOp op);

/// The reductions that the kernel may take in.
llvm::SmallVector<RowReduction> findRowReductions(const KernelPlan &plan,
                                                  mlir::linalg::LinalgOp op);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_TILE_KERNELPLAN_H
