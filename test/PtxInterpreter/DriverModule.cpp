//===- DriverModule.cpp - Modules and functions of the driver API ---------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ucmoh::ptx;

static LoadedModule *fromHandle(CUmodule handle) {
  auto *module = reinterpret_cast<LoadedModule *>(handle);
  for (auto &known : Driver::get().modules)
    if (known.get() == module)
      return module;
  return nullptr;
}

PTX_EXPORT CUresult cuModuleLoadData(CUmodule *handle, const void *image) {
  if (!handle || !image)
    return CUDA_ERROR_INVALID_VALUE;
  llvm::StringRef text(static_cast<const char *>(image));
  // Binary modules begin with what no PTX has.
  if (text.starts_with("\x7f"
                       "ELF") ||
      (!text.empty() && !llvm::isASCII(text.front())))
    return report(CUDA_ERROR_NO_BINARY_FOR_GPU, "the module is no PTX text");
  Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(driver.mutex);
  std::string error;
  auto module = LoadedModule::load(text, driver.memory, error);
  if (!module)
    return report(CUDA_ERROR_INVALID_PTX, error);
  if (module->target() > driver.computeCapability)
    return report(CUDA_ERROR_NO_BINARY_FOR_GPU,
                  "the module needs sm_" + llvm::Twine(module->target()) +
                      ", PTX_INTERPRETER_SM allows sm_" + llvm::Twine(driver.computeCapability));
  *handle = reinterpret_cast<CUmodule>(module.get());
  driver.modules.push_back(std::move(module));
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuModuleLoadDataEx(CUmodule *handle, const void *image, unsigned, int *,
                                       void **) {
  return cuModuleLoadData(handle, image);
}

PTX_EXPORT CUresult cuModuleUnload(CUmodule handle) {
  LoadedModule *module = fromHandle(handle);
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  llvm::erase_if(Driver::get().modules, [&](auto &known) { return known.get() == module; });
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name) {
  LoadedModule *module = fromHandle(handle);
  if (!module || !function || !name)
    return module ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
  Kernel *kernel = module->findKernel(name);
  *function = reinterpret_cast<CUfunction>(kernel);
  return kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

PTX_EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *pointer, size_t *size, CUmodule handle,
                                         const char *name) {
  LoadedModule *module = fromHandle(handle);
  if (!module || !name)
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t address = 0;
  const VariableSyntax *variable = module->findGlobal(name, address);
  if (!variable)
    return CUDA_ERROR_NOT_FOUND;
  if (pointer)
    *pointer = address;
  if (size)
    *size = variable->size;
  return CUDA_SUCCESS;
}

/// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES; the others are hints.
static constexpr int maxDynamicSharedSize = 8;
static constexpr int sharedSizeOptIn = 232448;

PTX_EXPORT CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  auto *kernel = reinterpret_cast<Kernel *>(function);
  if (!kernel)
    return CUDA_ERROR_INVALID_HANDLE;
  if (attribute != maxDynamicSharedSize)
    return CUDA_SUCCESS;
  if (value < 0 || value + int(kernel->staticSharedBytes) > sharedSizeOptIn)
    return CUDA_ERROR_INVALID_VALUE;
  kernel->maxDynamicSharedBytes = value;
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuFuncSetCacheConfig(CUfunction, int) { return CUDA_SUCCESS; }

PTX_EXPORT CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  auto *kernel = reinterpret_cast<Kernel *>(function);
  if (!kernel || !value)
    return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
  case 0: // MAX_THREADS_PER_BLOCK
    *value = kernel->maxThreads ? kernel->maxThreads : 1024;
    return CUDA_SUCCESS;
  case 1: // SHARED_SIZE_BYTES
    *value = kernel->staticSharedBytes;
    return CUDA_SUCCESS;
  case 3: // LOCAL_SIZE_BYTES
    *value = kernel->localBytes;
    return CUDA_SUCCESS;
  case maxDynamicSharedSize:
    *value = kernel->maxDynamicSharedBytes;
    return CUDA_SUCCESS;
  default:
    *value = 0;
    return CUDA_SUCCESS;
  }
}
