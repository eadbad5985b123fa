//===- Passes.h - The passes of UCMoH
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_PASSES_H
#define UCMOH_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace ucmoh {

#define GEN_PASS_DECL
#include "ucmoh/Transforms/Passes.h.inc"

/// Makes the passes available by name in tools and plugins.
/// Makes all passes, and the pipelines of Pipeline.h, available by name.
void registerUCMoHPasses();

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_PASSES_H
