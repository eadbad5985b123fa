//===- WindowEmitter.cpp - Windows are reduced in registers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A block of the result stays in registers while its windows are reduced: some neighbours in the
/// image, which share their weights, times some vectors of channels. Neighbours overlap in what
/// they read, so the loop over a window's columns is unrolled, and LLVM loads each element once.
/// Where a window reaches over the border, loops over its rows are shorter, and columns outside are
/// left out: blocks of columns at a border are emitted one by one for that.
///
//===----------------------------------------------------------------------===//

#include "WindowReduction.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/Nest.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// How one dim of the image follows from the result's place and the window's.
struct Access {
  int64_t stride = 0, dilation = 0, low = 0, size = 0;
  std::optional<unsigned> slidingLoop; ///< over the result; none: the dim is not one of windows
};

class WindowEmitter {
public:
  WindowEmitter(OpBuilder &builder, WindowReduction window, const RegisterBlock &block,
                const IRMapping &buffers, ValueRange outputs)
      : b(builder), loc(window.op.getLoc()), window(window), op(window.op), block(block),
        buffers(buffers), outputs(outputs), extents(op.getStaticLoopRanges()),
        at(op.getNumLoops(), b.getIndexAttr(0)) {}

  void emit() { emitParallel(0); }

private:
  using Body = llvm::function_ref<void()>;
  void loop(unsigned number, int64_t from, int64_t to, int64_t step, Body body);
  void emitParallel(unsigned dim);
  void emitColumns(Body body);
  void emitBlock();
  SmallVector<Value> emitReduction(unsigned loop, SmallVector<Value> sums);
  SmallVector<Value> emitTaps(SmallVector<Value> sums);
  void emitResults(ArrayRef<Value> sums);

  Access accessOf(unsigned windowLoop);
  std::pair<Value, Value> boundsOf(unsigned windowLoop);
  bool isInside(int64_t column);
  bool reachesOut();

  OpFoldResult plus(OpFoldResult value, int64_t offset);
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> values);
  Value asValue(OpFoldResult value) { return getValueOrCreateConstantIndexOp(b, loc, value); }
  SmallVector<Value> indices(AffineMap map, ArrayRef<int64_t> low = {});
  Value asVector(Value value);
  Value load(Value tensor, AffineMap map, ArrayRef<int64_t> low = {});
  Value loadImage();
  SmallVector<Value> cloneBody(linalg::LinalgOp from, IRMapping &mapping);
  Value emitTap(Value sum);
  void forEachVector(llvm::function_ref<void(unsigned)> visit);

  OpBuilder &b;
  Location loc;
  WindowReduction window;
  linalg::LinalgOp op;
  RegisterBlock block;
  const IRMapping &buffers;
  ValueRange outputs;
  SmallVector<int64_t> extents;
  SmallVector<OpFoldResult> at; ///< the loops' values for the vector at hand
};
} // namespace

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

OpFoldResult WindowEmitter::apply(AffineExpr expr, ArrayRef<OpFoldResult> values) {
  AffineMap map = AffineMap::get(values.size(), 0, expr);
  return affine::makeComposedFoldedAffineApply(b, loc, map, values);
}

OpFoldResult WindowEmitter::plus(OpFoldResult value, int64_t offset) {
  return offset ? apply(b.getAffineDimExpr(0) + offset, value) : value;
}

/// Of a loop over the window.
Access WindowEmitter::accessOf(unsigned windowLoop) {
  AffineMap image = op.getMatchingIndexingMap(window.image);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(window.source.getType()).getShape();
  Access access;
  for (auto [expr, low, size] : llvm::zip_equal(image.getResults(), window.low, shape)) {
    if (!expr.isFunctionOfDim(windowLoop))
      continue;
    access = {0, coefficient(expr, windowLoop), low, size, std::nullopt};
    for (unsigned loop = 0; loop < extents.size(); ++loop)
      if (loop != windowLoop && expr.isFunctionOfDim(loop)) {
        access.slidingLoop = loop;
        access.stride = coefficient(expr, loop);
      }
  }
  return access;
}

