//===- Tensorize.cpp - Register tiles become loads, computes and stores
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadTargets.h"
#include "Tensorize/TileExpander.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_TENSORIZE
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

namespace {
struct TensorizePass : ucmoh::impl::TensorizeBase<TensorizePass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return loadTargets(context, target, library);
  }

  void runOnOperation() override {
    SmallVector<TileOp> tiles;
    getOperation().walk([&](TileOp op) { tiles.push_back(op); });
    for (TileOp op : tiles) {
      IntrinsicOp intrinsic = findIntrinsic(op, *library);
      if (!intrinsic)
        return signalPassFailure();
      OpBuilder builder(op);
      TileExpander(builder, op, intrinsic).expand();
      op.erase();
    }
  }

  std::shared_ptr<TargetLibrary> library;
};
} // namespace
