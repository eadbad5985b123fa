//===- Program.cpp - The program ops against their intrinsic
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// Rows may be read again and again, but not written.
static LogicalResult verifyAccess(Operation *op, MemRefType view, int64_t leastDistance) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (view.getRank() != 2 || !view.hasStaticShape() || llvm::is_contained(view.getShape(), 0) ||
      failed(view.getStridesAndOffset(strides, offset)))
    return op->emitOpError("view is ") << view << ", expected rows and columns of static extents";
  if (strides[1] != 1 && view.getDimSize(1) > 1)
    return op->emitOpError("view is ") << view << ", but columns must be neighbours in memory";
  if (strides[0] < leastDistance && view.getDimSize(0) > 1 && !ShapedType::isDynamic(strides[0]))
    return op->emitOpError("view is ")
           << view << ", but rows must be at least " << leastDistance << " apart";
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getView().getType(), /*leastDistance=*/0);
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getView().getType(), /*leastDistance=*/1);
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
  std::array<int64_t, 2> whole = intrinsic.getViewShape(role);
  if (role != Role::rhs)
    whole[0] = rowsOf(intrinsic, op.getFragment().getType());
  MemRefType view = op.getView().getType();
  if (view.getDimSize(0) > whole[0] || view.getDimSize(1) > whole[1])
    return fail(intrinsic, op.emitOpError("view is ") << view << ", which exceeds the fragment of "
                                                      << whole[0] << " x " << whole[1]);
  return failure(failed(verifyFragment(op, intrinsic, op.getFragment().getType(), role)) ||
                 failed(verifyElement(op, intrinsic, view.getElementType(), role)));
}

static LogicalResult verifyComputeOf(ComputeOp op, IntrinsicOp intrinsic) {
  for (auto [index, type] : llvm::enumerate(op.getOperandTypes()))
    if (failed(verifyFragment(op, intrinsic, type, static_cast<Role>(index))))
      return failure();
  return success();
}

/// Verifies a view's extent along one dimension of the tile: it has at least what exists, and at
/// most the padding besides.
static LogicalResult verifyExtent(TileOp op, IntrinsicOp intrinsic, StringRef what, int64_t extent,
                                  int64_t least, int64_t most) {
  if (extent == least || extent == most)
    return success();
  return fail(intrinsic, op.emitOpError() << what << " is " << extent << ", expected " << least
                                          << (least == most ? "" : " or " + std::to_string(most)));
}

/// Lhs may be padded, rhs is.
static LogicalResult verifyExtents(TileOp op, IntrinsicOp intrinsic) {
  ArrayRef<int64_t> shape = intrinsic.getShape();
  int64_t pack = intrinsic.getKInterleave(), rows = op.getRows(), columns = op.getColumns();
  int64_t reduction = llvm::alignTo(op.getReduction().back(), shape[2]);
  int64_t width = llvm::alignTo(columns, shape[1]) * pack;
  ArrayRef<int64_t> rhs = op.getRhs().getType().getShape().take_back(2);
  for (Value partials : op.getPartials())
    if (failed(verifyExtent(op, intrinsic, "the length of rows of partials",
                            cast<MemRefType>(partials.getType()).getDimSize(1), shape[1],
                            shape[1])))
      return failure();
  return failure(
      failed(verifyExtent(op, intrinsic, "the number of rows of lhs",
                          op.getLhs().getType().getDimSize(0), rows,
                          llvm::alignTo(rows, shape[0]))) ||
      failed(verifyExtent(op, intrinsic, "the number of rows of rhs", rhs[0], reduction / pack,
                          reduction / pack)) ||
      failed(verifyExtent(op, intrinsic, "the length of rows of rhs", rhs[1], width, width)));
}

static LogicalResult verifyTileOf(TileOp op, IntrinsicOp intrinsic) {
  Operation *prologue = op.getPrologue().front().getTerminator();
  return failure(
      failed(verifyElement(op, intrinsic, op.getLhs().getType().getElementType(), Role::lhs)) ||
      failed(verifyElement(op, intrinsic, op.getRhs().getType().getElementType(), Role::rhs)) ||
      failed(verifyElement(op, intrinsic, prologue->getOperand(0).getType(), Role::acc)) ||
      failed(verifyElement(op, intrinsic, op.getEpilogue().getArgument(0).getType(), Role::acc)) ||
      failed(verifyExtents(op, intrinsic)));
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
