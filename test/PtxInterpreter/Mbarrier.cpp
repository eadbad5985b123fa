//===- Mbarrier.cpp - mbarrier objects in shared memory -------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mbarrier.h"

using namespace ucmoh::ptx;

void Mbarriers::initialize(uint32_t address, int64_t count) {
  Mbarrier &barrier = barriers[address] = Mbarrier();
  barrier.writer = maxWarps + numInitialized++ % (maxWriters - maxWarps);
  barrier.expectedArrivals = barrier.pendingArrivals = count;
}

Mbarrier *Mbarriers::find(uint32_t address) {
  auto it = barriers.find(address);
  return it == barriers.end() ? nullptr : &it->second;
}

void Mbarriers::update(Mbarrier &barrier) {
  if (barrier.pendingArrivals != 0 || barrier.pendingBytes != 0)
    return;
  ++barrier.phase;
  barrier.pendingArrivals = barrier.expectedArrivals;
  barrier.completed = barrier.arriving;
}