/// From where to where a loop over the window stays within the image.
std::pair<Value, Value> WindowEmitter::boundsOf(unsigned windowLoop) {
  Access access = accessOf(windowLoop);
  int64_t extent = extents[windowLoop];
  OpFoldResult from = b.getIndexAttr(0), to = b.getIndexAttr(extent);
  if (access.slidingLoop) {
    AffineExpr first = b.getAffineDimExpr(0) * access.stride - access.low;
    AffineExpr before = (-first).ceilDiv(access.dilation);
    AffineExpr behind = (access.size - first).ceilDiv(access.dilation);
    OpFoldResult place = at[*access.slidingLoop];
    MLIRContext *context = b.getContext();
    int64_t last = access.stride * (extents[*access.slidingLoop] - 1) +
                   access.dilation * (extent - 1) - access.low;
    if (access.low > 0)
      from = affine::makeComposedFoldedAffineMax(
          b, loc, AffineMap::get(1, 0, {before, b.getAffineConstantExpr(0)}, context), place);
    if (last >= access.size)
      to = affine::makeComposedFoldedAffineMin(
          b, loc, AffineMap::get(1, 0, {behind, b.getAffineConstantExpr(extent)}, context), place);
  }
  return {asValue(from), asValue(to)};
}

/// The window's loop that slides with the columns.
static std::optional<unsigned> tapLoopOf(WindowReduction window) {
  linalg::LinalgOp op = window.op;
  AffineMap image = op.getMatchingIndexingMap(window.image);
  for (AffineExpr expr : image.getResults())
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (expr.isFunctionOfDim(window.columnLoop) && expr.isFunctionOfDim(loop) &&
          op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction)
        return loop;
  return std::nullopt;
}

/// Whether all windows of a column lie within the image.
bool WindowEmitter::isInside(int64_t column) {
  std::optional<unsigned> tap = tapLoopOf(window);
  if (!tap)
    return true;
  Access access = accessOf(*tap);
  int64_t first = access.stride * column - access.low;
  return first >= 0 && first + access.dilation * (extents[*tap] - 1) < access.size;
}

/// Whether the element at hand lies outside of the image, as far as columns go.
bool WindowEmitter::reachesOut() {
  std::optional<unsigned> tap = tapLoopOf(window);
  std::optional<int64_t> column = getConstantIntValue(at[window.columnLoop]);
  if (!tap || !column)
    return false;
  Access access = accessOf(*tap);
  int64_t place =
      access.stride * *column - access.low + access.dilation * *getConstantIntValue(at[*tap]);
  return place < 0 || place >= access.size;
}

SmallVector<Value> WindowEmitter::indices(AffineMap map, ArrayRef<int64_t> low) {
  return llvm::map_to_vector(llvm::enumerate(map.getResults()), [&](auto result) {
    OpFoldResult index = apply(result.value(), at);
    return asValue(low.empty() ? index : plus(index, -low[result.index()]));
  });
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Visits the vectors of the block, with the loops' values set to the place of each.
void WindowEmitter::forEachVector(llvm::function_ref<void(unsigned)> visit) {
  OpFoldResult channel = at[window.channelLoop], column = at[window.columnLoop];
  unsigned number = 0;
  for (int64_t vector = 0; vector < block.vectors; ++vector)
    for (int64_t i = 0; i < block.columns; ++i) {
      at[window.channelLoop] = plus(channel, vector * block.lanes);
      at[window.columnLoop] = plus(column, i);
      visit(number++);
    }
  at[window.channelLoop] = channel;
  at[window.columnLoop] = column;
}

Value WindowEmitter::asVector(Value value) {
  auto type = VectorType::get({block.lanes}, value.getType());
  if (Attribute constant; matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, constant));
  return vector::BroadcastOp::create(b, loc, type, value);
}

