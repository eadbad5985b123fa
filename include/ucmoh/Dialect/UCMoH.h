//===- UCMoH.h - The ucmoh dialect
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DIALECT_UCMOH_H
#define UCMOH_DIALECT_UCMOH_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <memory>
#include <mutex>

#include "ucmoh/Dialect/UCMoHDialect.h.inc"
#include "ucmoh/Dialect/UCMoHEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ucmoh/Dialect/UCMoHAttrs.h.inc"

#define GET_OP_CLASSES
#include "ucmoh/Dialect/UCMoHOps.h.inc"

namespace ucmoh {

/// Register tiles become straight code: bounded, so that no number in a file makes the compiler run
/// away. Far above what any register file holds.
constexpr int64_t largestTileElements = 8192, largestThreads = 1024, largestPipelineDepth = 16;

/// The strides of a view whose layout has them.
llvm::SmallVector<int64_t> stridesOf(mlir::Value view);

/// The type of the view's part at one position of `dimension`, wherever it begins.
mlir::MemRefType withoutDimension(mlir::MemRefType type, unsigned dimension);

/// Whether `tile` is [rows, columns] of a register tile within the bounds.
bool isRegisterTile(llvm::ArrayRef<int64_t> tile);

/// Whether the types of a program op (load, compute, store, zero, tile) are those of its intrinsic.
/// To be called where the symbol was looked up in a library: the op's own verifier sees only
/// intrinsics of the same module.
mlir::LogicalResult verifyUse(mlir::Operation *user, IntrinsicOp intrinsic);

/// Registers the ucmoh dialect and the dialects that bodies of intrinsics are
/// written in. These are loaded only when a target file uses them.
void registerUCMoH(mlir::DialectRegistry &registry);

} // namespace ucmoh

#endif // UCMOH_DIALECT_UCMOH_H
