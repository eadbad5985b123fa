//===- DriverMemory.cpp - Memory of the driver API ------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include <cstring>

using namespace ucmoh::ptx;

static CUresult allocate(void **pointer, size_t size, DeviceMemory::Kind kind) {
  if (!pointer || size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  *pointer = Driver::get().memory.allocate(size, kind);
  return *pointer ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

PTX_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t size) {
  return allocate(reinterpret_cast<void **>(pointer), size, DeviceMemory::Device);
}
PTX_EXPORT CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t size, unsigned) {
  return allocate(reinterpret_cast<void **>(pointer), size, DeviceMemory::Managed);
}
PTX_EXPORT CUresult cuMemAllocHost_v2(void **pointer, size_t size) {
  return allocate(pointer, size, DeviceMemory::PinnedHost);
}
PTX_EXPORT CUresult cuMemHostAlloc(void **pointer, size_t size, unsigned) {
  return allocate(pointer, size, DeviceMemory::PinnedHost);
}
PTX_EXPORT CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t size, CUstream) {
  return cuMemAlloc_v2(pointer, size);
}

static CUresult release(void *pointer, DeviceMemory::Kind kind) {
  // As with free(), null is fine.
  if (!pointer || Driver::get().memory.release(pointer, kind))
    return CUDA_SUCCESS;
  return report(CUDA_ERROR_INVALID_VALUE, "free of memory that was not allocated so");
}

PTX_EXPORT CUresult cuMemFree_v2(CUdeviceptr pointer) {
  return release(reinterpret_cast<void *>(pointer), DeviceMemory::Device);
}
PTX_EXPORT CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream) { return cuMemFree_v2(pointer); }
PTX_EXPORT CUresult cuMemFreeHost(void *pointer) {
  return release(pointer, DeviceMemory::PinnedHost);
}

PTX_EXPORT CUresult cuMemHostRegister_v2(void *pointer, size_t size, unsigned) {
  return Driver::get().memory.registerHost(pointer, size) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
PTX_EXPORT CUresult cuMemHostUnregister(void *pointer) {
  return Driver::get().memory.unregisterHost(pointer) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
PTX_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned) {
  *device = reinterpret_cast<CUdeviceptr>(host);
  return Driver::get().memory.find(*device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
PTX_EXPORT CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
  *available = *total = size_t(4) << 30;
  return CUDA_SUCCESS;
}

static CUresult copy(void *to, const void *from, size_t size) {
  const DeviceMemory &memory = Driver::get().memory;
  if (memory.overruns(to, size) || memory.overruns(from, size))
    return report(CUDA_ERROR_INVALID_VALUE, "copy of " + llvm::Twine(size) +
                                                " bytes leaves the allocation of its " +
                                                (memory.overruns(to, size) ? "target" : "source"));
  std::memmove(to, from, size);
  return CUDA_SUCCESS;
}

static bool isOnDevice(CUdeviceptr pointer) { return Driver::get().memory.find(pointer); }

static CUresult copyChecked(CUdeviceptr to, CUdeviceptr from, size_t size, bool toDevice,
                            bool fromDevice) {
  if (size && ((toDevice && !isOnDevice(to)) || (fromDevice && !isOnDevice(from))))
    return report(CUDA_ERROR_INVALID_VALUE, "copy with an address that is no device memory");
  return copy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), size);
}

PTX_EXPORT CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copyChecked(to, from, size, false, false);
}
PTX_EXPORT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream) {
  return cuMemcpy(to, from, size);
}
PTX_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) {
  return copyChecked(to, reinterpret_cast<CUdeviceptr>(from), size, true, false);
}
PTX_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size, CUstream) {
  return cuMemcpyHtoD_v2(to, from, size);
}
PTX_EXPORT CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) {
  return copyChecked(reinterpret_cast<CUdeviceptr>(to), from, size, false, true);
}
PTX_EXPORT CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size, CUstream) {
  return cuMemcpyDtoH_v2(to, from, size);
}
PTX_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copyChecked(to, from, size, true, true);
}
PTX_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream) {
  return cuMemcpyDtoD_v2(to, from, size);
}

template <typename T> static CUresult fill(CUdeviceptr to, T value, size_t count) {
  if (count == 0)
    return CUDA_SUCCESS;
  auto *begin = reinterpret_cast<T *>(to);
  if (!isOnDevice(to) || Driver::get().memory.overruns(begin, count * sizeof(T)) || to % sizeof(T))
    return report(CUDA_ERROR_INVALID_VALUE, "memset of bytes that are no device memory");
  std::fill_n(begin, count, value);
  return CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill(to, value, count);
}
PTX_EXPORT CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill(to, value, count);
}
PTX_EXPORT CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill(to, value, count);
}
PTX_EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream) {
  return fill(to, value, count);
}
PTX_EXPORT CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream) {
  return fill(to, value, count);
}
PTX_EXPORT CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream) {
  return fill(to, value, count);
}
