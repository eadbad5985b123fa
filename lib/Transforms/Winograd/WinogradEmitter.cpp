//===- WinogradEmitter.cpp - Writes a convolution as products of sums
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The result of a tile is A (G w G' . D x D') A', where x is 4 x 4 pixels, w the weights of a
/// window, and . multiplies element by element. Element (i, j) of a transformed matrix is a sum of
/// elements (a, b) of what is transformed, times entry (i, a) of the matrix on the left and entry
/// (j, b) of the one on the right.
///
/// Of integers all of that is exact: sums of bytes have 16 bits. Weights are multiplied by four, so
/// that they stay integers, and results are divided by four.
///
//===----------------------------------------------------------------------===//

#include "WinogradEmitter.h"
#include "../Extents/Loops.h"
#include "../Prepare/Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;

/// The transforms of pixels, of weights, and of products to results.
static constexpr double pixelTransform[4][4] = {
    {1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
static constexpr double weightTransform[4][3] = {{1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}};
static constexpr double resultTransform[2][4] = {{1, 1, 1, 0}, {0, 1, -1, -1}};

/// Rows or columns of pixels that a tile has.
static constexpr int64_t tilePixels = 4;

/// What integer weights are multiplied by along rows, and along columns: twice a half is one.
static constexpr double integerScale = 2;

linalg::LinalgOp WinogradConvolution::root() const {
  return consumer ? linalg::LinalgOp(consumer) : op;
}

static Value add(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType()) ? arith::AddFOp::create(b, loc, x, y).getResult()
                                     : arith::AddIOp::create(b, loc, x, y).getResult();
}

static Value subtract(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType()) ? arith::SubFOp::create(b, loc, x, y).getResult()
                                     : arith::SubIOp::create(b, loc, x, y).getResult();
}

static Value times(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType()) ? arith::MulFOp::create(b, loc, x, y).getResult()
                                     : arith::MulIOp::create(b, loc, x, y).getResult();
}

/// Returns the sum of the values, each times its coefficient: 1, -1, or 0 for no value.
static Value addUp(OpBuilder &b, Location loc, ArrayRef<double> coefficients,
                   ArrayRef<Value> values) {
  Value sum;
  for (auto [coefficient, value] : llvm::zip_equal(coefficients, values))
    if (coefficient > 0)
      sum = sum ? add(b, loc, sum, value) : value;
  for (auto [coefficient, value] : llvm::zip_equal(coefficients, values))
    if (coefficient < 0)
      sum = subtract(b, loc, sum, value);
  return sum;
}

/// The elements of a matrix that both coefficients count.
static SmallVector<std::pair<int64_t, int64_t>> entriesOf(ArrayRef<double> rows,
                                                          ArrayRef<double> columns) {
  SmallVector<std::pair<int64_t, int64_t>> entries;
  for (int64_t a = 0; a < int64_t(rows.size()); ++a)
    for (int64_t c = 0; c < int64_t(columns.size()); ++c)
      if (rows[a] != 0 && columns[c] != 0)
        entries.push_back({a, c});
  return entries;
}

/// Returns the sum of values[k] at entries[k], times both coefficients: first along each column.
static Value addUpMatrix(OpBuilder &b, Location loc, ArrayRef<double> rows,
                         ArrayRef<double> columns, ValueRange values) {
  SmallVector<SmallVector<Value>> matrix(columns.size(), SmallVector<Value>(rows.size()));
  for (auto [entry, value] : llvm::zip_equal(entriesOf(rows, columns), values))
    matrix[entry.second][entry.first] = value;
  SmallVector<Value> sums(columns.size());
  for (auto [column, coefficient] : llvm::enumerate(columns))
    if (coefficient != 0)
      sums[column] = addUp(b, loc, rows, matrix[column]);
  return addUp(b, loc, columns, sums);
}

static SmallVector<OpFoldResult> asIndices(OpBuilder &b, ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(b.getContext(), values);
}

WinogradEmitter::WinogradEmitter(OpBuilder &builder, WinogradConvolution convolution)
    : b(builder), loc(convolution.op.getLoc()), conv(convolution),
      sums(convolution.shape.sums.getType(b.getContext())),
      results(convolution.shape.results.getType(b.getContext())), shape(convolution.shape),
      image(convolution.image.value) {}

