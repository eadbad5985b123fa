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
/// left out. The walk (WindowWalk.h) has the loops; this is its sink that emits them.
///
//===----------------------------------------------------------------------===//

#include "WindowEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/ElementRange.h"
#include "ucmoh/Analysis/WindowWalk.h"

using namespace mlir;
using namespace ucmoh;

namespace {
class WindowEmitter {
public:
  WindowEmitter(OpBuilder &builder, WindowReduction window, const WindowBlock &block,
                const Intrinsic *lanes, const IRMapping &buffers, ValueRange outputs)
      : b(builder), loc(window.op.getLoc()), window(window), op(window.op), block(block),
        lanes(lanes), buffers(buffers), outputs(outputs), nest(WindowNest::get(window)),
        at(op.getNumLoops(), b.getIndexAttr(0)) {}

  void emit() { WindowWalk<WindowEmitter>(nest, block, *this).run(); }

  // See WindowWalk.h.
  using Body = llvm::function_ref<void()>;
  void loop(unsigned number, int64_t from, int64_t to, int64_t step, Body body);
  void reduce(unsigned number, const WindowSlide &slide, Body body);
  void setTap(unsigned number, int64_t value) { at[number] = b.getIndexAttr(value); }
  void beginBlock(int64_t vectors, int64_t columns);
  void multiply(int64_t vector, int64_t column);
  void endBlock(int64_t vectors, int64_t columns);

private:
  std::pair<Value, Value> boundsOf(unsigned number, const WindowSlide &slide);
  OpFoldResult plus(OpFoldResult value, int64_t offset);
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> values);
  Value asValue(OpFoldResult value) { return getValueOrCreateConstantIndexOp(b, loc, value); }
  SmallVector<Value> indices(AffineMap map);
  Value asVector(Value value);
  Value load(Value tensor, AffineMap map);
  Value loadRun(Value buffer, AffineMap map, int64_t elements);
  Value loadLanes();
  Value loadRows();
  Value loadImage();
  Value extended(Value loaded, OpOperand *operand, Role role);
  Value multiplyRows(Value sum);
  Value multiplyPairs(const IRMapping &mapping, Value sum);
  SmallVector<Value> cloneBody(linalg::LinalgOp from, IRMapping &mapping);
  Value addElement(Value sum);
  void storeResults(Value sum);
  void atVector(int64_t vector, int64_t column, Body body);
  void forEachVector(int64_t vectors, int64_t columns, llvm::function_ref<void(unsigned)> visit);

  OpBuilder &b;
  Location loc;
  WindowReduction window;
  linalg::LinalgOp op;
  const WindowBlock &block;
  const Intrinsic *lanes; ///< multiplies lane by lane; null: the op's body does
  const IRMapping &buffers;
  ValueRange outputs;
  WindowNest nest;
  SmallVector<OpFoldResult> at; ///< the loops' values for the vector at hand
  SmallVector<Value> sums;      ///< the sums of the block at hand
  int64_t blockColumns = 0;     ///< the columns of that block
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

/// From where to where a loop over the window stays within the image.
std::pair<Value, Value> WindowEmitter::boundsOf(unsigned number, const WindowSlide &slide) {
  int64_t extent = nest.extents[number];
  OpFoldResult from = b.getIndexAttr(0), to = b.getIndexAttr(extent);
  if (slide.over) {
    AffineExpr first = b.getAffineDimExpr(0) * slide.stride + slide.offset;
    AffineExpr before = (-first).ceilDiv(slide.dilation);
    AffineExpr behind = (slide.size - first).ceilDiv(slide.dilation);
    OpFoldResult place = at[*slide.over];
    MLIRContext *context = b.getContext();
    int64_t last = slide.stride * (nest.extents[*slide.over] - 1) + slide.dilation * (extent - 1) +
                   slide.offset;
    if (slide.offset < 0)
      from = affine::makeComposedFoldedAffineMax(
          b, loc, AffineMap::get(1, 0, {before, b.getAffineConstantExpr(0)}, context), place);
    if (last >= slide.size)
      to = affine::makeComposedFoldedAffineMin(
          b, loc, AffineMap::get(1, 0, {behind, b.getAffineConstantExpr(extent)}, context), place);
  }
  return {asValue(from), asValue(to)};
}

SmallVector<Value> WindowEmitter::indices(AffineMap map) {
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr expr) { return asValue(apply(expr, at)); });
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// `body` with the loops' values set to the place of one vector of the block.
void WindowEmitter::atVector(int64_t vector, int64_t column, Body body) {
  OpFoldResult channelAt = at[nest.channels], columnAt = at[nest.columns];
  at[nest.channels] = plus(channelAt, vector * block.lanes);
  at[nest.columns] = plus(columnAt, column);
  body();
  at[nest.channels] = channelAt;
  at[nest.columns] = columnAt;
}

