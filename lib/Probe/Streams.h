//===- Streams.h - Executions of an intrinsic in a loop
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_PROBE_STREAMS_H
#define UCMOH_LIB_PROBE_STREAMS_H

#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Runtime/Executable.h"

namespace ucmoh {

/// Executions of an intrinsic in one iteration of a loop, in turn on accumulators and on pairs of
/// operands that stay in registers.
struct StreamShape {
  int64_t executions, accumulators; ///< one accumulator: a chain
  int64_t lhs, rhs;                 ///< fragments
  bool exchangesLhs;     ///< the fragments of lhs change places from iteration to iteration
  int64_t lhsSteps = 0;  ///< if not 0, each execution loads its lhs: from so many in turn
  int64_t additions = 0; ///< in a chain of dependent scalar ones beside the executions: a clock
};

/// A chain of executions on one accumulator.
StreamShape chainOf(const Intrinsic &intrinsic);

/// As many independent executions as the registers allow.
StreamShape streamOf(const Intrinsic &intrinsic);

/// The same with a load of lhs for each execution, as in a register tile one fragment wide.
StreamShape loadingStreamOf(const Intrinsic &intrinsic);

/// Whether a load of lhs fills a whole register with copies of a few elements.
bool isBroadcast(const Intrinsic &intrinsic);

/// Adds to `module` a function @NAME(lhs, rhs, acc, numbers, iterations) that loads fragments,
/// executes `iterations` iterations and stores the accumulators.
void addStream(mlir::ModuleOp module, llvm::StringRef name, const Intrinsic &intrinsic,
               const StreamShape &shape);

/// What such functions are compiled for: the intrinsic's own target and nothing else that this CPU
/// has. LLVM would else take another instruction where that is better, and its cost would be
/// measured.
CodeTarget codeTargetOf(const Intrinsic &intrinsic, const Target &target);

/// Lowers programs of ucmoh ops to the LLVM dialect; `targetName` is what the target was resolved
/// from.
llvm::Error lowerPrograms(mlir::ModuleOp module, llvm::StringRef targetName);

/// Its arguments, without the last.
std::vector<Tensor> makeStreamArguments(const Intrinsic &intrinsic, const StreamShape &shape);

} // namespace ucmoh

#endif // UCMOH_LIB_PROBE_STREAMS_H