/// Neighbouring channels of a tensor, or one element for all of them.
Value WindowEmitter::load(Value tensor, AffineMap map, ArrayRef<int64_t> low) {
  Value buffer = buffers.lookupOrDefault(tensor);
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type)
    return asVector(buffer);
  if (!map.isFunctionOfDim(window.channelLoop))
    return asVector(memref::LoadOp::create(b, loc, buffer, indices(map, low)));
  auto vector = VectorType::get({block.lanes}, type.getElementType());
  return vector::LoadOp::create(b, loc, vector, buffer, indices(map, low));
}

/// A multiplication and an addition become one instruction. What LLVM makes of the same ops on
/// scalars in the reference rounds twice.
static void allowContraction(Operation *made) {
  if (isa<arith::MulFOp, arith::AddFOp>(made))
    made->setAttr("fastmath", arith::FastMathFlagsAttr::get(made->getContext(),
                                                            arith::FastMathFlags::contract));
}

/// The body on vectors; `mapping` has those of its arguments.
SmallVector<Value> WindowEmitter::cloneBody(linalg::LinalgOp from, IRMapping &mapping) {
  auto makeKnown = [&](Value value) { // a constant from outside
    if (mapping.contains(value))
      return;
    Value constant = b.clone(*value.getDefiningOp())->getResult(0);
    mapping.map(value, asVector(constant));
  };
  for (Operation &inner : from.getBlock()->without_terminator()) {
    llvm::for_each(inner.getOperands(), makeKnown);
    Operation *made = b.clone(inner, mapping);
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      mapping.map(inner.getResult(0), asVector(made->getResult(0)));
      continue;
    }
    for (OpResult result : made->getResults())
      result.setType(VectorType::get({block.lanes}, result.getType()));
  }
  return llvm::map_to_vector(from.getBlock()->getTerminator()->getOperands(), [&](Value value) {
    makeKnown(value);
    return mapping.lookup(value);
  });
}

Value WindowEmitter::loadImage() {
  Value element = load(window.source, op.getMatchingIndexingMap(window.image), window.low);
  linalg::GenericOp shift = window.shift;
  if (!shift)
    return element;
  IRMapping mapping;
  mapping.map(shift.getBody()->getArgument(0), element);
  return cloneBody(shift, mapping).front();
}

