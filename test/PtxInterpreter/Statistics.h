//===- Statistics.h - What a launch executed --------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_STATISTICS_H
#define UCMOH_PTXINTERPRETER_STATISTICS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace ucmoh::ptx {

/// A number of threads or blocks in three dimensions.
struct Extent {
  unsigned x = 1, y = 1, z = 1;
  uint64_t total() const { return uint64_t(x) * y * z; }
};

/// Counters of one launch. An instruction counts once a warp.
struct Statistics {
  uint64_t instructions = 0;
  uint64_t divergentBranches = 0;
  uint64_t barriers = 0;
  uint64_t mma = 0;
  uint64_t wgmma = 0;
  uint64_t ldmatrix = 0;
  /// Extra passes that bank conflicts cost.
  uint64_t ldmatrixConflicts = 0;
  uint64_t sharedAccesses = 0;
  uint64_t sharedConflicts = 0;
  uint64_t globalAccesses = 0;
  uint64_t globalBytes = 0;
  uint64_t cpAsyncBytes = 0;
  uint64_t bulkBytes = 0;

  /// Appends one line of JSON to the file that PTX_INTERPRETER_STATS names, if it does.
  void append(llvm::StringRef kernel, Extent grid, Extent block, uint64_t sharedBytes) const;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_STATISTICS_H
