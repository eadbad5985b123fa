//===- Tensorize.cpp - Register tiles become loads, computes and stores
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "Tensorize/TileExpander.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Analysis/KernelShape.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace ucmoh {
#define GEN_PASS_DEF_TENSORIZE
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

static int64_t fragmentRows(ArrayRef<TileOp> tiles, IntrinsicOp intrinsic) {
  int64_t m = intrinsic.getShape()[0];
  if (!intrinsic.getVariableM())
    return m;
  return evenFragmentRows(llvm::map_to_vector(tiles, [](TileOp tile) { return tile.getRows(); }),
                          m);
}

namespace {
struct TensorizePass : TargetPass<ucmoh::impl::TensorizeBase<TensorizePass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &resolved) override {
    library = resolved.library;
    machine = resolved.machine;
    llvm::MapVector<KernelOp, SmallVector<TileOp>> tiles;
    getOperation().walk([&](TileOp op) { tiles[op->getParentOfType<KernelOp>()].push_back(op); });
    for (auto &[kernel, ofKernel] : tiles)
      if (failed(expandTiles(kernel, ofKernel)))
        return failure();
    return success();
  }

  /// The tiles of a kernel, which may be null, are of one intrinsic.
  LogicalResult expandTiles(KernelOp kernel, ArrayRef<TileOp> tiles) {
    for (TileOp op : tiles)
      if (!findIntrinsic(op, *library))
        return failure();
    IntrinsicOp intrinsic = findIntrinsic(tiles.front(), *library);
    int64_t m = intrinsic.getShape()[0], rows = kernel ? fragmentRows(tiles, intrinsic) : m;
    if (kernel)
      kernel.setOutlined(rows != m);
    for (TileOp op : tiles) {
      Operation *whole = isa<PipelineOp>(op->getParentOp()) ? op->getParentOp() : op;
      OpBuilder builder(whole);
      TileExpander(builder, op, intrinsic, rows, machine).expand();
      whole->erase();
    }
    return success();
  }

  std::shared_ptr<TargetLibrary> library;
  Machine machine; ///< whose caches are fetched into
};
} // namespace
