//===- LoadedModule.h - A module in the device ------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_LOADEDMODULE_H
#define UCMOH_PTXINTERPRETER_LOADEDMODULE_H

#include "DeviceMemory.h"
#include "Kernel.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace ucmoh::ptx {

/// A parsed module, its variables in memory and its kernels decoded.
class LoadedModule {
public:
  /// Null with a message if the text is wrong.
  static std::unique_ptr<LoadedModule> load(llvm::StringRef text, DeviceMemory &memory,
                                            std::string &error);
  ~LoadedModule();

  /// 90 if the text asks for sm_90 or sm_90a.
  unsigned target() const { return syntax->target; }

  /// The kernel or variable of that name, or null.
  Kernel *findKernel(llvm::StringRef name);
  const VariableSyntax *findGlobal(llvm::StringRef name, uint64_t &address) const;

private:
  explicit LoadedModule(DeviceMemory &memory) : memory(memory) {}
  bool placeVariables(std::string &error);
  bool fillVariables(std::string &error);
  bool decodeKernels(std::string &error);

  DeviceMemory &memory;
  std::unique_ptr<ModuleSyntax> syntax;
  llvm::StringMap<uint64_t> globals;
  std::vector<std::unique_ptr<Kernel>> kernels;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_LOADEDMODULE_H
