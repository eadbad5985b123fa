//===- TileSteps.h - What rows of a register tile leave out
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DIALECT_TILESTEPS_H
#define UCMOH_DIALECT_TILESTEPS_H

#include "llvm/ADT/StringRef.h"

namespace ucmoh {

/// On a ucmoh.tile: of the last loop of the reduction, where each row begins to read anything but
/// zeros, and the end of it; two numbers a row, whole steps of the intrinsic. Without it each row
/// goes through all steps, which gives the same result.
inline constexpr llvm::StringLiteral stepsMark = "ucmoh.steps";

/// On a ucmoh.tile: into how many parts, which are summed side by side, the last loop of the
/// reduction is cut. Each part has whole steps of the intrinsic, and what is left comes behind.
/// Without it there is one, which gives the same result but for the order of sums.
inline constexpr llvm::StringLiteral streamsMark = "ucmoh.streams";

} // namespace ucmoh

#endif // UCMOH_DIALECT_TILESTEPS_H
