//===- DevicePipeline.h - Kernels of a device become binaries
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_CUDA_DEVICEPIPELINE_H
#define UCMOH_LIB_TRANSFORMS_CUDA_DEVICEPIPELINE_H

#include "mlir/Pass/PassManager.h"

namespace ucmoh {

/// Makes functions of the kernels of a device, if there are any, and binaries of these functions.
/// `target` and `assembler` are the options of the passes that need them.
void addDevicePasses(mlir::OpPassManager &pm, const std::string &target,
                     const std::string &assembler);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_CUDA_DEVICEPIPELINE_H
