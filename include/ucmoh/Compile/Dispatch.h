//===- Dispatch.h - A function as code without a C library
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COMPILE_DISPATCH_H
#define UCMOH_COMPILE_DISPATCH_H

#include "ucmoh/Runtime/LoweredProgram.h"

namespace ucmoh {

/// A function, compiled for a runtime that has neither a C library nor an allocator for it: LLVM
/// bitcode of two functions whose arguments are pairs of a pointer and an offset in bytes.
///   NAME_pack(weights..., block, scratch), where packedBytes is not zero
///   NAME_run(inputs..., block, results..., scratch), without `block` where packedBytes is zero
/// All memory is aligned to cache lines. Each call in flight needs scratch memory of its own.
struct Dispatch {
  /// The function `entry`, as ucmoh-run compiles it for one thread. `options.ahead` and
  /// `options.threads` are ignored. An error where it needs what the runtime has not.
  static llvm::Expected<Dispatch> compile(mlir::ModuleOp module, const std::string &entry,
                                          CompileOptions options);

  std::string name;        ///< the functions', without _pack and _run
  std::string bitcode;     ///< with LLVM's names of CPU and features at each function
  std::string triple;      ///< the system that it is for
  int64_t packedBytes = 0; ///< the block that NAME_pack fills and NAME_run reads has so many
  int64_t packScratch = 0; ///< bytes of scratch memory of NAME_pack
  int64_t runScratch = 0;  ///< and of NAME_run
  std::vector<OpInfo> ops; ///< its contractions, with what was chosen
};

} // namespace ucmoh

#endif // UCMOH_COMPILE_DISPATCH_H
