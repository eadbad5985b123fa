//===- Library.h - A module as a library for C programs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COMPILE_LIBRARY_H
#define UCMOH_COMPILE_LIBRARY_H

#include "ucmoh/Runtime/LoweredProgram.h"

namespace ucmoh {

/// A module, compiled for C programs: docs/how-to/compile-ahead-of-time.md. Of each function it has
/// NAME_packed_bytes, NAME_pack, NAME_run and NAME_describe.
struct Library {
  /// With Kernels::Apart, kernels are compiled side by side, and kept for other programs.
  enum class Kernels { Inside, Apart };

  /// The functions `entries`, as ucmoh-run compiles them. `options.ahead` is ignored: it is meant.
  static llvm::Expected<Library> compile(mlir::ModuleOp module, llvm::ArrayRef<std::string> entries,
                                         CompileOptions options, Kernels where);

  std::string object;  ///< a file to link, position independent
  std::string kernels; ///< an archive that `object` needs; empty if all is inside
  std::string header;  ///< declares the functions, in C and C++
  std::string triple;  ///< the system that the object is for
};

/// The library as a shared object, by a compiler of C that is found in PATH.
llvm::Expected<std::string> linkShared(const Library &library);

} // namespace ucmoh

#endif // UCMOH_COMPILE_LIBRARY_H
