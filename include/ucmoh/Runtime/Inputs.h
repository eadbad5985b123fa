//===- Inputs.h - Seeded arguments that keep real networks finite
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_INPUTS_H
#define UCMOH_RUNTIME_INPUTS_H

#include "ucmoh/Runtime/Signature.h"

namespace ucmoh {

/// How arguments are made.
struct InputOptions {
  uint64_t seed = 0;              ///< decides all generated elements
  int64_t dynamicSize = 8;        ///< extent of each dimension that the type leaves open
  std::vector<std::string> files; ///< .npy, for the first arguments that are no weights, in order
};

/// One argument: what `ucmoh.range` promises of integers, else full range for i8 and i16, 0 or 1
/// for other integers (they may be indices), uniform floats of variance 1; weights of rank 1 lie in
/// [0.5, 1.5], those of higher rank are scaled by 1/sqrt(fan-in). The same type, position and seed
/// give the same elements.
Tensor makeInput(const Parameter &parameter, unsigned position, const InputOptions &options);

/// All arguments of a function, in order.
llvm::Expected<std::vector<Tensor>> makeInputs(const Signature &signature,
                                               const InputOptions &options);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_INPUTS_H
