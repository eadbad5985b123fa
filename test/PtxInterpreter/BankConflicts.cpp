//===- BankConflicts.cpp - Banks of shared memory -------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BankConflicts.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh::ptx;

/// The passes of one part: the most different words in one bank.
static unsigned countPasses(llvm::ArrayRef<uint32_t> words) {
  uint8_t counts[32] = {};
  unsigned passes = 0;
  for (size_t i = 0; i < words.size(); ++i)
    if (!llvm::is_contained(words.take_front(i), words[i]))
      passes = std::max<unsigned>(passes, ++counts[words[i] % 32]);
  return passes;
}

unsigned ucmoh::ptx::countBankConflicts(LaneMask lanes, unsigned size,
                                        llvm::function_ref<uint32_t(unsigned)> addressOf) {
  unsigned lanesOfPart = size <= 4 ? warpSize : std::max(1u, 128 / size), conflicts = 0;
  for (unsigned first = 0; first < warpSize; first += lanesOfPart) {
    llvm::SmallVector<uint32_t, 64> words;
    for (unsigned lane = first; lane < first + lanesOfPart; ++lane)
      if (lanes >> lane & 1)
        for (unsigned byte = 0; byte < size; byte += 4)
          words.push_back((addressOf(lane) + byte) / 4);
    conflicts += std::max(countPasses(words), 1u) - 1;
  }
  return conflicts;
}
