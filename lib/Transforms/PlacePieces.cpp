//===- PlacePieces.cpp - Kernels write pieces where they belong
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Network/Rest.h"
#include "Pieces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace ucmoh {
#define GEN_PASS_DEF_PLACEPIECES
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Returns the value before it was reshaped, if nothing else uses it.
static Value withoutReshapes(Value value) {
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(value.getDefiningOp()) &&
         value.hasOneUse())
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Whether the inserted elements are neighbours: behind the first dim that has several, all dims
/// are whole.
static bool isContiguous(tensor::InsertSliceOp insert) {
  ArrayRef<int64_t> sizes = insert.getStaticSizes();
  bool whole = false;
  for (auto [size, extent] : llvm::zip_equal(sizes, insert.getDestType().getShape())) {
    if (whole && (ShapedType::isDynamic(size) || size != extent))
      return false;
    whole |= size != 1;
  }
  return insert.hasUnitStride();
}

/// The destination of the insertion in place of the kernel's own buffer.
static void place(tensor::InsertSliceOp insert, DominanceInfo &dominance) {
  Value result = withoutReshapes(insert.getSource());
  auto kernel = result.getDefiningOp<KernelOp>();
  if (!kernel || !result.hasOneUse() || !isContiguous(insert) ||
      cast<RankedTensorType>(result.getType()).getRank() != 1)
    return;
  OpOperand *output = kernel.getTiedOpOperand(cast<OpResult>(result));
  if (!output->get().getDefiningOp<tensor::EmptyOp>() ||
      !llvm::all_of(insert->getOperands().drop_front(),
                    [&](Value value) { return dominance.properlyDominates(value, kernel); }))
    return;
  OpBuilder builder(kernel);
  Location loc = insert.getLoc();
  Value slice = tensor::ExtractSliceOp::create(builder, loc, insert.getSourceType(),
                                               insert.getDest(), insert.getMixedOffsets(),
                                               insert.getMixedSizes(), insert.getMixedStrides());
  if (int64_t rank = insert.getSourceType().getRank(); rank > 1)
    slice = tensor::CollapseShapeOp::create(
        builder, loc, slice, ArrayRef<ReassociationIndices>{llvm::to_vector(llvm::seq(rank))});
  output->set(slice);
}

/// Steps of a loop over batches or rows have buffers of their own, so that threads can share it:
/// those of all steps, and of ops in front of the loop, were found to be the same.
static void giveOwnBuffers(scf::ForOp loop) {
  llvm::SmallMapVector<Value, Value, 8> own;
  loop.getBody()->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      auto empty = operand.get().getDefiningOp<tensor::EmptyOp>();
      if (!empty || !loop.isDefinedOutsideOfLoop(empty))
        continue;
      Value &inside = own[empty];
      if (!inside)
        inside = OpBuilder::atBlockBegin(loop.getBody()).clone(*empty)->getResult(0);
      operand.set(inside);
    }
  });
}

namespace {
struct PlacePiecesPass : ucmoh::impl::PlacePiecesBase<PlacePiecesPass> {
  using Base::Base;
  void runOnOperation() override {
    DominanceInfo dominance(getOperation());
    getOperation().walk([&](tensor::InsertSliceOp insert) {
      if (insert->getParentOp()->hasAttr(piecesMark))
        place(insert, dominance);
    });
    getOperation().walk([](scf::ForOp loop) {
      if (loop->hasAttr(itemsMark) || loop->hasAttr(rowsMark))
        giveOwnBuffers(loop);
    });
  }
};
} // namespace
