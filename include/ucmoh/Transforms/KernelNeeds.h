//===- KernelNeeds.h - What a device's assembler says of kernels
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_KERNELNEEDS_H
#define UCMOH_TRANSFORMS_KERNELNEEDS_H

#include "mlir/IR/BuiltinOps.h"

namespace ucmoh {

/// The resources that one kernel needs. A kernel that the assembler refuses has only `kernel` and
/// `error`.
struct KernelNeeds {
  std::string kernel;            ///< its symbol
  int64_t registers = 0;         ///< that a thread has
  int64_t spillBytes = 0;        ///< that the kernel's text stores to memory for lack of registers
  int64_t sharedMemoryBytes = 0; ///< that a block has, with what the launch asks for
  std::string error;             ///< the assembler's first one
};

/// Reads what --ucmoh-assemble-kernels noted of the kernels that `function` launches, in their
/// order; empty where no assembler was found.
std::vector<KernelNeeds> readKernelNeeds(mlir::ModuleOp module, llvm::StringRef function);

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_KERNELNEEDS_H
