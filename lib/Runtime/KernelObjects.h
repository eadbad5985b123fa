//===- KernelObjects.h - Kernels of a program compiled one by one
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_KERNELOBJECTS_H
#define UCMOH_LIB_RUNTIME_KERNELOBJECTS_H

#include "ucmoh/Runtime/Executable.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace llvm {
class Module;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace ucmoh {

/// Machine code of the functions of a module that are never inlined, which are its kernels. They
/// are compiled side by side on all cores, equal ones once, and kept on disk (ObjectCache.h).
class KernelObjects {
public:
  using Symbols = llvm::function_ref<llvm::orc::SymbolMap(llvm::orc::MangleAndInterner)>;

  /// Compiles the kernels of `module`, and leaves declarations in their place. `provided` are
  /// functions of this process that they may call.
  static llvm::Expected<std::unique_ptr<KernelObjects>>
  extract(llvm::Module &module, const CodeTarget &target, Symbols provided);
  ~KernelObjects();

  /// Where each kernel is.
  llvm::orc::SymbolMap symbols(llvm::orc::MangleAndInterner mangle) const;

private:
  std::unique_ptr<llvm::orc::LLJIT> jit; ///< owns the code
  std::vector<std::pair<std::string, llvm::orc::ExecutorAddr>> addresses;
};

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_KERNELOBJECTS_H