Value WinogradEmitter::emit(int64_t tileRows) {
  b.setInsertionPoint(conv.root());
  findSurroundings();
  Value weights = transformWeights(), result = destination();
  if (tileRows >= shape.tileRows())
    return compute(weights, result);
  return emitBlocks(weights, result, 2 * tileRows);
}

Value WinogradEmitter::compute(Value weights, Value result) {
  Value products = multiply(transformImage(), weights);
  for (int64_t row : {0, 1})
    for (int64_t column : {0, 1})
      result = addPart(products, result, row, column);
  return result;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Value WinogradEmitter::emitBlocks(Value weights, Value result, int64_t rows) {
  auto block = [&](const Cut &cut, ValueRange made) -> SmallVector<Value> {
    return {emitBlock(weights, made.front(), cut.from, rows)};
  };
  return loopOverPieces(b, loc, b.getIndexAttr(shape.rows), Sizes{{rows}}, result, block).front();
}

/// The rows from `first` on. What they need is cut out, and stands for the whole from then on.
Value WinogradEmitter::emitBlock(Value weights, Value result, OpFoldResult first, int64_t rows) {
  auto partOf = [&](Value tensor, AffineMap map, int64_t count) {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
    SmallVector<int64_t> sizes(type.getShape());
    if (auto dim = map.getResultPosition(b.getAffineDimExpr(1))) {
      offsets[*dim] = first;
      sizes[*dim] = count;
    }
    SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, loc, type.clone(sizes), tensor, offsets,
                                          asIndices(b, sizes), ones);
  };
  AffineMap all = b.getMultiDimIdentityMap(4);
  shape.rows = rows;
  image = partOf(image, all, rows + 2);
  for (Surrounding &each : surroundings)
    each.value = partOf(each.value, each.map, rows);
  tensor::ExtractSliceOp part = partOf(result, all, rows);
  return tensor::InsertSliceOp::create(b, loc, compute(weights, part), result,
                                       part.getMixedOffsets(), part.getMixedSizes(),
                                       part.getMixedStrides());
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

Value WinogradEmitter::cut(Value tensor, const Place &place) {
  Type element = getElementTypeOrSelf(tensor);
  auto type = RankedTensorType::get(ArrayRef(place.sizes).drop_front(place.dropped), element);
  return tensor::ExtractSliceOp::create(b, loc, type, tensor, asIndices(b, place.offsets),
                                        asIndices(b, place.sizes), asIndices(b, place.strides));
}

Value WinogradEmitter::put(Value part, Value tensor, const Place &place) {
  return tensor::InsertSliceOp::create(b, loc, part, tensor, asIndices(b, place.offsets),
                                       asIndices(b, place.sizes), asIndices(b, place.strides));
}

/// Equal `tensor.empty` of several convolutions would become one, and bufferization compares each
/// slice of a tensor with each other one.
Value WinogradEmitter::allocate(ArrayRef<int64_t> extents, Type element) {
  return bufferization::AllocTensorOp::create(b, loc, RankedTensorType::get(extents, element),
                                              ValueRange());
}

Value WinogradEmitter::zeros(Value tensor) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(getElementTypeOrSelf(tensor)));
  return linalg::FillOp::create(b, loc, zero, tensor).getResult(0);
}

Value WinogradEmitter::combine(ArrayRef<double> rows, ArrayRef<double> columns, Input input,
                               AffineMap map, ArrayRef<Surrounding> others, Value init, Body body) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (auto [a, c] : entriesOf(rows, columns)) {
    inputs.push_back(input(a, c));
    maps.push_back(map);
  }
  size_t summed = inputs.size();
  for (const Surrounding &other : others) {
    inputs.push_back(other.value);
    maps.push_back(other.map);
  }
  unsigned rank = cast<RankedTensorType>(init.getType()).getRank();
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(b, loc, init.getType(), inputs, init, maps, loops,
                                   [&](OpBuilder &builder, Location, ValueRange values) {
                                     Value made = body(builder, values.take_front(summed),
                                                       values.drop_front(summed).drop_back());
                                     linalg::YieldOp::create(builder, loc, made);
                                   })
      .getResult(0);
}

