//===- CompilationInfo.h - Configurations in the words of IREE
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_IREE_COMPILATIONINFO_H
#define UCMOH_LIB_IREE_COMPILATIONINFO_H

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Iree/Tune.h"

namespace ucmoh {

/// The dims of a contraction with one m, n and k each; a message else.
llvm::Expected<mlir::linalg::ContractionDimensions> dimsOf(mlir::linalg::LinalgOp op);

/// The dims of a convolution for which IREE takes configurations; a message else.
llvm::Expected<mlir::linalg::ConvolutionDimensions> convolutionDimsOf(mlir::linalg::LinalgOp op);

/// A list with an entry for each dim of the op: `batch` for batch dims, zero where nothing is said.
std::string listOf(mlir::linalg::LinalgOp op, int64_t batch, int64_t m, int64_t n, int64_t k);

/// An attribute #iree_codegen.compilation_info<...> of the two that it consists of.
std::string compilationInfo(llvm::StringRef loweringConfig, llvm::StringRef translation);

/// Ranks configurations of one thread's vectors for the op; `reason` says why there are none.
Tuning tuneForCpu(mlir::linalg::LinalgOp op, const Workload &workload, const TuneOptions &options,
                  std::string &reason);

/// Ranks configurations of one thread's vectors for a convolution that has `convolutionDimsOf`;
/// `reason` says why there are none.
Tuning tuneConvolution(mlir::linalg::LinalgOp op, const Workload &workload,
                       const TuneOptions &options, std::string &reason);

/// Ranks configurations of a device's blocks for the op; `reason` says why there are none.
Tuning tuneForDevice(mlir::linalg::LinalgOp op, const Workload &workload,
                     const TuneOptions &options, std::string &reason);

} // namespace ucmoh

#endif // UCMOH_LIB_IREE_COMPILATIONINFO_H
