//===- ThreadRegisters.h - Registers that a thread needs under a candidate
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_THREADREGISTERS_H
#define UCMOH_ANALYSIS_THREADREGISTERS_H

#include "ucmoh/Analysis/Program.h"

namespace ucmoh {

/// Registers of the fragments that are live at once: all accumulators, rhs of one step, and one of
/// lhs (where one thread has all of a fragment, a register for its row at a time).
/// `rows` and `columns` count fragments of the tile.
int64_t fragmentRegisters(const Intrinsic &intrinsic, int64_t rows, int64_t columns);

/// Estimates the registers that a thread of a device needs, and what of it has none. They are known
/// only to the assembler of the device, so this is an estimate from before there is code;
/// docs/results/devices.md says how far it is from what was assembled.
struct ThreadRegisters {
  double used = 0;         ///< at most those that there are
  double spilledBytes = 0; ///< beyond the target's limit, or a block's share of a core
};

/// `program` is a grid of blocks of threads.
ThreadRegisters estimateThreadRegisters(const Program &program, const Intrinsic &intrinsic,
                                        const Machine &machine);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_THREADREGISTERS_H
