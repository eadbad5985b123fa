//===- NativeCode.h - LLVM's compiler for this CPU
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_NATIVECODE_H
#define UCMOH_LIB_RUNTIME_NATIVECODE_H

#include "ucmoh/Runtime/Executable.h"
#include "llvm/Target/TargetMachine.h"

namespace ucmoh {

/// The code generator for this CPU with the target's features.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createNativeMachine(const CodeTarget &target);

/// Without warnings of loops that LLVM was told to vectorize, and does not.
void ignoreRefusedLoops(llvm::LLVMContext &context);

/// LLVM's passes of -O3 without its unrolling: that of small copies takes most of the time of
/// compilation (ten times as much for a padded convolution), and kernels choose their own.
void optimizeNative(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_NATIVECODE_H