/// Returns what is added up for an element of an operand: a float as it is, an integer extended and
/// less its zero point.
Value WinogradEmitter::widen(OpBuilder &builder, const ContractionBody::Input &from,
                             Value element) {
  if (!from.type.isInteger())
    return element;
  Value extended = from.type.kind == ElementType::UnsignedInt
                       ? arith::ExtUIOp::create(builder, loc, sums, element).getResult()
                       : arith::ExtSIOp::create(builder, loc, sums, element).getResult();
  if (from.zeroOffset == 0)
    return extended;
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(sums, from.zeroOffset));
  return arith::SubIOp::create(builder, loc, extended, zero);
}

/// Takes the scale of the weights out of a sum of products.
Value WinogradEmitter::finishSum(OpBuilder &builder, Value sum) {
  if (isa<FloatType>(results))
    return sum;
  constexpr unsigned shift = llvm::ConstantLog2<uint64_t(integerScale * integerScale)>();
  Value bits = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(results, shift));
  return arith::ShRSIOp::create(builder, loc, sum, bits);
}

//===----------------------------------------------------------------------===//
// The transforms of both operands
//===----------------------------------------------------------------------===//

/// The last pixels of a tile are needed for its second row of results only, which the last tile of
/// an odd number of rows has not. The image has no pixels there either.
static int64_t tilesWith(int64_t element, int64_t results) {
  return element == tilePixels - 1 ? results / 2 : (results + 1) / 2;
}

/// Products of the elements that the last tiles have not are computed, and used for nothing.
Value WinogradEmitter::zeroLastTiles(Value pixels) {
  int64_t last = tilePixels - 1, rows = shape.tileRows(), columns = shape.tileColumns();
  auto zero = [&](const Place &place) { pixels = put(zeros(cut(pixels, place)), pixels, place); };
  SmallVector<int64_t> ones(6, 1);
  if (shape.rows % 2)
    zero({{last, 0, 0, rows - 1, 0, 0},
          {1, tilePixels, shape.images, 1, columns, shape.channels},
          ones});
  if (shape.columns % 2)
    zero({{0, last, 0, 0, columns - 1, 0},
          {tilePixels, 1, shape.images, rows, 1, shape.channels},
          ones});
  return pixels;
}

Value WinogradEmitter::transformImage() {
  Value made = zeroLastTiles(allocate(
      {tilePixels, tilePixels, shape.images, shape.tileRows(), shape.tileColumns(), shape.channels},
      sums));
  for (int64_t i = 0; i < tilePixels; ++i)
    for (int64_t j = 0; j < tilePixels; ++j) {
      SmallVector<int64_t> sizes = {shape.images, tilesWith(i, shape.rows),
                                    tilesWith(j, shape.columns), shape.channels};
      Place place{{i, j, 0, 0, 0, 0}, {1, 1}, SmallVector<int64_t>(6, 1), 2};
      place.sizes.append(sizes);
      auto pixels = [&](int64_t row, int64_t column) {
        return cut(image, {{0, row, column, 0}, sizes, {1, 2, 2, 1}});
      };
      auto sum = [&](OpBuilder &builder, ValueRange values, ValueRange) {
        auto widened = llvm::map_to_vector(
            values, [&](Value pixel) { return widen(builder, conv.image, pixel); });
        return addUpMatrix(builder, loc, pixelTransform[i], pixelTransform[j], widened);
      };
      Value part = combine(pixelTransform[i], pixelTransform[j], pixels,
                           b.getMultiDimIdentityMap(4), {}, cut(made, place), sum);
      made = put(part, made, place);
    }
  return tensor::CollapseShapeOp::create(b, loc, made,
                                         SmallVector<ReassociationIndices>{{0, 1}, {2, 3, 4}, {5}});
}

/// What each weight of a window is worth in each of a tile's products.
static DenseElementsAttr weightFactors(OpBuilder &b, Type element) {
  SmallVector<Attribute> factors;
  auto asAttribute = [&](double factor) -> Attribute {
    if (isa<FloatType>(element))
      return b.getFloatAttr(element, factor);
    return b.getIntegerAttr(element, int64_t(factor * integerScale * integerScale));
  };
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t column = 0; column < 3; ++column)
      for (auto &rows : weightTransform)
        for (auto &columns : weightTransform)
          factors.push_back(asAttribute(rows[row] * columns[column]));
  auto type = RankedTensorType::get({3, 3, tilePixels * tilePixels}, element);
  return DenseElementsAttr::get(type, factors);
}

