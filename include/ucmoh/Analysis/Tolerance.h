//===- Tolerance.h - How far results may be from what is expected
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_TOLERANCE_H
#define UCMOH_ANALYSIS_TOLERANCE_H

#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// What different orders of addition may do to a chain of operations on the type, relative to the
/// largest magnitude of a result; 0 for integers.
double defaultTolerance(mlir::Type elementType);

/// The same for one operation that is done by the intrinsic: its operands are the less exact.
double toleranceOf(const Intrinsic &intrinsic);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_TOLERANCE_H