/// The sum with one more element of its window.
Value WindowEmitter::emitTap(Value sum) {
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    if (op.isDpsInit(&operand))
      mapping.map(argument, sum);
    else if (&operand == window.image)
      mapping.map(argument, loadImage());
    else if (isa<ShapedType>(operand.get().getType()))
      mapping.map(argument, load(operand.get(), op.getMatchingIndexingMap(&operand)));
    else
      mapping.map(argument, asVector(b.clone(*operand.get().getDefiningOp())->getResult(0)));
  }
  Value result = cloneBody(op, mapping).front();
  if (Operation *added = result.getDefiningOp()) {
    allowContraction(added);
    for (Value operand : added->getOperands())
      if (Operation *product = operand.getDefiningOp())
        allowContraction(product);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void WindowEmitter::loop(unsigned number, int64_t from, int64_t to, int64_t step, Body body) {
  OpFoldResult before = at[number];
  if (from + step >= to) {
    at[number] = b.getIndexAttr(from);
    body();
  } else {
    auto index = [&](int64_t value) { return asValue(b.getIndexAttr(value)); };
    auto made = scf::ForOp::create(b, loc, index(from), index(to), index(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(made.getBody());
    at[number] = made.getInductionVar();
    body();
  }
  at[number] = before;
}

/// Blocks of columns: a loop over those whose windows lie within the image, the others one by one.
void WindowEmitter::emitColumns(Body body) {
  int64_t extent = extents[window.columnLoop], step = block.columns;
  auto isBlockInside = [&](int64_t from) { return isInside(from) && isInside(from + step - 1); };
  int64_t from = 0;
  while (from < extent && !isBlockInside(from))
    from += step;
  int64_t to = from;
  while (to < extent && isBlockInside(to))
    to += step;
  for (int64_t column = 0; column < from; column += step)
    loop(window.columnLoop, column, column + step, step, body);
  if (from < to)
    loop(window.columnLoop, from, to, step, body);
  for (int64_t column = to; column < extent; column += step)
    loop(window.columnLoop, column, column + step, step, body);
}

/// The loops over the result from its dim `dim` on, in the order in which it lies in memory.
void WindowEmitter::emitParallel(unsigned dim) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (dim == result.getNumResults())
    return emitBlock();
  unsigned number = result.getDimPosition(dim);
  auto inner = [&] { emitParallel(dim + 1); };
  if (number == window.columnLoop)
    return emitColumns(inner);
  int64_t step = number == window.channelLoop ? block.lanes * block.vectors : 1;
  loop(number, 0, extents[number], step, inner);
}

/// One element of the window for each vector of the block.
SmallVector<Value> WindowEmitter::emitTaps(SmallVector<Value> sums) {
  forEachVector([&](unsigned number) {
    if (!reachesOut())
      sums[number] = emitTap(sums[number]);
  });
  return sums;
}

/// The loops over the window from `number` on.
SmallVector<Value> WindowEmitter::emitReduction(unsigned number, SmallVector<Value> sums) {
  if (number == extents.size())
    return emitTaps(std::move(sums));
  if (op.getIteratorTypesArray()[number] == utils::IteratorType::parallel)
    return emitReduction(number + 1, std::move(sums));
  if (number == tapLoopOf(window)) {
    for (int64_t tap = 0; tap < extents[number]; ++tap) {
      at[number] = b.getIndexAttr(tap);
      sums = emitReduction(number + 1, std::move(sums));
    }
    return sums;
  }
  auto [from, to] = boundsOf(number);
  Value one = asValue(b.getIndexAttr(1));
  auto rows = scf::ForOp::create(b, loc, from, to, one, sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(rows.getBody());
  at[number] = rows.getInductionVar();
  SmallVector<Value> inner =
      emitReduction(number + 1, llvm::to_vector_of<Value>(rows.getRegionIterArgs()));
  scf::YieldOp::create(b, loc, inner);
  return llvm::to_vector_of<Value>(rows.getResults());
}

/// What becomes of the sums, in memory.
void WindowEmitter::emitResults(ArrayRef<Value> sums) {
  AffineMap resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  forEachVector([&](unsigned number) {
    SmallVector<Value> results = {sums[number]};
    if (linalg::GenericOp consumer = window.consumer) {
      IRMapping mapping;
      mapping.map(consumer.getMatchingBlockArgument(window.consumed), sums[number]);
      for (OpOperand *input : consumer.getDpsInputOperands())
        if (input != window.consumed && !consumer.getMatchingBlockArgument(input).use_empty())
          mapping.map(consumer.getMatchingBlockArgument(input),
                      load(input->get(), window.mapOfConsumer(*input)));
      results = cloneBody(consumer, mapping);
    }
    for (auto [value, output] : llvm::zip_equal(results, outputs))
      vector::StoreOp::create(b, loc, value, output, indices(resultMap));
  });
}

void WindowEmitter::emitBlock() {
  SmallVector<Value> sums;
  Value start;
  if (!window.initMap)
    start = asVector(b.clone(*window.init.getDefiningOp())->getResult(0));
  forEachVector(
      [&](unsigned) { sums.push_back(start ? start : load(window.init, window.initMap)); });
  emitResults(emitReduction(0, std::move(sums)));
}

void ucmoh::emitWindows(OpBuilder &builder, WindowReduction window, const RegisterBlock &block,
                        const IRMapping &buffers, ValueRange outputs) {
  OpBuilder::InsertionGuard guard(builder);
  WindowEmitter(builder, window, block, buffers, outputs).emit();
}
