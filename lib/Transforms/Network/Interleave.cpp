//===- Interleave.cpp - Planes of an image become the channels of its pixels
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Images come as three planes of colors, and convolutions read the three colors of a pixel. One
/// plane after the other would write every third element, one by one. Where an iteration computes
/// all channels of a pixel, its stores are neighbours, and LLVM shuffles vectors of the planes into
/// each other.
///
//===----------------------------------------------------------------------===//

#include "Rest.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Loops of an op over planes, and along their rows.
struct PlaneLoops {
  unsigned planes, along;
};
} // namespace

/// Whether all inputs are read in order, or not at all, along the loop.
static bool readsInOrder(linalg::LinalgOp op, unsigned loop) {
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    std::optional<int64_t> stride = strideOf(op, *input, loop);
    return stride && (*stride == 0 || *stride == 1);
  });
}

static std::optional<PlaneLoops> findPlaneLoops(linalg::LinalgOp op, int64_t lanes) {
  constexpr int64_t mostPlanes = 4; // whose vectors LLVM shuffles into pixels
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  OpOperand &result = *op.getDpsInitOperand(0);
  for (unsigned planes = 0; planes < op.getNumLoops(); ++planes) {
    if (extents[planes] < 2 || extents[planes] > mostPlanes || strideOf(op, result, planes) != 1)
      continue;
    for (unsigned along = 0; along < op.getNumLoops(); ++along)
      if (strideOf(op, result, along) == extents[planes] && extents[along] >= lanes &&
          readsInOrder(op, along))
        return PlaneLoops{planes, along};
  }
  return std::nullopt;
}

scf::ForOp ucmoh::interleavePlanes(RewriterBase &rewriter, linalg::LinalgOp op, int64_t lanes) {
  if (!linalg::isElementwise(op) || op.getNumDpsInits() != 1)
    return nullptr;
  std::optional<PlaneLoops> loops = findPlaneLoops(op, lanes);
  if (!loops)
    return nullptr;
  rewriter.setInsertionPoint(op);
  op = moveInnermost(rewriter, op, loops->along);
  op = moveInnermost(rewriter, op, loops->planes - (loops->planes > loops->along));
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LinalgLoops> made = linalg::linalgOpToLoops(rewriter, op);
  if (failed(made))
    return nullptr;
  rewriter.eraseOp(op);
  auto along = cast<scf::ForOp>((*made)[made->size() - 2]);
  (void)loopUnrollFull(cast<scf::ForOp>(made->back())); // its iterations are few
  return along;
}
