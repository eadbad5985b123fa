//===- AsyncCopies.h - Bodies in place of copies to shared memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_LOWER_ASYNCCOPIES_H
#define UCMOH_LIB_TRANSFORMS_LOWER_ASYNCCOPIES_H

#include "mlir/IR/Operation.h"
#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// Replaces each ucmoh.copy, commit, wait and barrier under `root`. Fails with an error at an op
/// whose engine the library does not know.
mlir::LogicalResult lowerAsyncCopies(mlir::Operation *root, const TargetLibrary &library);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_LOWER_ASYNCCOPIES_H
