//===- Weights.h - What is the same in each call
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_WEIGHTS_H
#define UCMOH_ANALYSIS_WEIGHTS_H

#include "mlir/IR/Value.h"

namespace ucmoh {

/// Whether a value is the same in each call of its function: computed without side effects from
/// constants and from arguments marked `{ucmoh.weight}`.
bool dependsOnWeightsAlone(mlir::Value value);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_WEIGHTS_H
