//===- Windows.cpp - Depthwise convolutions and poolings in registers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that reduces over windows of an image, channel by channel, reads and writes its result once
// for each element of the window if left to LLVM, which does not know that result and image lie
// apart. Here a block of the result stays in registers: some neighbours in the image, whose windows
// share their weights, times some vectors of channels.
//
//===----------------------------------------------------------------------===//

#include "Rest.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ucmoh;

namespace {
class WindowEmitter {
public:
  WindowEmitter(OpBuilder &builder, linalg::LinalgOp op, const RegisterBlock &block)
      : b(builder), loc(op.getLoc()), op(op), block(block), extents(op.getStaticLoopRanges()),
        loopValues(op.getNumLoops()) {}

  void emit();

private:
  void emitParallel(unsigned loop);
  SmallVector<Value> emitReduction(unsigned loop, ValueRange sums);
  SmallVector<Value> emitBodies(ValueRange sums);
  Value emitBody(Value sum);

  SmallVector<Value> indices(OpOperand &operand);
  Value load(OpOperand &operand);
  Value asVector(Value value);
  void forEachVector(llvm::function_ref<void(unsigned)> visit);
  OpOperand &result() { return *op.getDpsInitOperand(0); }
  int64_t stepOf(unsigned loop) const;

  OpBuilder &b;
  Location loc;
  linalg::LinalgOp op;
  RegisterBlock block;
  SmallVector<int64_t> extents;
  SmallVector<Value> loopValues; ///< of the vector at hand
};
} // namespace

int64_t WindowEmitter::stepOf(unsigned loop) const {
  if (loop + 1 == extents.size())
    return block.lanes * block.vectors;
  return loop == block.neighbourLoop ? block.neighbours : 1;
}

/// Visits the vectors of the block, with the loops' values set to the place of each.
void WindowEmitter::forEachVector(llvm::function_ref<void(unsigned)> visit) {
  unsigned last = extents.size() - 1, number = 0;
  Value channel = loopValues[last], neighbour = loopValues[block.neighbourLoop];
  auto plus = [&](Value value, int64_t offset) -> Value {
    Value by = arith::ConstantIndexOp::create(b, loc, offset);
    return offset ? Value(arith::AddIOp::create(b, loc, value, by)) : value;
  };
  for (int64_t vector = 0; vector < block.vectors; ++vector)
    for (int64_t i = 0; i < block.neighbours; ++i) {
      loopValues[last] = plus(channel, vector * block.lanes);
      loopValues[block.neighbourLoop] = plus(neighbour, i);
      visit(number++);
    }
  loopValues[last] = channel;
  loopValues[block.neighbourLoop] = neighbour;
}

SmallVector<Value> WindowEmitter::indices(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<OpFoldResult> loops(loopValues.begin(), loopValues.end());
  return llvm::map_to_vector(llvm::seq<unsigned>(0, map.getNumResults()), [&](unsigned result) {
    AffineMap one = map.getSubMap({result});
    OpFoldResult index = affine::makeComposedFoldedAffineApply(b, loc, one, loops);
    return getValueOrCreateConstantIndexOp(b, loc, index);
  });
}

Value WindowEmitter::asVector(Value value) {
  auto type = VectorType::get({block.lanes}, value.getType());
  return vector::BroadcastOp::create(b, loc, type, value);
}

/// Neighbouring channels of an operand, or one element for all of them.
Value WindowEmitter::load(OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type)
    return asVector(operand.get());
  unsigned channel = extents.size() - 1;
  if (!op.getMatchingIndexingMap(&operand).isFunctionOfDim(channel))
    return asVector(memref::LoadOp::create(b, loc, operand.get(), indices(operand)));
  auto vector = VectorType::get({block.lanes}, type.getElementType());
  return vector::LoadOp::create(b, loc, vector, operand.get(), indices(operand));
}

/// A multiplication and an addition become one instruction. What LLVM makes of the same ops on
/// scalars in the reference rounds twice.
static void allowContraction(Operation *made) {
  if (isa<arith::MulFOp, arith::AddFOp>(made))
    made->setAttr("fastmath", arith::FastMathFlagsAttr::get(made->getContext(),
                                                            arith::FastMathFlags::contract));
}

Value WindowEmitter::emitBody(Value sum) {
  IRMapping mapping;
  Block *body = op.getBlock();
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.use_empty())
      mapping.map(argument, op.isDpsInit(&operand) ? sum : load(operand));
  }
  for (Operation &inner : body->without_terminator()) {
    for (Value operand : inner.getOperands())
      if (!mapping.contains(operand))
        mapping.map(operand, asVector(operand));
    Operation *made = b.clone(inner, mapping);
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      mapping.map(inner.getResult(0), asVector(made->getResult(0)));
      continue;
    }
    for (OpResult result : made->getResults())
      result.setType(VectorType::get({block.lanes}, result.getType()));
    allowContraction(made);
  }
  return mapping.lookup(body->getTerminator()->getOperand(0));
}

