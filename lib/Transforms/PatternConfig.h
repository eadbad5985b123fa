//===- PatternConfig.h - How pattern sets are applied
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_PATTERNCONFIG_H
#define UCMOH_LIB_TRANSFORMS_PATTERNCONFIG_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ucmoh {

/// For patterns on ops: no search for dead blocks, dead block arguments and equal blocks after each
/// round. In a network it takes longer than the patterns, and there are no such blocks before loops
/// become branches; then LLVM removes them.
inline mlir::GreedyRewriteConfig patternsOnly() {
  return mlir::GreedyRewriteConfig().setRegionSimplificationLevel(
      mlir::GreedySimplifyRegionLevel::Disabled);
}

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_PATTERNCONFIG_H
