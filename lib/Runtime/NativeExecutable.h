//===- NativeExecutable.h - Compiled code in this process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_NATIVEEXECUTABLE_H
#define UCMOH_LIB_RUNTIME_NATIVEEXECUTABLE_H

#include "ucmoh/Runtime/Executable.h"

namespace ucmoh {

/// Code for this CPU. The target's features are added to its own.
llvm::Expected<std::unique_ptr<Executable>> compileNative(mlir::ModuleOp module,
                                                          const CodeTarget &target);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_NATIVEEXECUTABLE_H
