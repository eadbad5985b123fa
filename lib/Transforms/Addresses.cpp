//===- Addresses.cpp - Where elements of buffers lie
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

Value ucmoh::bytesOf(OpBuilder &builder, Location loc, Value elements, MemRefType buffer) {
  int64_t bytes = llvm::divideCeil(buffer.getElementTypeBitWidth(), 8);
  return arith::MulIOp::create(builder, loc, elements,
                               arith::ConstantIndexOp::create(builder, loc, bytes));
}

Value ucmoh::addressOf(OpBuilder &builder, memref::ExtractStridedMetadataOp buffer, Value index,
                       Type pointer) {
  Location loc = buffer.getLoc();
  auto type = cast<MemRefType>(buffer.getSource().getType());
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer.getSource());
  Value element = arith::AddIOp::create(builder, loc, buffer.getOffset(), index);
  Value address = arith::AddIOp::create(builder, loc, base, bytesOf(builder, loc, element, type));
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(builder, loc, pointer, integer, LLVM::DereferenceableAttr());
}

Value ucmoh::addressOf(OpBuilder &builder, Location loc, Value buffer, Value index, Type pointer) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  return addressOf(builder, metadata, index, pointer);
}
