//===- ForeignExecutable.h - Compiled code for another architecture
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_FOREIGNEXECUTABLE_H
#define UCMOH_LIB_RUNTIME_FOREIGNEXECUTABLE_H

#include "ucmoh/Runtime/Executable.h"

namespace ucmoh {

/// Paths of programs.
struct ForeignTools {
  std::string emulator, clang;
};

/// Finds what code of that triple needs; an error names what is missing and its package.
llvm::Expected<ForeignTools> findForeignTools(llvm::StringRef triple);

/// A static program for `target`, which user-mode qemu executes, once per call: arguments go to its
/// standard input, results come from its standard output.
llvm::Expected<std::unique_ptr<Executable>> compileForeign(mlir::ModuleOp module,
                                                           const CodeTarget &target);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_FOREIGNEXECUTABLE_H