SmallVector<Value> WindowEmitter::emitBodies(ValueRange sums) {
  SmallVector<Value> results;
  forEachVector([&](unsigned number) { results.push_back(emitBody(sums[number])); });
  return results;
}

/// The loops over the window from `loop` on.
SmallVector<Value> WindowEmitter::emitReduction(unsigned loop, ValueRange sums) {
  while (loop < extents.size() && linalg::isParallelIterator(op.getIteratorTypesArray()[loop]))
    ++loop;
  if (loop == extents.size())
    return emitBodies(sums);
  auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  auto window = scf::ForOp::create(b, loc, index(0), index(extents[loop]), index(1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(window.getBody());
  loopValues[loop] = window.getInductionVar();
  SmallVector<Value> inner = emitReduction(loop + 1, window.getRegionIterArgs());
  scf::YieldOp::create(b, loc, inner);
  return window.getResults();
}

/// The loops over the result from `loop` on.
void WindowEmitter::emitParallel(unsigned loop) {
  while (loop < extents.size() && !linalg::isParallelIterator(op.getIteratorTypesArray()[loop]))
    ++loop;
  if (loop < extents.size()) {
    auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
    auto made = scf::ForOp::create(b, loc, index(0), index(extents[loop]), index(stepOf(loop)));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(made.getBody());
    loopValues[loop] = made.getInductionVar();
    return emitParallel(loop + 1);
  }
  SmallVector<Value> sums;
  forEachVector([&](unsigned) { sums.push_back(load(result())); });
  sums = emitReduction(0, sums);
  forEachVector([&](unsigned number) {
    vector::StoreOp::create(b, loc, sums[number], result().get(), indices(result()));
  });
}

void WindowEmitter::emit() { emitParallel(0); }

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

/// Whether an element takes as many bits in a vector as in memory: i1 takes a byte there.
static bool hasWholeBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
}

/// Whether the innermost loop runs over neighbours in the operand or does not move in it.
static bool isContiguous(linalg::LinalgOp op, OpOperand &operand, unsigned loop) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!hasWholeBytes(operand.get().getType()))
    return false;
  if (!type || !map.isFunctionOfDim(loop))
    return !op.isDpsInit(&operand);
  AffineExpr channel = getAffineDimExpr(loop, op.getContext());
  return type.areTrailingDimsContiguous(1) && map.getResult(map.getNumResults() - 1) == channel &&
         llvm::count_if(map.getResults(),
                        [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); }) == 1;
}

/// Whether the op may be computed on vectors as it is on scalars.
static bool isElementwise(Operation &inner) {
  return inner.hasTrait<OpTrait::ConstantLike>() || OpTrait::hasElementwiseMappableTraits(&inner);
}

/// The largest divisor of `extent` up to `limit`.
static int64_t divisorUpTo(int64_t extent, int64_t limit) {
  while (extent % limit != 0)
    --limit;
  return limit;
}

std::optional<RegisterBlock> ucmoh::findRegisterBlock(linalg::LinalgOp op, int64_t lanes,
                                                      int64_t registers) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned last = extents.size() - 1;
  if (op.getNumReductionLoops() == 0 || op.getNumParallelLoops() < 2 || op.getNumDpsInits() != 1 ||
      !linalg::isParallelIterator(iterators[last]) || lanes < 2 || extents[last] % lanes != 0 ||
      !llvm::all_of(op.getBlock()->without_terminator(), isElementwise) ||
      !llvm::all_of(
          op->getOpOperands(), [&](OpOperand &operand) { return isContiguous(op, operand, last); }))
    return std::nullopt;
  RegisterBlock block{lanes, divisorUpTo(extents[last] / lanes, 2), 0, 1};
  for (unsigned loop = 0; loop < last; ++loop)
    if (linalg::isParallelIterator(iterators[loop]) && extents[loop] > 1)
      block.neighbourLoop = loop; // the innermost of them
  if (!linalg::isParallelIterator(iterators[block.neighbourLoop]))
    return std::nullopt;
  // Half of the registers are left to the operands.
  block.neighbours = divisorUpTo(extents[block.neighbourLoop], registers / 2 / block.vectors);
  return block;
}

void ucmoh::emitWindows(RewriterBase &rewriter, linalg::LinalgOp op, const RegisterBlock &block) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  WindowEmitter(rewriter, op, block).emit();
  rewriter.eraseOp(op);
}