/// Visits the vectors of the block by their numbers among the sums.
void WindowEmitter::forEachVector(int64_t vectors, int64_t columns,
                                  llvm::function_ref<void(unsigned)> visit) {
  for (int64_t vector = 0; vector < vectors; ++vector)
    for (int64_t column = 0; column < columns; ++column)
      atVector(vector, column, [&] { visit(vector * columns + column); });
}

Value WindowEmitter::asVector(Value value) {
  auto type = VectorType::get({block.lanes}, value.getType());
  if (Attribute constant; matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, constant));
  return vector::BroadcastOp::create(b, loc, type, value);
}

/// Neighbouring channels of a tensor, or one element for all of them.
Value WindowEmitter::load(Value tensor, AffineMap map) {
  Value buffer = buffers.lookupOrDefault(tensor);
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type)
    return asVector(buffer);
  if (!map.isFunctionOfDim(nest.channels))
    return asVector(memref::LoadOp::create(b, loc, buffer, indices(map)));
  return loadRun(buffer, map, block.lanes);
}

/// Elements that lie side by side from a place on, where what is behind the channels is merged with
/// them: dims of extent 1, or the elements of a row.
Value WindowEmitter::loadRun(Value buffer, AffineMap map, int64_t elements) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<AffineExpr> results(map.getResults());
  int64_t last = type.getRank() - 1, behind = 1;
  for (; last >= 0 && !results[last].isFunctionOfDim(nest.channels); --last)
    behind *= type.getDimSize(last);
  if (behind > 1 || last + 1 < type.getRank()) {
    SmallVector<ReassociationIndices> dims;
    for (int64_t dim = 0; dim <= last; ++dim)
      dims.push_back({dim});
    for (int64_t dim = last + 1; dim < type.getRank(); ++dim)
      dims.back().push_back(dim);
    buffer = memref::CollapseShapeOp::create(b, loc, buffer, dims);
    results.resize(last + 1);
    results.back() = results.back() * behind;
  }
  auto vector = VectorType::get({elements}, type.getElementType());
  return vector::LoadOp::create(
      b, loc, vector, buffer,
      indices(AffineMap::get(map.getNumDims(), 0, results, b.getContext())));
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

/// Loads for each lane the row of its group's channels at hand. Lanes of several groups are loaded
/// with all channels of these, once for all rows.
Value WindowEmitter::loadLanes() {
  const ChannelGroups &groups = *window.groups;
  OpFoldResult chunk = at[groups.chunkLoop];
  int64_t first = *getConstantIntValue(chunk) * groups.row, count = block.lanes / groups.outputs;
  SmallVector<int64_t> lanes;
  for (int64_t lane = 0; lane < block.lanes; ++lane)
    for (int64_t element = 0; element < groups.row; ++element)
      lanes.push_back(count > 1 ? lane / groups.outputs * groups.inputs + first + element
                                : element);
  if (count > 1)
    at[groups.chunkLoop] = b.getIndexAttr(0);
  Value loaded = loadRun(buffers.lookup(window.source), window.imageMap(),
                         count > 1 ? count * groups.inputs : groups.row);
  at[groups.chunkLoop] = chunk;
  return vector::ShuffleOp::create(b, loc, loaded, loaded, lanes);
}

/// The weights of a row for each lane.
Value WindowEmitter::loadRows() {
  OpOperand *weights = op.getDpsInputOperand(1);
  return loadRun(buffers.lookup(weights->get()), op.getMatchingIndexingMap(weights),
                 block.lanes * window.groups->row);
}

/// A fragment of the lanes' intrinsic: bytes are extended to its elements as the body extends them.
Value WindowEmitter::extended(Value loaded, OpOperand *operand, Role role) {
  Type type = IntrinsicOp(lanes->op).getFragmentType(role);
  if (loaded.getType() == type)
    return loaded;
  if (isa<arith::ExtUIOp>(*op.getMatchingBlockArgument(operand).user_begin()))
    return arith::ExtUIOp::create(b, loc, type, loaded);
  return arith::ExtSIOp::create(b, loc, type, loaded);
}

/// The sum with the products of a row in each lane.
Value WindowEmitter::multiplyRows(Value sum) {
  Value image = extended(loadLanes(), window.image, Role::lhs);
  Value rows = extended(loadRows(), op.getDpsInputOperand(1), Role::rhs);
  return ComputeOp::create(b, loc, sum.getType(), lanes->getSymbol(), image, rows, sum);
}

static bool fitsHalf(const ElementRange &range) {
  return llvm::isInt<16>(range.low) && llvm::isInt<16>(range.high);
}

