//===- Steps.cpp - Products of recurrent layers that need no earlier step
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A recurrent layer is a loop over steps. Each step multiplies its row of the input by weights,
/// and the state that the step before left by others. The rows of all steps are known ahead, so
/// one product in front of the loop multiplies all of them, and reads the weights once.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;

/// Steps and the rows of one step are the first two dims of the input, and become one.
static const SmallVector<ReassociationIndices> joined = {{0, 1}, {2}};

/// Whether the slice is one step of a tensor of static shape: one index of the first dim, and all
/// of the two others.
static bool isStep(tensor::ExtractSliceOp slice) {
  RankedTensorType type = slice.getSourceType();
  if (type.getRank() != 3 || !type.hasStaticShape() || !slice.hasUnitStride())
    return false;
  ArrayRef<int64_t> sizes = slice.getStaticSizes(), offsets = slice.getStaticOffsets();
  return sizes[0] == 1 && sizes.drop_front() == type.getShape().drop_front() &&
         llvm::all_of(offsets.drop_front(), [](int64_t offset) { return offset == 0; });
}

/// Finds the step whose rows the product multiplies; null if they are anything else, or if the loop
/// skips steps.
static tensor::ExtractSliceOp findStep(linalg::MatmulOp product, scf::ForOp loop) {
  Value rows = product.getInputs()[0];
  if (auto collapse = rows.getDefiningOp<tensor::CollapseShapeOp>();
      collapse && collapse.getReassociationIndices() == ArrayRef(joined))
    rows = collapse.getSrc();
  auto slice = rows.getDefiningOp<tensor::ExtractSliceOp>();
  std::optional<APInt> steps = loop.getStaticTripCount();
  if (!slice || !isStep(slice) || !loop.isDefinedOutsideOfLoop(slice.getSource()) || !steps ||
      steps->ult(slice.getSourceType().getDimSize(0)))
    return {};
  return slice;
}

/// Whether a product of a step's rows may leave the loop.
static bool canLeave(linalg::MatmulOp product, scf::ForOp loop) {
  return !product->hasAttr("ucmoh.choice") && !product.hasUserDefinedMaps() &&
         product.hasPureTensorSemantics() && isZeroTensor(product.getOutputs()[0]) &&
         loop.isDefinedOutsideOfLoop(product.getInputs()[1]) && findStep(product, loop);
}

/// The product of the rows of all steps, as steps x rows x columns.
static Value multiplyAll(OpBuilder &builder, linalg::MatmulOp product, Value input) {
  Location loc = product.getLoc();
  Value rows = tensor::CollapseShapeOp::create(builder, loc, input, joined);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
  auto result = cast<RankedTensorType>(product->getResult(0).getType());
  int64_t columns = result.getDimSize(1);
  Value empty = tensor::EmptyOp::create(builder, loc, {shape[0] * shape[1], columns},
                                        result.getElementType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(result.getElementType()));
  Value zeros = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  auto made = linalg::MatmulOp::create(builder, loc, TypeRange{zeros.getType()},
                                       ValueRange{rows, product.getInputs()[1]}, ValueRange{zeros});
  copyMarks(product, made);
  return tensor::ExpandShapeOp::create(builder, loc, result.clone({shape[0], shape[1], columns}),
                                       made->getResult(0), joined);
}

/// Replaces the product by the step's share of the product of all steps.
static void leave(RewriterBase &rewriter, linalg::MatmulOp product, scf::ForOp loop) {
  tensor::ExtractSliceOp step = findStep(product, loop);
  rewriter.setInsertionPoint(loop);
  Value all = multiplyAll(rewriter, product, step.getSource());
  rewriter.setInsertionPoint(product);
  SmallVector<OpFoldResult> sizes = step.getMixedSizes();
  sizes.back() = rewriter.getIndexAttr(cast<RankedTensorType>(all.getType()).getDimSize(2));
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
      product, cast<RankedTensorType>(product->getResult(0).getType()), all, step.getMixedOffsets(),
      sizes, step.getMixedStrides());
}

void ucmoh::multiplyAheadOfSteps(Operation *root) {
  IRRewriter rewriter(root->getContext());
  root->walk([&](scf::ForOp loop) {
    auto products = loop.getOps<linalg::MatmulOp>();
    if (llvm::none_of(products, [&](linalg::MatmulOp op) { return findStep(op, loop); }))
      return;
    moveLoopInvariantCode(loop); // weights that are transposed or cut out
    for (linalg::MatmulOp product : llvm::make_early_inc_range(products))
      if (canLeave(product, loop))
        leave(rewriter, product, loop);
  });
}
