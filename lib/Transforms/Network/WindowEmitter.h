//===- WindowEmitter.h - Windows are reduced in registers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NETWORK_WINDOWEMITTER_H
#define UCMOH_LIB_TRANSFORMS_NETWORK_WINDOWEMITTER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Analysis/WindowNest.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// Emits loops over register blocks at the builder's insertion point. `buffers` has the buffer of
/// each tensor that is read; `outputs` are those of the last op's results. `lanes` multiplies lane
/// by lane: the intrinsic that the op names, or that its choice does; null if neither does.
void emitWindows(mlir::OpBuilder &builder, WindowReduction window, const WindowBlock &block,
                 const Intrinsic *lanes, const mlir::IRMapping &buffers, mlir::ValueRange outputs);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NETWORK_WINDOWEMITTER_H
