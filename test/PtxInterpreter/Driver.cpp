//===- Driver.cpp - State behind the driver API ---------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "llvm/ADT/StringRef.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace ucmoh::ptx;

Driver &Driver::get() {
  static auto *driver = new Driver; // Never destroyed: a program may call in while it ends.
  return *driver;
}

CUresult ucmoh::ptx::report(CUresult code, const llvm::Twine &message) {
  std::fprintf(stderr, "ptx interpreter: error: %s\n", message.str().c_str());
  return code;
}

PTX_EXPORT CUresult cuInit(unsigned flags) {
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  Driver &driver = Driver::get();
  driver.isInitialized = true;
  if (const char *value = std::getenv("PTX_INTERPRETER_SM"))
    if (unsigned capability = std::atoi(value))
      driver.computeCapability = capability;
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = 13000;
  return CUDA_SUCCESS;
}

static const char *nameOf(CUresult error) {
  switch (error) {
#define CASE(name)                                                                                 \
  case name:                                                                                       \
    return #name;
    CASE(CUDA_SUCCESS)
    CASE(CUDA_ERROR_INVALID_VALUE)
    CASE(CUDA_ERROR_OUT_OF_MEMORY)
    CASE(CUDA_ERROR_NOT_INITIALIZED)
    CASE(CUDA_ERROR_INVALID_DEVICE)
    CASE(CUDA_ERROR_INVALID_CONTEXT)
    CASE(CUDA_ERROR_NO_BINARY_FOR_GPU)
    CASE(CUDA_ERROR_INVALID_PTX)
    CASE(CUDA_ERROR_INVALID_HANDLE)
    CASE(CUDA_ERROR_NOT_FOUND)
    CASE(CUDA_ERROR_ILLEGAL_ADDRESS)
    CASE(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
    CASE(CUDA_ERROR_MISALIGNED_ADDRESS)
    CASE(CUDA_ERROR_LAUNCH_FAILED)
    CASE(CUDA_ERROR_NOT_SUPPORTED)
#undef CASE
  }
  return nullptr;
}

PTX_EXPORT CUresult cuGetErrorName(CUresult error, const char **name) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = nameOf(error);
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// The name says enough; what went wrong in a kernel stands on standard error.
PTX_EXPORT CUresult cuGetErrorString(CUresult error, const char **text) {
  return cuGetErrorName(error, text);
}

/// Finds `symbol`, or the version of it that cuda.h maps the name to.
PTX_EXPORT CUresult cuGetProcAddress_v2(const char *symbol, void **function, int, uint64_t,
                                        int *status) {
  if (!symbol || !function)
    return CUDA_ERROR_INVALID_VALUE;
  Dl_info self;
  *function = nullptr;
  if (dladdr(reinterpret_cast<void *>(&cuInit), &self)) {
    void *library = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    *function = dlsym(library, (std::string(symbol) + "_v2").c_str());
    if (!*function)
      *function = dlsym(library, symbol);
  }
  if (status)
    *status = *function ? 0 : 1;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
