//===- CrossCompiler.h - From LLVM IR to a program of another architecture
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_CROSSCOMPILER_H
#define UCMOH_LIB_RUNTIME_CROSSCOMPILER_H

#include "ucmoh/Runtime/Executable.h"

namespace ucmoh {

/// A static program, and the names of the functions that it can call, by number.
struct ForeignProgram {
  std::string bytes;
  std::vector<std::string> functions;
};

/// Translates, optimizes at -O3 for the target and links with ForeignMain.c. `clang` is the path of
/// the compiler that links.
llvm::Expected<ForeignProgram> buildForeignProgram(mlir::ModuleOp module, const CodeTarget &target,
                                                   llvm::StringRef clang);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_CROSSCOMPILER_H
