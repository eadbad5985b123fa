//===- PreparedModule.h - A module in which choices can be pinned
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_PREPAREDMODULE_H
#define UCMOH_TRANSFORMS_PREPAREDMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace ucmoh {

/// The module as ucmoh-select sees it: choices are pinned there.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> prepareModule(mlir::ModuleOp module);

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_PREPAREDMODULE_H
