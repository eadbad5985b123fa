//===- Benchmarks.h - The benchmarks of a machine, ready to be sampled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_PROBE_BENCHMARKS_H
#define UCMOH_LIB_PROBE_BENCHMARKS_H

#include "Benchmark.h"
#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// All that is measured of one machine. Benchmarks stay where they are.
struct Benchmarks {
  struct Cost {
    const Intrinsic *intrinsic;
    Benchmark *chain, *stream; ///< seconds of an execution
  };
  std::vector<std::unique_ptr<Executable>> executables; ///< that the benchmarks run
  std::vector<std::unique_ptr<Benchmark>> all;          ///< in the order of a round
  std::vector<Cost> costs;
  Benchmark *clock = nullptr;                            ///< seconds of an addition
  Benchmark *l1 = nullptr, *l2 = nullptr, *l3 = nullptr; ///< seconds of a byte
  Benchmark *memory = nullptr, *allCores = nullptr;      ///< seconds of a byte
  Benchmark *memoryStreams = nullptr; ///< seconds of a byte, in several places side by side
  Benchmark *memoryLatency = nullptr; ///< seconds of a read
  Benchmark *broadcast = nullptr;     ///< seconds of broadcasting a byte; may be null
  const Intrinsic *broadcasting = nullptr, *heaviest = nullptr; ///< used by those
  int64_t readBits = 0;                                         ///< bits of a register
  int64_t l1BufferBytes = 0, l2BufferBytes = 0, l3BufferBytes = 0, memoryBufferBytes = 0;
};

/// Compiles programs for the target, whose intrinsics this CPU executes, and calibrates them for
/// the machine's caches. `target` must outlive what is returned; `targetName` is what it was
/// resolved from, `cores` are those that the whole machine is measured with.
llvm::Expected<Benchmarks> makeBenchmarks(const Target &target, llvm::StringRef targetName,
                                          llvm::ArrayRef<int> cores);

} // namespace ucmoh

#endif // UCMOH_LIB_PROBE_BENCHMARKS_H
