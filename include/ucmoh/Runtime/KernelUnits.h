//===- KernelUnits.h - Kernels of a program compiled one by one
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_KERNELUNITS_H
#define UCMOH_RUNTIME_KERNELUNITS_H

#include "ucmoh/Runtime/Executable.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ThreadPool.h"
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace ucmoh {

/// Object files of the functions of a module that are never inlined, which are its kernels. They
/// are compiled side by side on all cores, equal ones once, and kept on disk (ObjectCache.h).
class KernelUnits {
public:
  /// What becomes of a kernel once it is optimized.
  struct Finish {
    std::string name;                           ///< a part of the key
    std::function<void(llvm::Module &)> change; ///< to the kernel's module
  };
  using Objects = std::map<std::string, std::string>; ///< by the key

  /// Begins to compile the kernels of `module`. In their place it leaves declarations, whose names
  /// are keys: hashes of what is compiled. A kernel stays if it uses a variable of
  /// the module that may be written, or calls another kernel.
  static llvm::Expected<std::unique_ptr<KernelUnits>>
  extract(llvm::Module &module, const CodeTarget &target, Finish finish);

  /// The object files, each of which defines its key, once all are compiled. An error is that of a
  /// kernel for which there is no code.
  llvm::Expected<Objects> takeObjects();

private:
  /// A kernel as bitcode, and then as an object file.
  struct Unit {
    std::string bitcode, object, error;
  };

  KernelUnits(CodeTarget target, Finish finish);
  llvm::Error extractAll(llvm::Module &module);
  llvm::Expected<std::string> generate(llvm::StringRef bitcode, llvm::StringRef key) const;
  void compile(Unit &unit, llvm::StringRef key) const;

  CodeTarget target;
  Finish finish;
  std::map<std::string, Unit> units; ///< by the key
  llvm::DefaultThreadPool pool;      ///< goes first, and waits
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_KERNELUNITS_H