/// The sum with the product of the factors that `mapping` has for the body's, where both fit half a
/// lane: the intrinsic multiplies each as one of a pair, and the other one of the weights is zero.
/// LLVM finds that only where a factor is not negative or nobody else reads it. Null elsewhere.
Value WindowEmitter::multiplyPairs(const IRMapping &mapping, Value sum) {
  auto factors = matchProduct(op);
  if (!lanes || lanes->k != 2 || !factors || !getElementTypeOrSelf(sum.getType()).isInteger(32))
    return Value();
  Value image = mapping.lookup(factors->first), weights = mapping.lookup(factors->second);
  if (stripWidening(op, factors->first) != op.getMatchingBlockArgument(window.image))
    std::swap(image, weights);
  ElementRange pixelRange = boundExactly(image, /*isUnsigned=*/false),
               weightRange = boundExactly(weights, /*isUnsigned=*/false);
  if (!fitsHalf(pixelRange) || !fitsHalf(weightRange))
    return Value();
  if (pixelRange.low < 0) { // else the other one of the image is zero
    Value low = asVector(arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0xffff)));
    weights = arith::AndIOp::create(b, loc, weights, low);
  }
  auto asPairs = [&](Role role, Value lanesOf) -> Value {
    Type type = IntrinsicOp(lanes->op).getFragmentType(role);
    return vector::BitCastOp::create(b, loc, cast<VectorType>(type), lanesOf);
  };
  return ComputeOp::create(b, loc, sum.getType(), lanes->getSymbol(), asPairs(Role::lhs, image),
                           asPairs(Role::rhs, weights), sum);
}

Value WindowEmitter::loadImage() {
  Value element = window.groups ? loadLanes() : load(window.source, window.imageMap());
  linalg::GenericOp shift = window.shift;
  if (!shift)
    return element;
  IRMapping mapping;
  mapping.map(shift.getBody()->getArgument(0), element);
  return cloneBody(shift, mapping).front();
}

/// The sum with one more element of its window.
Value WindowEmitter::addElement(Value sum) {
  if (lanes && window.groups)
    return multiplyRows(sum);
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    if (op.isDpsInit(&operand))
      mapping.map(argument, sum);
    else if (&operand == window.image)
      mapping.map(argument, loadImage());
    else if (window.groups)
      mapping.map(argument, loadRows());
    else if (isa<ShapedType>(operand.get().getType()))
      mapping.map(argument, load(operand.get(), op.getMatchingIndexingMap(&operand)));
    else
      mapping.map(argument, asVector(b.clone(*operand.get().getDefiningOp())->getResult(0)));
  }
  Value result = cloneBody(op, mapping).front();
  if (Value paired = multiplyPairs(mapping, sum))
    return paired;
  if (Operation *added = result.getDefiningOp()) {
    allowContraction(added);
    for (Value operand : added->getOperands())
      if (Operation *product = operand.getDefiningOp())
        allowContraction(product);
  }
  return result;
}

void WindowEmitter::multiply(int64_t vector, int64_t column) {
  Value &sum = sums[vector * blockColumns + column];
  atVector(vector, column, [&] { sum = addElement(sum); });
}

/// Computes the results from a sum, and stores them.
void WindowEmitter::storeResults(Value sum) {
  AffineMap resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<Value> results = {sum};
  if (linalg::GenericOp consumer = window.consumer) {
    IRMapping mapping;
    mapping.map(consumer.getMatchingBlockArgument(window.consumed), sum);
    for (OpOperand *input : consumer.getDpsInputOperands())
      if (input != window.consumed && !consumer.getMatchingBlockArgument(input).use_empty())
        mapping.map(consumer.getMatchingBlockArgument(input),
                    load(input->get(), window.mapOfConsumer(*input)));
    results = cloneBody(consumer, mapping);
  }
  for (auto [value, output] : llvm::zip_equal(results, outputs))
    vector::StoreOp::create(b, loc, value, output, indices(resultMap));
}

void WindowEmitter::beginBlock(int64_t vectors, int64_t columns) {
  sums.clear();
  blockColumns = columns;
  Value start;
  if (!window.initMap)
    start = asVector(b.clone(*window.init.getDefiningOp())->getResult(0));
  forEachVector(vectors, columns, [&](unsigned) {
    sums.push_back(start ? start : load(window.init, window.initMap));
  });
}

void WindowEmitter::endBlock(int64_t vectors, int64_t columns) {
  forEachVector(vectors, columns, [&](unsigned number) { storeResults(sums[number]); });
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

void WindowEmitter::reduce(unsigned number, const WindowSlide &slide, Body body) {
  auto [from, to] = boundsOf(number, slide);
  auto rows = scf::ForOp::create(b, loc, from, to, asValue(b.getIndexAttr(1)), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(rows.getBody());
  at[number] = rows.getInductionVar();
  sums = llvm::to_vector_of<Value>(rows.getRegionIterArgs());
  body();
  scf::YieldOp::create(b, loc, sums);
  sums = llvm::to_vector_of<Value>(rows.getResults());
}

void ucmoh::emitWindows(OpBuilder &builder, WindowReduction window, const WindowBlock &block,
                        const Intrinsic *lanes, const IRMapping &buffers, ValueRange outputs) {
  OpBuilder::InsertionGuard guard(builder);
  WindowEmitter(builder, window, block, lanes, buffers, outputs).emit();
}