/// Once for all calls, so plain loops do.
Value WinogradEmitter::transformWeights() {
  auto type = cast<RankedTensorType>(conv.weights.value.getType());
  unsigned outer = std::min(conv.channels, conv.filters);
  unsigned inner = std::max(conv.channels, conv.filters);
  SmallVector<AffineExpr> dims(5), places(4);
  bindDimsList(b.getContext(), MutableArrayRef<AffineExpr>(dims));
  places[outer] = dims[0];
  places[inner] = dims[1];
  places[conv.windowRows] = dims[3];
  places[conv.windowColumns] = dims[4];
  SmallVector<AffineMap> maps = AffineMap::inferFromExprList(
      {places, {dims[3], dims[4], dims[2]}, {dims[0], dims[1], dims[2]}}, b.getContext());
  SmallVector<utils::IteratorType> loops(5, utils::IteratorType::parallel);
  loops[3] = loops[4] = utils::IteratorType::reduction;
  Value factors = arith::ConstantOp::create(b, loc, weightFactors(b, sums));
  // No allocation: what has no effects and depends on weights alone is computed once.
  SmallVector<int64_t> extents = {type.getDimSize(outer), type.getDimSize(inner),
                                  tilePixels * tilePixels};
  Value init = zeros(tensor::EmptyOp::create(b, loc, extents, sums));
  auto made = linalg::GenericOp::create(
      b, loc, init.getType(), ValueRange{conv.weights.value, factors}, init, maps, loops,
      [&](OpBuilder &builder, Location, ValueRange values) {
        Value weight = widen(builder, conv.weights, values[0]);
        Value part = times(builder, loc, weight, values[1]);
        linalg::YieldOp::create(builder, loc, add(builder, loc, values[2], part));
      });
  made->setAttr(plainMark, b.getUnitAttr());
  return made.getResult(0);
}

/// Returns the product of two sums, as the result has its elements.
Value WinogradEmitter::multiplyWide(OpBuilder &builder, Value pixels, Value weights) {
  if (isa<FloatType>(sums))
    return times(builder, loc, pixels, weights);
  Value x = arith::ExtSIOp::create(builder, loc, results, pixels);
  Value y = arith::ExtSIOp::create(builder, loc, results, weights);
  return times(builder, loc, x, y);
}

Value WinogradEmitter::multiply(Value pixels, Value weights) {
  Value init = zeros(allocate({tilePixels * tilePixels, shape.tiles(), shape.filters}, results));
  AffineExpr product, tile, filter, channel;
  bindDims(b.getContext(), product, tile, filter, channel);
  SmallVector<AffineExpr> places = {filter, channel, product};
  if (conv.channels < conv.filters)
    std::swap(places[0], places[1]);
  SmallVector<AffineMap> maps = AffineMap::inferFromExprList(
      {{product, tile, channel}, places, {product, tile, filter}}, b.getContext());
  SmallVector<utils::IteratorType> loops(4, utils::IteratorType::parallel);
  loops[3] = utils::IteratorType::reduction;
  auto made = linalg::GenericOp::create(
      b, loc, init.getType(), ValueRange{pixels, weights}, init, maps, loops,
      [&](OpBuilder &builder, Location, ValueRange values) {
        Value product = multiplyWide(builder, values[0], values[1]);
        linalg::YieldOp::create(builder, loc, add(builder, loc, values[2], product));
      });
  copyMarks(conv.op, made);
  auto type = RankedTensorType::get(
      {tilePixels, tilePixels, shape.images, shape.tileRows(), shape.tileColumns(), shape.filters},
      results);
  return tensor::ExpandShapeOp::create(b, loc, type, made.getResult(0),
                                       SmallVector<ReassociationIndices>{{0, 1}, {2, 3, 4}, {5}});
}

//===----------------------------------------------------------------------===//
// The result, with what surrounds the convolution
//===----------------------------------------------------------------------===//

