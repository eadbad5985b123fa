//===- DriverDevice.cpp - Devices and contexts of the driver API ----------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include <algorithm>
#include <cstring>

using namespace ucmoh::ptx;

/// All contexts are this one; a handle must only differ from null.
static CUcontext onlyContext() { return reinterpret_cast<CUcontext>(&Driver::get()); }

PTX_EXPORT CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return Driver::get().isInitialized ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

PTX_EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (!Driver::get().isInitialized)
    return CUDA_ERROR_NOT_INITIALIZED;
  *device = 0;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

PTX_EXPORT CUresult cuDeviceGetName(char *name, int length, CUdevice) {
  if (length <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::strncpy(name, "PTX interpreter", length);
  name[length - 1] = '\0';
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
  *bytes = size_t(4) << 30;
  return CUDA_SUCCESS;
}

/// The attributes of an H100 as far as they have a meaning here; all others are 0.
static int attributeOf(int attribute) {
  switch (attribute) {
  case 1: // MAX_THREADS_PER_BLOCK
  case 2: // MAX_BLOCK_DIM_X
  case 3: // MAX_BLOCK_DIM_Y
    return 1024;
  case 4: // MAX_BLOCK_DIM_Z
    return 64;
  case 5: // MAX_GRID_DIM_X
    return 0x7fffffff;
  case 6: // MAX_GRID_DIM_Y
  case 7: // MAX_GRID_DIM_Z
    return 65535;
  case 8: // MAX_SHARED_MEMORY_PER_BLOCK
    return 49152;
  case 10: // WARP_SIZE
    return 32;
  case 12: // MAX_REGISTERS_PER_BLOCK
  case 82: // MAX_REGISTERS_PER_MULTIPROCESSOR
    return 65536;
  case 13: // CLOCK_RATE
    return 1000000;
  case 16: // MULTIPROCESSOR_COUNT
    return 132;
  case 39: // MAX_THREADS_PER_MULTIPROCESSOR
    return 2048;
  case 41: // UNIFIED_ADDRESSING
  case 83: // MANAGED_MEMORY
    return 1;
  case 75: // COMPUTE_CAPABILITY_MAJOR
    return Driver::get().computeCapability / 10;
  case 76: // COMPUTE_CAPABILITY_MINOR
    return Driver::get().computeCapability % 10;
  case 81: // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
    return 233472;
  case 97: // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    return 232448;
  case 111: // RESERVED_SHARED_MEMORY_PER_BLOCK
    return 1024;
  default:
    return 0;
  }
}

PTX_EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  if (device != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  *value = attributeOf(attribute);
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  *context = onlyContext();
  return Driver::get().isInitialized ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}
PTX_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) { return CUDA_SUCCESS; }
PTX_EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }

PTX_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) {
  Driver::get().contexts.push_back(context);
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuCtxCreate_v2(CUcontext *context, unsigned, CUdevice) {
  *context = onlyContext();
  return Driver::get().isInitialized ? cuCtxPushCurrent_v2(*context) : CUDA_ERROR_NOT_INITIALIZED;
}

PTX_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  auto &contexts = Driver::get().contexts;
  if (contexts.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context)
    *context = contexts.back();
  contexts.pop_back();
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuCtxDestroy_v2(CUcontext context) {
  auto &contexts = Driver::get().contexts;
  if (!contexts.empty() && contexts.back() == context)
    contexts.pop_back();
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
  auto &contexts = Driver::get().contexts;
  if (!contexts.empty())
    contexts.pop_back();
  if (context)
    contexts.push_back(context);
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuCtxGetCurrent(CUcontext *context) {
  auto &contexts = Driver::get().contexts;
  *context = contexts.empty() ? nullptr : contexts.back();
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuCtxGetDevice(CUdevice *device) {
  *device = 0;
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }
