//===- WinogradEmitter.cpp - Writes a convolution as products of sums
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradEmitter.h"
#include "../Extents/Loops.h"
#include "../Prepare/Patterns.h"
#include "ProductMaps.h"
#include "TileTransforms.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;

linalg::LinalgOp WinogradConvolution::root() const {
  return consumer ? linalg::LinalgOp(consumer) : op;
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
  image = joinGroups(image);
  findSurroundings();
  Value weights = transformWeights(), made = destination();
  if (tileRows >= shape.tileRows())
    made = compute(weights, made);
  else
    made = emitBlocks(weights, made, 2 * tileRows);
  return conv.consumer ? made : splitGroups(made, shape.filters);
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
    if (auto dim = map.getResultPosition(b.getAffineDimExpr(shape.outer.size()))) {
      offsets[*dim] = first;
      sizes[*dim] = count;
    }
    SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, loc, type.clone(sizes), tensor, offsets,
                                          asIndices(b, sizes), ones);
  };
  AffineMap all = b.getMultiDimIdentityMap(rank());
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
// Extents and slices
//===----------------------------------------------------------------------===//

WinogradEmitter::Extents WinogradEmitter::outerOfImage() const {
  return llvm::map_to_vector(shape.outer, [](auto &outer) { return outer.image; });
}

WinogradEmitter::Extents WinogradEmitter::outerOfResult() const {
  return llvm::map_to_vector(shape.outer, [](auto &outer) { return outer.result; });
}

/// Returns `each` for all outer dims, and the rest behind them.
WinogradEmitter::Extents WinogradEmitter::behindOuter(int64_t each, ArrayRef<int64_t> rest) const {
  Extents all(shape.outer.size(), each);
  llvm::append_range(all, rest);
  return all;
}

/// Element (i, j) of the first tiles, as many as `sizes` says, of a tensor of elements by tiles.
WinogradEmitter::Place WinogradEmitter::elementOf(int64_t i, int64_t j,
                                                  ArrayRef<int64_t> sizes) const {
  Place place{{i * tilePixels + j}, {1}, Extents(rank() + 1, 1), 1};
  place.offsets.append(rank(), 0);
  llvm::append_range(place.sizes, sizes);
  return place;
}

/// The dims of a tensor of this rank whose last two become one.
static SmallVector<ReassociationIndices> joinLastTwo(int64_t rank) {
  SmallVector<ReassociationIndices> dims;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    dims.push_back({dim});
  dims.back().push_back(rank - 1);
  return dims;
}

SmallVector<ReassociationIndices> ucmoh::joinedGroups(const WinogradShape &shape) {
  return joinLastTwo(shape.outer.size() + 4); // rows, columns, groups and filters
}

Value WinogradEmitter::joinGroups(Value tensor) {
  if (shape.groups == 1)
    return tensor;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  return b.createOrFold<tensor::CollapseShapeOp>(loc, tensor, joinLastTwo(rank));
}

/// The last dim becomes groups of so many channels.
Value WinogradEmitter::splitGroups(Value tensor, int64_t channels) {
  if (shape.groups == 1)
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  Extents extents(type.getShape().drop_back());
  extents.append({shape.groups, channels});
  return tensor::ExpandShapeOp::create(b, loc, type.clone(extents), tensor,
                                       joinLastTwo(type.getRank() + 1));
}

/// Elements, tiles and channels of a tensor as the dims of matrices. Slices of which several are
/// added up stay apart.
SmallVector<ReassociationIndices> WinogradEmitter::matrices() const {
  int64_t outer = shape.outer.size();
  SmallVector<ReassociationIndices> dims = {{0}};
  ReassociationIndices tiles;
  for (int64_t dim = 1; dim <= outer; ++dim) {
    if (shape.hasVolumes())
      dims.push_back({dim});
    else
      tiles.push_back(dim);
  }
  tiles.append({1 + outer, 2 + outer});
  dims.push_back(tiles);
  dims.push_back({3 + outer});
  return dims;
}

/// The place in a tensor that is indexed by some of the dims.
WinogradEmitter::Place WinogradEmitter::indexed(const Place &place, AffineMap map) {
  Place part;
  for (unsigned position = 0; position < map.getNumResults(); ++position) {
    unsigned dim = map.getDimPosition(position);
    part.offsets.push_back(place.offsets[dim]);
    part.sizes.push_back(place.sizes[dim]);
    part.strides.push_back(place.strides[dim]);
  }
  return part;
}

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
  constexpr int64_t last = tilePixels - 1;
  // Elements from the first one on, as many, so many apart.
  auto zero = [&](std::array<int64_t, 3> elements, ArrayRef<int64_t> tile,
                  ArrayRef<int64_t> tiles) {
    Place place{{elements[0]}, {elements[1]}, Extents(rank() + 1, 1)};
    place.strides.front() = elements[2];
    llvm::append_range(place.offsets, behindOuter(0, tile));
    llvm::append_range(place.sizes, outerOfImage());
    llvm::append_range(place.sizes, tiles);
    pixels = put(zeros(cut(pixels, place)), pixels, place);
  };
  if (shape.rows % 2)
    zero({last * tilePixels, tilePixels, 1}, {shape.tileRows() - 1, 0, 0},
         {1, shape.tileColumns(), allChannels()});
  if (shape.columns % 2)
    zero({last, tilePixels, tilePixels}, {0, shape.tileColumns() - 1, 0},
         {shape.tileRows(), 1, allChannels()});
  return pixels;
}

Value WinogradEmitter::transformImage() {
  Extents all = {tilePixels * tilePixels};
  llvm::append_range(all, outerOfImage());
  all.append({shape.tileRows(), shape.tileColumns(), allChannels()});
  Value made = zeroLastTiles(allocate(all, sums));
  for (int64_t i = 0; i < tilePixels; ++i)
    for (int64_t j = 0; j < tilePixels; ++j)
      made = addSum(made, i, j);
  return matricesOf(made);
}

/// Puts one sum of each tile.
Value WinogradEmitter::addSum(Value made, int64_t i, int64_t j) {
  Extents sizes = outerOfImage();
  sizes.append({tilesWith(i, shape.rows), tilesWith(j, shape.columns), allChannels()});
  Place place = elementOf(i, j, sizes);
  auto pixels = [&](int64_t row, int64_t column) {
    return cut(image, {behindOuter(0, {row, column, 0}), sizes, behindOuter(1, {2, 2, 1})});
  };
  auto sum = [&](OpBuilder &builder, ValueRange values, ValueRange) {
    auto widened =
        llvm::map_to_vector(values, [&](Value pixel) { return widen(builder, conv.image, pixel); });
    return addUpMatrix(builder, loc, pixelTransform[i], pixelTransform[j], widened);
  };
  Value part = combine(pixelTransform[i], pixelTransform[j], pixels,
                       b.getMultiDimIdentityMap(rank()), {}, cut(made, place), sum);
  return put(part, made, place);
}

/// The left operand of the product.
Value WinogradEmitter::matricesOf(Value pixels) {
  Value joined = tensor::CollapseShapeOp::create(b, loc, pixels, matrices());
  return splitGroups(joined, shape.channels);
}

/// Once for all calls, so plain loops do.
Value WinogradEmitter::transformWeights() {
  auto type = cast<RankedTensorType>(conv.weights.value.getType());
  AffineMap map = conv.weights.map;
  unsigned kept = type.getRank() - 2, loops = kept + 3; // those, products, rows and columns
  SmallVector<AffineExpr> dims(loops), places, sum;
  bindDimsList(b.getContext(), MutableArrayRef<AffineExpr>(dims));
  Extents extents;
  for (auto [position, extent] : llvm::enumerate(type.getShape())) {
    unsigned loop = map.getDimPosition(position);
    if (loop == conv.windowRow || loop == conv.windowColumn) {
      places.push_back(dims[kept + 1 + (loop == conv.windowColumn)]);
      continue;
    }
    places.push_back(dims[extents.size()]);
    sum.push_back(places.back());
    extents.push_back(extent);
  }
  sum.push_back(dims[kept]);
  extents.push_back(tilePixels * tilePixels);
  SmallVector<AffineMap> maps = AffineMap::inferFromExprList(
      {places, {dims[kept + 1], dims[kept + 2], dims[kept]}, sum}, b.getContext());
  SmallVector<utils::IteratorType> types(loops, utils::IteratorType::parallel);
  types[kept + 1] = types[kept + 2] = utils::IteratorType::reduction;
  return sumOfWeights(extents, maps, types);
}

Value WinogradEmitter::sumOfWeights(ArrayRef<int64_t> extents, ArrayRef<AffineMap> maps,
                                    ArrayRef<utils::IteratorType> loops) {
  Value factors = arith::ConstantOp::create(b, loc, weightFactors(b, sums));
  // No allocation: what has no effects and depends on weights alone is computed once.
  Value init = zeros(tensor::EmptyOp::create(b, loc, extents, sums));
  auto made = linalg::GenericOp::create(
      b, loc, init.getType(), ValueRange{conv.weights.value, factors}, init, maps, loops,
      [&](OpBuilder &builder, Location, ValueRange values) {
        Value weight = widen(builder, conv.weights, values[0]);
        ArithBuilder arith(builder, loc);
        linalg::YieldOp::create(builder, loc, arith.add(values[2], arith.mul(weight, values[1])));
      });
  made->setAttr(plainMark, b.getUnitAttr());
  return made.getResult(0);
}

/// Returns the product of two sums, as the result has its elements.
Value WinogradEmitter::multiplyWide(OpBuilder &builder, Value pixels, Value weights) {
  if (isa<FloatType>(sums))
    return ArithBuilder(builder, loc).mul(pixels, weights);
  Value x = arith::ExtSIOp::create(builder, loc, results, pixels);
  Value y = arith::ExtSIOp::create(builder, loc, results, weights);
  return ArithBuilder(builder, loc).mul(x, y);
}

Value WinogradEmitter::multiply(Value pixels, Value weights) {
  Extents extents = {tilePixels * tilePixels};
  if (shape.hasVolumes())
    llvm::append_range(extents, outerOfResult());
  extents.push_back(shape.hasVolumes() ? shape.tilesOfSlice() : shape.tiles());
  if (shape.groups > 1)
    extents.push_back(shape.groups);
  extents.push_back(shape.filters);
  Value init = zeros(allocate(extents, results));
  auto [maps, loops] = mapProduct(conv);
  auto made = linalg::GenericOp::create(
      b, loc, init.getType(), ValueRange{pixels, weights}, init, maps, loops,
      [&](OpBuilder &builder, Location, ValueRange values) {
        Value product = multiplyWide(builder, values[0], values[1]);
        linalg::YieldOp::create(builder, loc, ArithBuilder(builder, loc).add(values[2], product));
      });
  copyMarks(conv.op, made);
  return tilesOf(made.getResult(0));
}

/// The product's result as elements by tiles.
Value WinogradEmitter::tilesOf(Value products) {
  Extents extents = {tilePixels * tilePixels};
  llvm::append_range(extents, outerOfResult());
  extents.append({shape.tileRows(), shape.tileColumns(), allFilters()});
  return tensor::ExpandShapeOp::create(b, loc, RankedTensorType::get(extents, results),
                                       joinGroups(products), matrices());
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
  Value init = joinGroups(conv.op.getDpsInits()[0]);
  hasInit = !isZeroTensor(init);
  if (linalg::GenericOp broadcast = findBroadcast(init); broadcast && hasInit)
    surroundings.push_back({broadcast.getInputs()[0], broadcast.getIndexingMapsArray().front()});
  else if (hasInit)
    surroundings.push_back({init, b.getMultiDimIdentityMap(rank())});
  if (!conv.consumer)
    return;
  for (OpOperand *operand : conv.consumer.getDpsInputOperands())
    if (operand->get() != conv.joined)
      surroundings.push_back({operand->get(), conv.consumer.getMatchingIndexingMap(operand)});
}

/// Computes the root from the sum of the products, and its operands.
Value WinogradEmitter::surround(OpBuilder &builder, Value sum, ValueRange others) {
  if (hasInit) {
    sum = ArithBuilder(builder, loc).add(sum, others.front());
    others = others.drop_front();
  }
  if (!conv.consumer)
    return sum;
  linalg::GenericOp consumer = conv.consumer;
  IRMapping mapping;
  for (OpOperand *operand : consumer.getDpsInputOperands()) {
    BlockArgument argument = consumer.getMatchingBlockArgument(operand);
    if (operand->get() == conv.joined) {
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
  Value root = conv.root()->getResult(0);
  Extents extents = outerOfResult();
  extents.append({shape.rows, shape.columns, allFilters()});
  if (getsBorder(root))
    return tensor::EmptyOp::create(b, loc, extents, getElementTypeOrSelf(root));
  return allocate(extents, getElementTypeOrSelf(root));
}

/// Puts one result of each tile.
Value WinogradEmitter::addPart(Value products, Value result, int64_t row, int64_t column) {
  Place place{behindOuter(0, {row, column, 0}), outerOfResult(), behindOuter(1, {2, 2, 1})};
  place.sizes.append({(shape.rows + 1 - row) / 2, (shape.columns + 1 - column) / 2, allFilters()});
  auto product = [&](int64_t a, int64_t c) { return cut(products, elementOf(a, c, place.sizes)); };
  SmallVector<Surrounding> others;
  for (const Surrounding &each : surroundings)
    others.push_back({cut(each.value, indexed(place, each.map)), each.map});
  auto body = [&](OpBuilder &builder, ValueRange products, ValueRange values) {
    Value sum = addUpMatrix(builder, loc, resultTransform[row], resultTransform[column], products);
    return surround(builder, finishSum(builder, sum), values);
  };
  Value part = combine(resultTransform[row], resultTransform[column], product,
                       b.getMultiDimIdentityMap(rank()), others, cut(result, place), body);
  return put(part, result, place);
}
