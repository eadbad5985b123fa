//===- LoadedModule.cpp - A module in the device --------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedModule.h"
#include "Decoder.h"
#include "Parser.h"

using namespace ucmoh::ptx;

static bool isInDeviceMemory(const VariableSyntax &variable) {
  return variable.space == Space::Global || variable.space == Space::Const;
}

std::unique_ptr<LoadedModule> LoadedModule::load(llvm::StringRef text, DeviceMemory &memory,
                                                 std::string &error) {
  std::unique_ptr<LoadedModule> module(new LoadedModule(memory));
  module->syntax = parseModule(text, error);
  if (!module->syntax || !module->placeVariables(error) || !module->fillVariables(error) ||
      !module->decodeKernels(error))
    return nullptr;
  return module;
}

LoadedModule::~LoadedModule() {
  for (auto &entry : globals) {
    auto *pointer = reinterpret_cast<void *>(entry.second);
    if (!memory.release(pointer, DeviceMemory::Device))
      memory.release(pointer, DeviceMemory::ReadOnly);
  }
}

bool LoadedModule::placeVariables(std::string &error) {
  for (const VariableSyntax &variable : syntax->variables) {
    if (!isInDeviceMemory(variable))
      continue;
    bool isConstant = variable.space == Space::Const;
    void *place = memory.allocate(std::max<uint64_t>(variable.size, 1),
                                  isConstant ? DeviceMemory::ReadOnly : DeviceMemory::Device);
    if (!place) {
      error = "no memory for variable '" + variable.name.str() + "'";
      return false;
    }
    globals[variable.name] = reinterpret_cast<uint64_t>(place);
  }
  return true;
}

bool LoadedModule::fillVariables(std::string &error) {
  for (const VariableSyntax &variable : syntax->variables) {
    if (!isInDeviceMemory(variable))
      continue;
    auto *place = reinterpret_cast<uint8_t *>(globals[variable.name]);
    std::copy_n(variable.bytes.data(), std::min<size_t>(variable.bytes.size(), variable.size),
                place);
    for (auto [offset, name] : variable.addresses) {
      auto global = globals.find(name);
      if (global == globals.end()) {
        error = "initial value of '" + variable.name.str() + "': unknown '" + name.str() + "'";
        return false;
      }
      std::memcpy(place + offset, &global->second, sizeof(uint64_t));
    }
  }
  return true;
}

bool LoadedModule::decodeKernels(std::string &error) {
  for (const FunctionSyntax &function : syntax->functions) {
    if (!function.isEntry)
      continue;
    kernels.push_back(std::make_unique<Kernel>());
    Decoder decoder(*syntax, globals, *kernels.back());
    if (!decoder.decode(function)) {
      error = "kernel '" + function.name.str() + "' " + decoder.error();
      return false;
    }
  }
  return true;
}

Kernel *LoadedModule::findKernel(llvm::StringRef name) {
  for (auto &kernel : kernels)
    if (kernel->name == name)
      return kernel.get();
  return nullptr;
}

const VariableSyntax *LoadedModule::findGlobal(llvm::StringRef name, uint64_t &address) const {
  for (const VariableSyntax &variable : syntax->variables)
    if (variable.name == name && isInDeviceMemory(variable)) {
      address = globals.lookup(name);
      return &variable;
    }
  return nullptr;
}
