//===- KernelObjects.h - Kernels in this process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_KERNELOBJECTS_H
#define UCMOH_LIB_RUNTIME_KERNELOBJECTS_H

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include <map>
#include <string>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace ucmoh {

/// Machine code of kernels, loaded.
class KernelObjects {
public:
  using Symbols = llvm::function_ref<llvm::orc::SymbolMap(llvm::orc::MangleAndInterner)>;

  /// Loads object files, each of which defines its key. `provided` are functions of this process
  /// that they may call.
  static llvm::Expected<std::unique_ptr<KernelObjects>>
  link(const std::map<std::string, std::string> &objects, Symbols provided);
  ~KernelObjects();

  /// Where each kernel is.
  llvm::orc::SymbolMap symbols(llvm::orc::MangleAndInterner mangle) const;

private:
  std::unique_ptr<llvm::orc::LLJIT> jit; ///< owns the code
  std::vector<std::pair<std::string, llvm::orc::ExecutorAddr>> addresses;
};

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_KERNELOBJECTS_H
