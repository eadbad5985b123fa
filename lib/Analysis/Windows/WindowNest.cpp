//===- WindowNest.cpp - The loops of a reduction over windows
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/WindowNest.h"
#include "ucmoh/Analysis/WindowReduction.h"

using namespace mlir;
using namespace ucmoh;

WindowBlock WindowBlock::get(const Candidate &candidate) {
  int64_t lanes = candidate.intrinsic->n;
  return {lanes, candidate.tileN / lanes, candidate.tileM, candidate.order};
}

/// How the image's dim of this index moves with `loop`.
static WindowSlide slideOf(AffineExpr index, int64_t size, unsigned loop,
                           ArrayRef<unsigned> parallel) {
  SmallVector<int64_t> zeros(64, 0);
  WindowSlide slide;
  slide.dilation = coefficient(index, loop);
  slide.offset = *evaluate(index, zeros, zeros.size());
  slide.size = size;
  for (unsigned other : parallel)
    if (index.isFunctionOfDim(other)) {
      slide.over = other;
      slide.stride = coefficient(index, other);
    }
  return slide;
}

WindowNest::WindowNest(ArrayRef<int64_t> extents, AffineMap image, ArrayRef<int64_t> shape,
                       AffineMap result, std::optional<ChannelGroups> groups)
    : extents(extents) {
  auto isOfGroup = [&](unsigned loop) {
    return groups && (loop == groups->chunkLoop || loop == groups->rowLoop);
  };
  for (AffineExpr expr : result.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      parallel.push_back(dim.getPosition());
  channels = parallel.back();
  for (unsigned loop : ArrayRef(parallel).drop_back())
    if (image.isFunctionOfDim(loop))
      columns = loop;
  for (auto [index, size] : llvm::zip_equal(image.getResults(), shape))
    for (unsigned loop = 0; loop < extents.size(); ++loop)
      if (index.isFunctionOfDim(loop) && !isOfGroup(loop) && !llvm::is_contained(parallel, loop)) {
        reduction.push_back(loop);
        slides.push_back(::slideOf(index, size, loop, parallel));
        if (index.isFunctionOfDim(columns))
          taps = loop;
      }
  // Outside of the columns, so that what lanes read of a pixel is multiplied by all of them.
  if (groups) {
    depth = groups->chunkLoop;
    auto *place = taps ? llvm::find(reduction, *taps) : reduction.end();
    slides.insert(slides.begin() + (place - reduction.begin()), WindowSlide());
    reduction.insert(place, *depth);
  }
  // Loops that do not move in the image belong to the reduction, too: such a sum repeats elements.
  for (unsigned loop = 0; loop < extents.size(); ++loop)
    if (!llvm::is_contained(parallel, loop) && !llvm::is_contained(reduction, loop) &&
        !isOfGroup(loop)) {
      reduction.push_back(loop);
      slides.emplace_back();
    }
}

WindowNest WindowNest::get(WindowReduction window) {
  linalg::LinalgOp op = window.op;
  return WindowNest(op.getStaticLoopRanges(), window.imageMap(),
                    cast<RankedTensorType>(window.source.getType()).getShape(),
                    op.getMatchingIndexingMap(op.getDpsInitOperand(0)), window.groups);
}

WindowNest WindowNest::get(const Workload &workload) {
  SmallVector<int64_t> extents =
      llvm::map_to_vector(workload.dims, [](const Dim &dim) { return dim.extent; });
  return WindowNest(extents, workload.lhs.map, workload.lhs.shape, workload.acc.map);
}

SmallVector<unsigned> WindowNest::outerLoops(const LoopOrder &order) const {
  SmallVector<unsigned> loops;
  for (unsigned loop : parallel) {
    if (loop == channels)
      continue;
    if (loop == columns && order.rowTilesInside && !order.columnBlocksOutside)
      loops.push_back(channels);
    loops.push_back(loop);
  }
  if (order.columnBlocksOutside)
    loops.insert(loops.begin(), channels);
  else if (!order.rowTilesInside)
    loops.push_back(channels);
  return loops;
}

bool WindowNest::isInside(int64_t column, int64_t count) const {
  return !taps || (!isOutside(column, 0) && !isOutside(column + count - 1, extents[*taps] - 1));
}

bool WindowNest::isOutside(int64_t column, int64_t tap) const {
  const WindowSlide &slide = slideOf(*taps);
  int64_t place = slide.stride * column + slide.dilation * tap + slide.offset;
  return place < 0 || place >= slide.size;
}
