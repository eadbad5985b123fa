//===- Accumulators.cpp - Reductions carry their value in a register
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rest.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ucmoh;

/// Positions that are values of loops become these, so that they are the same for a load and a
/// store.
static void foldPositions(RewriterBase &rewriter, scf::ForOp loop) {
  for (auto position : llvm::make_early_inc_range(loop.getBody()->getOps<affine::AffineApplyOp>()))
    if (position.getMap().isIdentity() && position.getMap().getNumDims() == 1)
      rewriter.replaceOp(position, position.getMapOperands());
}

/// The load of what the store replaces in each iteration, if its place is the same in all.
static memref::LoadOp findAccumulator(scf::ForOp loop, memref::StoreOp store) {
  for (Value index : store.getIndices())
    if (!loop.isDefinedOutsideOfLoop(index))
      return {};
  for (auto load : loop.getBody()->getOps<memref::LoadOp>())
    if (load.getMemRef() == store.getMemRef() && load.getIndices() == store.getIndices())
      return load;
  return {};
}

namespace {
/// A value in memory that each iteration replaces.
struct Accumulator {
  memref::LoadOp load;
  memref::StoreOp store;
  Operation *ofFlags = nullptr; ///< logic on flags: what is carried are the bytes
};
} // namespace

/// The logic that adds to an i1, if nothing else reads that: LLVM has no vectors for it.
static Operation *findLogic(memref::LoadOp load, memref::StoreOp store) {
  Operation *logic = store.getValueToStore().getDefiningOp();
  bool adds = isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(logic) &&
              load.getType().isInteger(1) && load->hasOneUse() && logic->hasOneUse() &&
              llvm::is_contained(logic->getOperands(), load.getResult());
  return adds ? logic : nullptr;
}

static Value asByte(OpBuilder &builder, Location loc, Value flag) {
  return arith::ExtUIOp::create(builder, loc, builder.getI8Type(), flag);
}

/// What is carried on to the next iteration: the value stored, or the same logic on bytes.
static Value carriedOn(OpBuilder &builder, const Accumulator &each, Value carried) {
  Operation *logic = each.ofFlags;
  if (!logic)
    return memref::StoreOp(each.store).getValueToStore();
  bool isFirst = logic->getOperand(0) == memref::LoadOp(each.load).getResult();
  Value other = asByte(builder, logic->getLoc(), logic->getOperand(isFirst ? 1 : 0));
  OperationState state(logic->getLoc(), logic->getName(), {carried, other}, {carried.getType()});
  return builder.create(state)->getResult(0);
}

/// Stores behind the loop what it carried, and removes what it loaded and stored.
static void storeBehind(RewriterBase &rewriter, Accumulator each, Value argument, Value sum) {
  Location loc = each.store.getLoc();
  if (each.ofFlags)
    sum = arith::TruncIOp::create(rewriter, loc, rewriter.getI1Type(), sum);
  memref::StoreOp::create(rewriter, loc, sum, each.store.getMemRef(), each.store.getIndices());
  rewriter.eraseOp(each.store);
  if (each.ofFlags) {
    rewriter.eraseOp(each.ofFlags);
    rewriter.eraseOp(each.load);
  } else {
    rewriter.replaceOp(each.load, argument);
  }
}

scf::ForOp ucmoh::carryAccumulators(RewriterBase &rewriter, scf::ForOp loop) {
  foldPositions(rewriter, loop);
  SmallVector<Accumulator> found;
  for (auto store : loop.getBody()->getOps<memref::StoreOp>())
    if (memref::LoadOp load = findAccumulator(loop, store))
      found.push_back({load, store, findLogic(load, store)});
  if (found.empty())
    return loop;
  SmallVector<Value> inits;
  rewriter.setInsertionPoint(loop);
  for (const Accumulator &each : found) {
    Value init = rewriter.clone(*memref::LoadOp(each.load))->getResult(0);
    inits.push_back(each.ofFlags ? asByte(rewriter, loop.getLoc(), init) : init);
  }
  auto carried = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
        SmallVector<Value> sums;
        for (auto [each, argument] : llvm::zip_equal(found, arguments))
          sums.push_back(carriedOn(builder, each, argument));
        return sums;
      });
  auto result = cast<scf::ForOp>(carried->getOperation());
  rewriter.setInsertionPointAfter(result);
  for (auto [each, argument, sum] :
       llvm::zip_equal(found, result.getRegionIterArgs(), result.getResults()))
    storeBehind(rewriter, each, argument, sum);
  return result;
}
