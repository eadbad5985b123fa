//===- Instruments.h - The quantities of a machine, ready to be sampled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_PROBE_INSTRUMENTS_H
#define UCMOH_LIB_PROBE_INSTRUMENTS_H

#include "Quantity.h"
#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// All that is measured of one machine. Quantities stay where they are.
struct Instruments {
  struct Cost {
    const Intrinsic *intrinsic;
    Quantity *chain, *stream; ///< seconds of an execution
  };
  std::vector<std::unique_ptr<Executable>> executables; ///< that the quantities run
  std::vector<std::unique_ptr<Quantity>> quantities;    ///< in the order of a round
  std::vector<Cost> costs;
  Quantity *clock = nullptr;                                    ///< seconds of an addition
  Quantity *l1 = nullptr, *l2 = nullptr, *l3 = nullptr;         ///< seconds of a byte
  Quantity *memory = nullptr, *allCores = nullptr;              ///< seconds of a byte
  Quantity *memoryLatency = nullptr;                            ///< seconds of a read
  Quantity *broadcast = nullptr;                                ///< of a byte; may be null
  const Intrinsic *broadcasting = nullptr, *heaviest = nullptr; ///< used by those
  int64_t readBits = 0;                                         ///< of a register
  int64_t l1BufferBytes = 0, l2BufferBytes = 0, l3BufferBytes = 0, memoryBufferBytes = 0;
};

/// Compiles programs for the target, whose intrinsics this CPU executes, and calibrates them for
/// the machine's caches. `target` must outlive what is returned; `targetName` is what it was
/// resolved from, `cores` are those that the whole machine is measured with.
llvm::Expected<Instruments> makeInstruments(const Target &target, llvm::StringRef targetName,
                                            llvm::ArrayRef<int> cores);

} // namespace ucmoh

#endif // UCMOH_LIB_PROBE_INSTRUMENTS_H
