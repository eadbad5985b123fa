//===- ExpandFloats.h - Floats of 8 bits from and to wider ones -*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_EXPANDFLOATS_H
#define UCMOH_LIB_TRANSFORMS_EXPANDFLOATS_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace ucmoh {

/// arith.extf from f8 and arith.truncf to it, of scalars and vectors, become arithmetic on the
/// bits: rounded to the nearest, ties to even; what is too large becomes infinity, or NaN where the
/// type has none.
std::unique_ptr<mlir::Pass> createExpandFloats();

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_EXPANDFLOATS_H
