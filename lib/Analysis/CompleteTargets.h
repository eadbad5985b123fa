//===- CompleteTargets.h - Targets with all that they share with others
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_COMPLETETARGETS_H
#define UCMOH_LIB_ANALYSIS_COMPLETETARGETS_H

#include "mlir/IR/BuiltinOps.h"

namespace ucmoh {

/// Clones into each target of `library` what it takes over from the targets that it extends, into
/// each intrinsic the bodies of the fragments that it names, and into each asynchronous copy those
/// of the one that it is like. From then on every intrinsic and copy is complete by itself. Errors
/// are reported at the op that names what is missing or does not fit. What is complete already
/// stays as it is.
mlir::LogicalResult completeTargets(mlir::ModuleOp library);

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_COMPLETETARGETS_H
