//===- SharedMemory.h - Shared memory with a shadow -------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_SHAREDMEMORY_H
#define UCMOH_PTXINTERPRETER_SHAREDMEMORY_H

#include "Kernel.h"

namespace ucmoh::ptx {

constexpr unsigned maxWarps = 32;
/// Bulk copies write in the name of one of these, beside the warps: whoever reads must have waited
/// for the mbarrier, the warp that issued the copy too.
constexpr unsigned maxWriters = maxWarps + 32;

/// Holds what a warp knows of the others: of each warp, up to which time its accesses happened
/// before. The own entry is the time that stamps the warp's accesses. Barriers join clocks.
struct Clock {
  uint32_t times[maxWriters] = {};

  void join(const Clock &other) {
    for (unsigned i = 0; i < maxWriters; ++i)
      times[i] = std::max(times[i], other.times[i]);
  }
};

/// The shared memory of one block. Beside each byte stands who wrote it and who read it when, so
/// that an access can be refused that another warp's access is not ordered with.
class SharedMemory {
public:
  enum class Verdict : uint8_t {
    Fine,
    OutOfBounds,
    Uninitialized,
    /// A cp.async to this byte has not been waited for.
    Pending,
    /// Another warp wrote the byte, and no barrier lies between.
    RaceWithWrite,
    RaceWithRead
  };
  struct Result {
    Verdict verdict = Verdict::Fine;
    uint32_t address = 0;
    unsigned warp = 0;
  };

  void reset(size_t size);
  size_t size() const { return bytes.size(); }
  uint8_t *data(uint32_t address) { return bytes.data() + (address - sharedBase); }

  /// Whether `warp` may read or write [address, address + size) now; remembers that it did.
  Result read(unsigned warp, const Clock &clock, uint64_t address, unsigned size);
  Result write(unsigned warp, const Clock &clock, uint64_t address, unsigned size);
  /// Atomic accesses do not race with each other.
  Result update(unsigned warp, const Clock &clock, uint64_t address, unsigned size);
  /// A write that ends with `complete`, at another time.
  Result beginCopy(unsigned warp, const Clock &clock, uint64_t address, unsigned size);
  void complete(unsigned warp, const Clock &clock, uint32_t address, unsigned size);
  /// A write of `warp` whose bytes belong to `writer` from `time` on.
  Result writeAs(unsigned writer, uint32_t time, unsigned warp, const Clock &clock,
                 uint64_t address, unsigned size);
  /// Bytes with rules of their own (an mbarrier): defined, and never racing.
  bool exempt(uint64_t address, unsigned size);

private:
  struct Shadow {
    uint32_t writeTime, readTime, readers;
    uint8_t writer;
    bool isInitialized, isPending, isAtomic;
  };

  bool contains(uint64_t address, unsigned size) const;
  Verdict checkRead(Shadow &shadow, unsigned warp, const Clock &clock, unsigned &other);
  Verdict checkWrite(Shadow &shadow, unsigned warp, const Clock &clock, unsigned &other);
  template <typename Check> Result forEachByte(uint64_t address, unsigned size, Check check);

  std::vector<uint8_t> bytes;
  std::vector<Shadow> shadows;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_SHAREDMEMORY_H
