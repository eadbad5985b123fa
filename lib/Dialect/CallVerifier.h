//===- CallVerifier.h - Checks calls of LLVM intrinsics against LLVM
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_DIALECT_CALLVERIFIER_H
#define UCMOH_LIB_DIALECT_CALLVERIFIER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace ucmoh {

/// Whether LLVM has the intrinsic, with these operand and result types. MLIR accepts any, so that
/// a mistake would surface only in the translation to LLVM IR, far from the target file.
mlir::LogicalResult verifyIntrinsicCall(mlir::LLVM::CallIntrinsicOp call);

} // namespace ucmoh

#endif // UCMOH_LIB_DIALECT_CALLVERIFIER_H
