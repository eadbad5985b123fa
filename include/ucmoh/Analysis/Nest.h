//===- Nest.h - How the dimensions of a workload become loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_NEST_H
#define UCMOH_ANALYSIS_NEST_H

#include "ucmoh/Analysis/Workload.h"

namespace ucmoh {

/// How an operand reaches the micro-kernels: read in place, copied to a scratch
/// buffer cache block by cache block, or copied as a whole by an op of its own.
enum class Packing { None, Block, Ahead };

/// How the dims of a workload become loops under a candidate. The last dim of each of m, n, k is the
/// collapsed innermost group that register tiles run along; the others are outer loops.
/// Dims are collapsed only where every operand that micro-kernels read in place keeps them contiguous.
struct Nest {
  struct Group {
    llvm::SmallVector<unsigned> dims; ///< of the workload, outermost first; may be empty (extent 1)
    int64_t extent = 1;
  };
  llvm::SmallVector<Group> batch, outerM, outerN, outerK;
  Group m, n, k; ///< the tiled ones
};
Nest buildNest(const Workload &workload, Packing packLhs, Packing packRhs);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_NEST_H
