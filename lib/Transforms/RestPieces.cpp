//===- RestPieces.cpp - What is timed besides contractions
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RestPieces.h"
#include "RestDescription.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

/// Elements of a buffer that take about a microsecond; two looks at the clock take a tenth of it.
static constexpr int64_t tinyElements = 4096;

/// Whether there is a clock of its own in the op, or may be in what it calls.
static bool hasClock(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return inner->hasAttr("ucmoh.op") || isa<func::CallOp>(inner) ? WalkResult::interrupt()
                                                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the op may take time, unlike views and scalars.
static bool takesTime(Operation *op) {
  return isa<linalg::LinalgOp, memref::CopyOp, KernelOp>(op) || op->getNumRegions() > 0;
}

static Value findFilled(Operation *op) {
  Value target;
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    target = copy.getTarget();
  else if (auto fill = dyn_cast<linalg::FillOp>(op))
    target = fill.getOutputs().front();
  while (target && target.getDefiningOp<ViewLikeOpInterface>())
    target = target.getDefiningOp<ViewLikeOpInterface>().getViewSource();
  return target;
}

/// Adds to a piece what comes right after it if the two belong together.
static bool join(RestPiece &piece, const RestPiece &next) {
  bool sameBuffer = piece.filled && piece.filled == next.filled;
  if (!sameBuffer && std::min(piece.elements, next.elements) > tinyElements)
    return false;
  piece.last = next.last;
  if (!sameBuffer)
    piece.filled = nullptr;
  if (next.elements > piece.elements) {
    piece.name = next.name;
    piece.elements = next.elements;
  }
  return true;
}

static void findIn(Block &block, SmallVector<RestPiece> &pieces) {
  bool neighbours = false;
  for (Operation &op : block) {
    if (hasClock(&op)) {
      neighbours = false;
      continue;
    }
    if (!takesTime(&op))
      continue;
    RestDescription description(&op);
    RestPiece piece = {&op, &op, description.getName(), description.getElements(), findFilled(&op)};
    if (!neighbours || !join(pieces.back(), piece))
      pieces.push_back(std::move(piece));
    neighbours = true;
  }
}

SmallVector<RestPiece> ucmoh::findRestPieces(func::FuncOp function) {
  SmallVector<RestPiece> pieces;
  for (Block &block : function.getBody())
    findIn(block, pieces);
  return pieces;
}
