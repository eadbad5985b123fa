//===- DeviceMemory.cpp - Global memory and what is allocated in it -------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include <sys/mman.h>

using namespace ucmoh::ptx;

/// Unmapped bytes on both sides, so that an index a little too large does not reach a neighbour.
static constexpr uint64_t guardBytes = 1 << 20;

DeviceMemory::~DeviceMemory() {
  for (auto &[begin, region] : regions)
    if (region.mappedSize)
      munmap(reinterpret_cast<void *>(region.mappedBegin), region.mappedSize);
}

void *DeviceMemory::allocate(size_t size, Kind kind) {
  uint64_t mappedSize = ((size + 4095) & ~uint64_t(4095)) + 2 * guardBytes;
  void *mapped =
      mmap(nullptr, mappedSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return nullptr;
  char *begin = static_cast<char *>(mapped) + guardBytes;
  if (mprotect(begin, mappedSize - 2 * guardBytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapped, mappedSize);
    return nullptr;
  }
  auto address = reinterpret_cast<uint64_t>(begin);
  regions[address] = {address, size, kind, reinterpret_cast<uint64_t>(mapped), mappedSize};
  return begin;
}

bool DeviceMemory::release(const void *pointer, Kind kind) {
  auto it = regions.find(reinterpret_cast<uint64_t>(pointer));
  if (it == regions.end() || !it->second.mappedSize)
    return false;
  // cuMemFree takes managed memory too.
  bool isManaged = it->second.kind == Managed && kind == Device;
  if (it->second.kind != kind && !isManaged)
    return false;
  munmap(reinterpret_cast<void *>(it->second.mappedBegin), it->second.mappedSize);
  regions.erase(it);
  return true;
}

bool DeviceMemory::registerHost(void *pointer, size_t size) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  if (find(address) || size == 0)
    return false;
  regions[address] = {address, size, RegisteredHost, 0, 0};
  return true;
}

bool DeviceMemory::unregisterHost(void *pointer) {
  auto it = regions.find(reinterpret_cast<uint64_t>(pointer));
  if (it == regions.end() || it->second.kind != RegisteredHost)
    return false;
  regions.erase(it);
  return true;
}

const DeviceMemory::Region *DeviceMemory::find(uint64_t address) const {
  auto it = regions.upper_bound(address);
  if (it == regions.begin())
    return nullptr;
  const Region &region = std::prev(it)->second;
  return address - region.begin < region.size ? &region : nullptr;
}

bool DeviceMemory::overruns(const void *pointer, size_t size) const {
  auto address = reinterpret_cast<uint64_t>(pointer);
  const Region *region = find(address);
  return region && size > region->size - (address - region->begin);
}