/// Returns the value that a generic only repeats along dims, if `value` is such a one.
static linalg::GenericOp findBroadcast(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  bool isBroadcast = op && op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
                     isa<RankedTensorType>(op.getInputs()[0].getType()) &&
                     op.getNumReductionLoops() == 0 &&
                     op.getIndexingMapsArray().back().isIdentity() &&
                     op.getIndexingMapsArray().front().isProjectedPermutation() &&
                     op.getBody()->getTerminator()->getOperand(0) == op.getBody()->getArgument(0);
  return isBroadcast ? op : linalg::GenericOp();
}

void WinogradEmitter::findSurroundings() {
  Value init = conv.op.getDpsInits()[0];
  hasInit = !isZeroTensor(init);
  if (linalg::GenericOp broadcast = findBroadcast(init); broadcast && hasInit)
    surroundings.push_back({broadcast.getInputs()[0], broadcast.getIndexingMapsArray().front()});
  else if (hasInit)
    surroundings.push_back({init, b.getMultiDimIdentityMap(4)});
  if (!conv.consumer)
    return;
  for (OpOperand *operand : conv.consumer.getDpsInputOperands())
    if (operand->get() != conv.op->getResult(0))
      surroundings.push_back({operand->get(), conv.consumer.getMatchingIndexingMap(operand)});
}

/// Computes the root from the sum of the products, and its operands.
Value WinogradEmitter::surround(OpBuilder &builder, Value sum, ValueRange others) {
  if (hasInit) {
    sum = add(builder, loc, sum, others.front());
    others = others.drop_front();
  }
  if (!conv.consumer)
    return sum;
  linalg::GenericOp consumer = conv.consumer;
  IRMapping mapping;
  for (OpOperand *operand : consumer.getDpsInputOperands()) {
    BlockArgument argument = consumer.getMatchingBlockArgument(operand);
    if (operand->get() == conv.op->getResult(0)) {
      mapping.map(argument, sum);
      continue;
    }
    mapping.map(argument, others.front());
    others = others.drop_front();
  }
  for (Operation &op : consumer.getBody()->without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(consumer.getBody()->getTerminator()->getOperand(0));
}

/// Whether the value becomes the inside of a tensor with a border.
static bool getsBorder(Value value) {
  while (value.hasOneUse() &&
         isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(*value.user_begin()))
    value = value.user_begin()->getResult(0);
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(user);
    return insert && insert.getStaticSizes().back() == insert.getDestType().getShape().back();
  });
}

/// The tensor whose elements the root replaces: one that bufferization may place where the result
/// belongs, if that has a border; else one of its own, for the reason of `allocate`.
Value WinogradEmitter::destination() {
  auto type = cast<RankedTensorType>(conv.root()->getResult(0).getType());
  if (getsBorder(conv.root()->getResult(0)))
    return tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  return allocate(type.getShape(), type.getElementType());
}

/// Puts one result of each tile.
Value WinogradEmitter::addPart(Value products, Value result, int64_t row, int64_t column) {
  SmallVector<int64_t> sizes = {shape.images, (shape.rows + 1 - row) / 2,
                                (shape.columns + 1 - column) / 2, shape.filters};
  SmallVector<int64_t> offsets = {0, row, column, 0}, strides = {1, 2, 2, 1};
  auto product = [&](int64_t a, int64_t c) {
    Place place{{a, c, 0, 0, 0, 0}, {1, 1}, SmallVector<int64_t>(6, 1), 2};
    place.sizes.append(sizes);
    return cut(products, place);
  };
  SmallVector<Surrounding> others;
  for (const Surrounding &each : surroundings) {
    Place place;
    for (AffineExpr expr : each.map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      place.offsets.push_back(offsets[dim]);
      place.sizes.push_back(sizes[dim]);
      place.strides.push_back(strides[dim]);
    }
    others.push_back({cut(each.value, place), each.map});
  }
  Place place{offsets, sizes, strides};
  auto body = [&](OpBuilder &builder, ValueRange products, ValueRange values) {
    Value sum = addUpMatrix(builder, loc, resultTransform[row], resultTransform[column], products);
    return surround(builder, finishSum(builder, sum), values);
  };
  Value part = combine(resultTransform[row], resultTransform[column], product,
                       b.getMultiDimIdentityMap(4), others, cut(result, place), body);
  return put(part, result, place);
}
