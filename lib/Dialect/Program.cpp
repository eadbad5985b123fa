//===- Program.cpp - The program ops against their intrinsic
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

/// The intrinsic, if it is in the nearest symbol table. Others are found by the passes: the ops of
/// outer tables are perhaps not verified yet, and reading an unverified intrinsic would crash.
static IntrinsicOp findNear(Operation *user, SymbolRefAttr name, SymbolTableCollection &tables) {
  return tables.lookupNearestSymbolFrom<IntrinsicOp>(user, name);
}

static LogicalResult verifyFragment(Operation *user, IntrinsicOp intrinsic, Type type, Role role) {
  if (!intrinsic || type == intrinsic.getFragmentType(role))
    return success();
  auto diagnostic = user->emitOpError()
                    << stringifyRole(role) << " fragment is " << type << ", but @"
                    << intrinsic.getSymName() << " has " << intrinsic.getFragmentType(role);
  diagnostic.attachNote(intrinsic.getLoc()) << "intrinsic defined here";
  return diagnostic;
}

template <typename OpTy> static LogicalResult verifyAccess(OpTy op) {
  auto type = cast<MemRefType>(op.getMemref().getType());
  if (static_cast<int64_t>(op.getIndices().size()) != type.getRank())
    return op.emitOpError("expected ")
           << type.getRank() << " indices, got " << op.getIndices().size();
  if (op.getStride() && static_cast<int64_t>(*op.getStride()) < 1)
    return op.emitOpError("'stride' must be positive");
  if (op.getValid() && (op.getValid()->size() != 2 ||
                        llvm::any_of(*op.getValid(), [](int64_t extent) { return extent < 1; })))
    return op.emitOpError("'valid' must be two positive numbers [rows, columns]");
  return success();
}

LogicalResult LoadOp::verify() { return verifyAccess(*this); }
LogicalResult StoreOp::verify() { return verifyAccess(*this); }

OpFoldResult LoadOp::fold(FoldAdaptor) {
  if (succeeded(memref::foldMemRefCast(*this)))
    return getFragment();
  return {};
}

LogicalResult StoreOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return memref::foldMemRefCast(*this);
}

LogicalResult LoadOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyFragment(*this, findNear(*this, getIntrinsic(), tables), getFragment().getType(),
                        getRole());
}

LogicalResult ComputeOp::verifySymbolUses(SymbolTableCollection &tables) {
  IntrinsicOp intrinsic = findNear(*this, getIntrinsic(), tables);
  for (auto [index, type] : llvm::enumerate(getOperandTypes()))
    if (failed(verifyFragment(*this, intrinsic, type, static_cast<Role>(index))))
      return failure();
  return success();
}

LogicalResult StoreOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyFragment(*this, findNear(*this, getIntrinsic(), tables), getFragment().getType(),
                        Role::acc);
}

LogicalResult ZeroOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyFragment(*this, findNear(*this, getIntrinsic(), tables), getFragment().getType(),
                        Role::acc);
}

LogicalResult TileOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
