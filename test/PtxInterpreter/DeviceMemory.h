//===- DeviceMemory.h - Global memory and what is allocated in it -*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_DEVICEMEMORY_H
#define UCMOH_PTXINTERPRETER_DEVICEMEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>

namespace ucmoh::ptx {

/// The regions that kernels may touch. A device address is the host's address of the same bytes.
class DeviceMemory {
public:
  enum Kind : uint8_t { Device, Managed, PinnedHost, RegisteredHost, ReadOnly };
  struct Region {
    uint64_t begin, size;
    Kind kind;
    /// Bytes of the mapping, guards included; 0 if the memory is not ours.
    uint64_t mappedBegin, mappedSize;
  };

  ~DeviceMemory();

  /// `size` zeroed bytes, at least 256-byte aligned, far from every other region; null if there is
  /// no memory.
  void *allocate(size_t size, Kind kind);
  /// Releases what `allocate` gave; false if it did not or if the kind is another.
  bool release(const void *pointer, Kind kind);
  /// Makes memory of the host visible, or takes that back.
  bool registerHost(void *pointer, size_t size);
  bool unregisterHost(void *pointer);

  /// The region that holds `address`, or null.
  const Region *find(uint64_t address) const;
  /// Whether [address, address + size) begins in a region and leaves it.
  bool overruns(const void *pointer, size_t size) const;

private:
  std::map<uint64_t, Region> regions;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_DEVICEMEMORY_H
