//===- StackScope.h - Where a kernel's stack buffers belong
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_STACKSCOPE_H
#define UCMOH_LIB_TRANSFORMS_STACKSCOPE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "ucmoh/Dialect/UCMoH.h"

namespace ucmoh {

/// The block in whose beginning to put an alloca that `user` needs: outside of all serial loops, in
/// which it would grow the stack with each iteration, but inside of a parallel one, whose threads
/// must not share it.
inline mlir::Block &stackScope(mlir::Operation *user) {
  mlir::Operation *scope = user->getParentOp();
  while (!mlir::isa<mlir::scf::ParallelOp, KernelOp, mlir::FunctionOpInterface>(scope))
    scope = scope->getParentOp();
  return scope->getRegion(0).front();
}

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_STACKSCOPE_H
