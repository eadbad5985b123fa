//===- NumberedOps.h - The contractions of a program, counted once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_NUMBEREDOPS_H
#define UCMOH_LIB_RUNTIME_NUMBEREDOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "ucmoh/Runtime/CompiledProgram.h"

namespace ucmoh {

/// What each compilation begins with: a copy of the module in which only `entries` are public,
/// without what is not used or computed twice. What is counted there is still there at the end.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> isolate(mlir::ModuleOp module,
                                                          llvm::ArrayRef<std::string> entries);

/// Marks the contractions of an isolated function with their index, `ucmoh.op`, and describes them.
std::vector<OpInfo> numberOps(mlir::func::FuncOp function);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_NUMBEREDOPS_H
