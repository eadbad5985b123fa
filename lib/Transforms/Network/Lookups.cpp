//===- Lookups.cpp - Bytes of a table are looked up by vectors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM gathers elements of a table one by one. Where the target has a `ucmoh.lookup`, a table of
/// 256 bytes stays in registers, and a few instructions find as many bytes as a vector has.
///
//===----------------------------------------------------------------------===//

#include "Rest.h"
#include "VectorLoops.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Analysis/BodySlice.h"

using namespace mlir;
using namespace ucmoh;

LookupOp ucmoh::widestLookup(const Target &target) {
  LookupOp widest;
  for (TargetOp op : target.ops)
    for (auto lookup : op.getOps<LookupOp>())
      if (!widest || lookup.getLanes() > widest.getLanes())
        widest = lookup;
  return widest;
}

/// The place that the body computes for an element of a table of 256 bytes; null if it is none.
static arith::IndexCastUIOp placeIn(memref::LoadOp load) {
  constexpr int64_t entries = 256;
  MemRefType table = load.getMemRefType();
  if (table.getRank() != 1 || table.getDimSize(0) != entries ||
      !table.getElementType().isInteger(8) || !table.areTrailingDimsContiguous(1))
    return {};
  auto place = load.getIndices().front().getDefiningOp<arith::IndexCastUIOp>();
  bool isOwn = place && place.getIn().getParentBlock() == load->getBlock() && place->hasOneUse();
  return isOwn && place.getIn().getType().isInteger(8) ? place : arith::IndexCastUIOp();
}

/// The look-up of an op whose other ops are elementwise; null if there is none, or several.
static memref::LoadOp findLoad(linalg::LinalgOp op) {
  memref::LoadOp found;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto load = dyn_cast<memref::LoadOp>(inner)) {
      if (found || !placeIn(load))
        return {};
      found = load;
    } else if (!isElementwiseOnVectors(inner)) {
      return {};
    }
  }
  return found;
}

static SmallVector<ReassociationIndices> allDims(linalg::LinalgOp op) {
  return {llvm::to_vector(llvm::seq<int64_t>(0, op.getNumLoops()))};
}

/// Whether rows follow each other in all operands: then vectors go over the ends of rows.
static bool isFlat(linalg::LinalgOp op) {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    return type && op.getMatchingIndexingMap(&operand).isIdentity() &&
           memref::CollapseShapeOp::isGuaranteedCollapsible(type, allDims(op));
  });
}

/// The same op on buffers of one dim.
static linalg::LinalgOp flatten(RewriterBase &rewriter, linalg::LinalgOp op) {
  auto flat = [&](ValueRange buffers) {
    return llvm::map_to_vector(buffers, [&](Value buffer) -> Value {
      return memref::CollapseShapeOp::create(rewriter, op.getLoc(), buffer, allDims(op));
    });
  };
  SmallVector<AffineMap> maps(op->getNumOperands(), rewriter.getMultiDimIdentityMap(1));
  SmallVector<Value> inputs = flat(op.getDpsInputs()), outputs = flat(op.getDpsInits());
  auto made = linalg::GenericOp::create(rewriter, op.getLoc(), inputs, outputs, maps,
                                        utils::IteratorType::parallel);
  rewriter.inlineRegionBefore(op->getRegion(0), made.getRegion(), made.getRegion().begin());
  rewriter.eraseOp(op);
  return cast<linalg::LinalgOp>(made.getOperation());
}

/// The target's way to look up bytes at a vector of places.
static Value inlineLookup(OpBuilder &builder, LookupOp lookup, Value table, Value places) {
  IRMapping mapping;
  Block &body = lookup.getBody().front();
  mapping.map(body.getArguments(), ValueRange{table, places});
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookup(body.getTerminator()->getOperand(0));
}

static void emit(RewriterBase &rewriter, linalg::LinalgOp op, LookupOp lookup) {
  memref::LoadOp load = findLoad(op);
  Location loc = op.getLoc();
  auto type = cast<VectorType>(lookup.getBody().getArgument(0).getType());
  Value first = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value table = vector::LoadOp::create(rewriter, loc, type, load.getMemRef(), first);
  auto lookUp = [&](Operation &inner, IRMapping &mapping) {
    if (&inner == load) {
      Value places = mapping.lookup(placeIn(load).getIn());
      mapping.map(load.getResult(), inlineLookup(rewriter, lookup, table, places));
    }
    return &inner == load || &inner == placeIn(load);
  };
  VectorLoops(rewriter, op, {lookup.getLanes(), /*vectors=*/1}).with(lookUp).emit();
  rewriter.eraseOp(op);
}

/// Whether a row has a whole vector: where processors have no masks for bytes, its rest is computed
/// one by one.
static bool hasLongRows(linalg::LinalgOp op, LookupOp lookup) {
  SmallVector<int64_t> extents = typicalExtents(op);
  return (isFlat(op) ? llvm::product_of(extents) : extents.back()) >= lookup.getLanes();
}

bool ucmoh::lookUpOnVectors(RewriterBase &rewriter, linalg::LinalgOp op, LookupOp lookup) {
  if (!lookup || op.getNumLoops() == 0 || op.getNumReductionLoops() || !findLoad(op) ||
      !VectorLoops::reachAll(op) || !hasLongRows(op, lookup) ||
      !llvm::all_of(op.getRegionOutputArgs(), [](Value value) { return value.use_empty(); }))
    return false;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  emit(rewriter, isFlat(op) && op.getNumLoops() > 1 ? flatten(rewriter, op) : op, lookup);
  return true;
}
