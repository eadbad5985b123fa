//===- KernelObjects.cpp - Kernels in this process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelObjects.h"
#include "ucmoh/Runtime/KernelUnits.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ucmoh;

KernelObjects::~KernelObjects() = default;

llvm::Expected<std::unique_ptr<KernelObjects>>
KernelObjects::link(const std::map<std::string, std::string> &objects, Symbols provided) {
  auto kernels = std::make_unique<KernelObjects>();
  if (objects.empty())
    return kernels;
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  kernels->jit = std::move(*jit);
  llvm::orc::LLJIT &linker = *kernels->jit;
  llvm::orc::MangleAndInterner mangle(linker.getExecutionSession(), linker.getDataLayout());
  if (auto error = linker.getMainJITDylib().define(absoluteSymbols(provided(mangle))))
    return std::move(error);
  for (const auto &[key, bytes] : objects)
    if (auto error = linker.addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(bytes, key)))
      return std::move(error);
  for (const auto &[key, bytes] : objects) {
    auto address = linker.lookup(key);
    if (!address)
      return address.takeError();
    kernels->addresses.push_back({key, *address});
  }
  return kernels;
}

llvm::orc::SymbolMap KernelObjects::symbols(llvm::orc::MangleAndInterner mangle) const {
  llvm::orc::SymbolMap map;
  for (const auto &[key, address] : addresses)
    map[mangle(key)] = {address, llvm::JITSymbolFlags::Exported};
  return map;
}
