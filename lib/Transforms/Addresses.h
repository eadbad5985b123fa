//===- Addresses.h - Where elements of buffers lie
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_ADDRESSES_H
#define UCMOH_LIB_TRANSFORMS_ADDRESSES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ucmoh {

/// How many bytes so many elements of a buffer have.
mlir::Value bytesOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value elements,
                    mlir::MemRefType buffer);

/// Where the element lies that is `index` elements behind the first one of a buffer, as a `pointer`
/// of the LLVM dialect.
mlir::Value addressOf(mlir::OpBuilder &builder, mlir::memref::ExtractStridedMetadataOp buffer,
                      mlir::Value index, mlir::Type pointer);

/// The same of a buffer of which nothing else is asked.
mlir::Value addressOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer,
                      mlir::Value index, mlir::Type pointer);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_ADDRESSES_H
