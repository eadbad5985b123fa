//===- Memory.h - Buffers to read from, caches aside
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_PROBE_MEMORY_H
#define UCMOH_LIB_PROBE_MEMORY_H

#include "Benchmark.h"
#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// Memory of this process in pages as large as the system gives, written once by the calling thread
/// and so near to its core. Null if there is none.
std::shared_ptr<char> allocatePages(int64_t bytes);

/// How much one sample reads from memory, of a buffer so large that no cache knows it when it is
/// read again.
constexpr int64_t sliceBytes = 4 << 20;

/// A buffer for one core that is larger than the caches: four times the last one if the memory
/// allows, in whole slices.
int64_t chooseMemoryBytes(const Machine &machine);

/// Seconds of one read of a line that depends on the one before, in random order.
Benchmark measureLatency(std::shared_ptr<char> memory, int64_t bytes, int64_t lineBytes);

/// Seconds of a byte that @FUNCTION(buffer, results, passes) reads of `memory`, slice after slice.
llvm::Expected<Benchmark> measureMemory(llvm::StringRef name, Executable &executable,
                                        llvm::StringRef function, std::shared_ptr<char> memory,
                                        int64_t bytes, Tensor results);

/// The same for all `cores` at once, each in a buffer of its own.
llvm::Expected<Benchmark> measureAllCores(Executable &executable, llvm::StringRef name,
                                          llvm::ArrayRef<int> cores, Tensor results);

} // namespace ucmoh

#endif // UCMOH_LIB_PROBE_MEMORY_H
