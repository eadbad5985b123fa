//===- Mbarrier.h - mbarrier objects in shared memory -----------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_MBARRIER_H
#define UCMOH_PTXINTERPRETER_MBARRIER_H

#include "SharedMemory.h"
#include <map>

namespace ucmoh::ptx {

/// One mbarrier: a phase completes when nothing is pending, arrivals and bytes alike.
struct Mbarrier {
  int64_t expectedArrivals = 0;
  int64_t pendingArrivals = 0;
  int64_t pendingBytes = 0;
  uint64_t phase = 0;
  /// The clock before the arrivals of this phase, and that before the latest completed one.
  Clock arriving, completed;
  /// In whose name the copies write that this barrier counts.
  unsigned writer = 0;
};

/// The mbarriers of a block by their addresses.
class Mbarriers {
public:
  void reset() { barriers.clear(); }
  void initialize(uint32_t address, int64_t count);
  void invalidate(uint32_t address) { barriers.erase(address); }
  /// The one at `address`, or null.
  Mbarrier *find(uint32_t address);
  /// Completes the phase if nothing is pending any more.
  static void update(Mbarrier &barrier);

private:
  unsigned numInitialized = 0;
  std::map<uint32_t, Mbarrier> barriers;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_MBARRIER_H
