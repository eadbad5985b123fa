//===- Program.cpp - The program ops against their intrinsic
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

template <typename OpTy> static LogicalResult verifyAccess(OpTy op) {
  auto type = cast<MemRefType>(op.getMemref().getType());
  if (static_cast<int64_t>(op.getIndices().size()) != type.getRank())
    return op.emitOpError("expected ")
           << type.getRank() << " indices, got " << op.getIndices().size();
  if (op.getValid() && (op.getValid()->size() != 2 ||
                        llvm::any_of(*op.getValid(), [](int64_t extent) { return extent < 1; })))
    return op.emitOpError("'valid' must be two positive numbers [rows, columns]");
  return success();
}

/// Rows may be read again and again, but not written.
LogicalResult LoadOp::verify() {
  if (getStride() && static_cast<int64_t>(*getStride()) < 0)
    return emitOpError("'stride' must not be negative");
  return verifyAccess(*this);
}

LogicalResult StoreOp::verify() {
  if (getStride() && static_cast<int64_t>(*getStride()) < 1)
    return emitOpError("'stride' must be positive");
  return verifyAccess(*this);
}

OpFoldResult LoadOp::fold(FoldAdaptor) {
  if (succeeded(memref::foldMemRefCast(*this)))
    return getFragment();
  return {};
}

LogicalResult StoreOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return memref::foldMemRefCast(*this);
}

/// The note that follows an error about an op that does not fit its intrinsic.
static LogicalResult fail(IntrinsicOp intrinsic, InFlightDiagnostic diagnostic) {
  diagnostic.attachNote(intrinsic.getLoc()) << "intrinsic defined here";
  return diagnostic;
}

/// Rows of a fragment of this type: m, unless it may have fewer and has.
static int64_t rowsOf(IntrinsicOp intrinsic, Type fragment) {
  int64_t m = intrinsic.getShape()[0];
  auto shaped = dyn_cast<ShapedType>(fragment);
  if (!intrinsic.getVariableM() || !shaped || !shaped.hasRank() || shaped.getRank() != 2)
    return m;
  return std::clamp<int64_t>(shaped.getDimSize(0), 1, m);
}

static LogicalResult verifyFragment(Operation *user, IntrinsicOp intrinsic, Type type, Role role) {
  if (type == intrinsic.getFragmentType(role, rowsOf(intrinsic, type)))
    return success();
  return fail(intrinsic, user->emitOpError()
                             << stringifyRole(role) << " fragment is " << type << ", but @"
                             << intrinsic.getSymName() << " has " << intrinsic.getFragmentType(role)
                             << (intrinsic.getVariableM() ? " or fewer rows" : ""));
}

static LogicalResult verifyElement(Operation *user, IntrinsicOp intrinsic, Type type, Role role) {
  Type expected = intrinsic.getSignlessType(role);
  if (type == expected)
    return success();
  return fail(intrinsic, user->emitOpError()
                             << stringifyRole(role) << " elements are " << type << ", but @"
                             << intrinsic.getSymName() << " has " << expected);
}

/// A load or store touches at most one fragment.
template <typename OpTy>
static LogicalResult verifyAccessOf(OpTy op, IntrinsicOp intrinsic, Role role) {
  std::array<int64_t, 2> view = intrinsic.getViewShape(role);
  if (role != Role::rhs)
    view[0] = rowsOf(intrinsic, op.getFragment().getType());
  auto valid = op.getValid();
  if (valid && ((*valid)[0] > view[0] || (*valid)[1] > view[1]))
    return fail(intrinsic, op.emitOpError("'valid' [") << *valid << "] exceeds the fragment of ["
                                                       << view[0] << ", " << view[1] << "]");
  return failure(
      failed(verifyFragment(op, intrinsic, op.getFragment().getType(), role)) ||
      failed(verifyElement(op, intrinsic, op.getMemref().getType().getElementType(), role)));
}

static LogicalResult verifyComputeOf(ComputeOp op, IntrinsicOp intrinsic) {
  for (auto [index, type] : llvm::enumerate(op.getOperandTypes()))
    if (failed(verifyFragment(op, intrinsic, type, static_cast<Role>(index))))
      return failure();
  return success();
}

static LogicalResult verifyTileOf(TileOp op, IntrinsicOp intrinsic) {
  Operation *prologue = op.getPrologue().front().getTerminator();
  return failure(
      failed(verifyElement(op, intrinsic, op.getLhs().getType().getElementType(), Role::lhs)) ||
      failed(verifyElement(op, intrinsic, op.getRhs().getType().getElementType(), Role::rhs)) ||
      failed(verifyElement(op, intrinsic, prologue->getOperand(0).getType(), Role::acc)) ||
      failed(verifyElement(op, intrinsic, op.getEpilogue().getArgument(0).getType(), Role::acc)));
}

LogicalResult ucmoh::verifyUse(Operation *user, IntrinsicOp intrinsic) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(user)
      .Case([&](LoadOp op) { return verifyAccessOf(op, intrinsic, op.getRole()); })
      .Case([&](StoreOp op) { return verifyAccessOf(op, intrinsic, Role::acc); })
      .Case([&](ComputeOp op) { return verifyComputeOf(op, intrinsic); })
      .Case([&](ZeroOp op) {
        return verifyFragment(op, intrinsic, op.getFragment().getType(), Role::acc);
      })
      .Case([&](TileOp op) { return verifyTileOf(op, intrinsic); });
}

/// Checks against the nearest symbol table only: the ops of outer tables are perhaps not verified
/// yet, and reading an unverified intrinsic would crash.
static LogicalResult verifyNearUse(Operation *user, SymbolRefAttr name,
                                   SymbolTableCollection &tables) {
  auto intrinsic = tables.lookupNearestSymbolFrom<IntrinsicOp>(user, name);
  return intrinsic ? verifyUse(user, intrinsic) : success();
}

LogicalResult LoadOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyNearUse(*this, getIntrinsic(), tables);
}

LogicalResult ComputeOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyNearUse(*this, getIntrinsic(), tables);
}

LogicalResult StoreOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyNearUse(*this, getIntrinsic(), tables);
}

LogicalResult ZeroOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyNearUse(*this, getIntrinsic(), tables);
}

LogicalResult TileOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyNearUse(*this, getIntrinsic(), tables);
}
