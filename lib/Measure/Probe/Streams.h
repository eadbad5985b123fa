//===- Streams.h - Executions of an intrinsic in a loop
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_MEASURE_PROBE_STREAMS_H
#define UCMOH_LIB_MEASURE_PROBE_STREAMS_H

#include "mlir/IR/Builders.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Measure/Tensor.h"

namespace ucmoh {

/// How often an intrinsic executes in one round of a loop, each on an accumulator of its own, and
/// on which operands.
struct StreamShape {
  int64_t executions;    ///< 1: a chain, each execution adds to the result of the last
  int64_t lhs, rhs;      ///< fragments held in registers
  bool exchangesLhs;     ///< the fragments of lhs change places from round to round
  int64_t additions = 0; ///< a chain of dependent scalar additions beside it: a clock
};

/// A chain of executions on one accumulator.
StreamShape chainOf(const Intrinsic &intrinsic);

/// As many independent executions as the registers allow.
StreamShape streamOf(const Intrinsic &intrinsic);

/// Adds to `module` a function @NAME(lhs, rhs, acc, numbers, rounds) that loads fragments, executes
/// `rounds` rounds and stores the accumulators.
void addStream(mlir::ModuleOp module, llvm::StringRef name, const Intrinsic &intrinsic,
               const StreamShape &shape);

/// Its arguments, without the last.
std::vector<Tensor> makeStreamArguments(const Intrinsic &intrinsic, const StreamShape &shape);

} // namespace ucmoh

#endif // UCMOH_LIB_MEASURE_PROBE_STREAMS_H
