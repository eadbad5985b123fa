//===- Tile.cpp - ucmoh.tile: verifier
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "ucmoh/Dialect/TileSteps.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

SmallVector<int64_t> ucmoh::stridesOf(Value view) {
  return cast<MemRefType>(view.getType()).getStridesAndOffset().first;
}

MemRefType ucmoh::withoutDimension(MemRefType type, unsigned dimension) {
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  shape.erase(shape.begin() + dimension);
  strides.erase(strides.begin() + dimension);
  auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(shape, type.getElementType(), layout, type.getMemorySpace());
}

bool ucmoh::isRegisterTile(ArrayRef<int64_t> tile) {
  auto inBounds = [](int64_t value) { return value > 0 && value <= largestTileElements; };
  return tile.size() == 2 && llvm::all_of(tile, inBounds) &&
         tile[0] * tile[1] <= largestTileElements;
}

/// Views with extents and strides that the type says; only where they begin may vary, and the
/// extents of `open` dims from the given one on.
static LogicalResult verifyView(Operation *op, StringRef what, Value view, int64_t rank,
                                unsigned firstOpen = 0, unsigned open = 0) {
  auto type = cast<MemRefType>(view.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  auto mayBeOpen = [&](unsigned dim) { return dim >= firstOpen && dim < firstOpen + open; };
  bool isStatic = succeeded(type.getStridesAndOffset(strides, offset)) &&
                  llvm::none_of(strides, ShapedType::isDynamic);
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    isStatic &= !type.isDynamicDim(dim) || mayBeOpen(dim);
  bool isEmpty = llvm::is_contained(type.getShape(), 0);
  if (isStatic && type.getRank() == rank && !isEmpty)
    return success();
  return op->emitOpError() << what << " is " << type << ", expected a view of " << rank
                           << " dimensions with static extents and strides";
}

/// Extras and outputs have one element for each result; those of a row are stored as neighbours.
static LogicalResult verifySurroundings(TileOp op) {
  if (op.getOutputs().empty())
    return op.emitOpError("needs an output");
  for (Value view : llvm::concat<Value>(op.getOutputs(), op.getExtras())) {
    if (failed(verifyView(op, "an extra or output", view, 2)))
      return failure();
    auto type = cast<MemRefType>(view.getType());
    if (type.getShape() != op.getOutputType(0).getShape())
      return op.emitOpError("an extra or output has ")
             << type.getDimSize(0) << " x " << type.getDimSize(1) << " elements, but the tile has "
             << op.getRows() << " x " << op.getColumns();
  }
  for (Value output : op.getOutputs())
    if (stridesOf(output).back() != 1)
      return op.emitOpError("the columns of an output must be neighbours in memory, but it is ")
             << output.getType();
  if (!isRegisterTile(op.getOutputType(0).getShape()))
    return op.emitOpError("must have at most ") << largestTileElements << " results, but has "
                                                << op.getRows() << " x " << op.getColumns();
  return success();
}

/// Partial values of the tile's rows, which fragments are combined with.
static LogicalResult verifyPartials(TileOp op) {
  if (op.getPartials().size() != op.getCombiners().size())
    return op.emitOpError("has ") << op.getPartials().size() << " partials, but says of "
                                  << op.getCombiners().size() << " how they are combined";
  for (Value view : op.getPartials()) {
    if (failed(verifyView(op, "a partial", view, 2)))
      return failure();
    auto type = cast<MemRefType>(view.getType());
    if (type.getDimSize(0) != op.getRows() || stridesOf(view).back() != 1)
      return op.emitOpError("a partial is ")
             << type << ", expected neighbours in memory for each of " << op.getRows() << " rows";
  }
  return success();
}

/// Lhs, rhs and what is prefetched go through the same loops of the reduction.
static LogicalResult verifyFactors(TileOp op) {
  MemRefType lhs = op.getLhs().getType();
  if (lhs.getRank() < 2)
    return op.emitOpError("lhs is ") << lhs << ", expected rows and a loop of the reduction";
  SmallVector<std::pair<StringRef, Value>, 2> others = {{"rhs", op.getRhs()}};
  if (op.getNext())
    others.push_back({"next", op.getNext()});
  unsigned outerLoops = lhs.getRank() - 2;
  if (failed(verifyView(op, "lhs", op.getLhs(), lhs.getRank(), 1, outerLoops)))
    return failure();
  for (auto [name, view] : others) {
    if (failed(verifyView(op, name, view, lhs.getRank(), 0, outerLoops)))
      return failure();
    auto type = cast<MemRefType>(view.getType());
    if (op.getReduction().drop_back() != type.getShape().drop_back(2))
      return op.emitOpError("lhs is ")
             << lhs << " and " << name << " is " << type
             << ", but their outer loops of the reduction must be the same";
  }
  for (Value view : {op.getLhs(), op.getRhs()})
    if (stridesOf(view).back() != 1)
      return op.emitOpError("the last dimension of lhs and rhs must be neighbours in memory, but a "
                            "view is ")
             << view.getType();
  return success();
}

/// What rows leave out of the last loop of the reduction.
static LogicalResult verifySteps(TileOp op) {
  Attribute mark = op->getDiscardableAttr(stepsMark);
  if (!mark)
    return success();
  auto steps = dyn_cast<DenseI64ArrayAttr>(mark);
  bool isValid = steps && steps.size() == 2 * op.getRows();
  for (int64_t row = 0; isValid && row < op.getRows(); ++row)
    isValid = 0 <= steps[2 * row] && steps[2 * row] < steps[2 * row + 1] &&
              steps[2 * row + 1] <= op.getReduction().back();
  return isValid ? success()
                 : op.emitOpError("'") << stepsMark << "' must be array<i64: FROM, TO, ...> with 0 "
                                       << "<= FROM < TO <= " << op.getReduction().back()
                                       << " for each of " << op.getRows() << " rows";
}

static LogicalResult verifyStreams(TileOp op) {
  Attribute mark = op->getDiscardableAttr(streamsMark);
  if (!mark)
    return success();
  auto streams = dyn_cast<IntegerAttr>(mark);
  int64_t most = op.getReduction().back();
  return streams && 1 <= streams.getInt() && streams.getInt() <= most
             ? success()
             : op.emitOpError("'") << streamsMark << "' must be an integer of 1 to " << most
                                   << ", the steps of the last loop of the reduction";
}

LogicalResult TileOp::verify() {
  return failure(failed(verifySurroundings(*this)) || failed(verifyPartials(*this)) ||
                 failed(verifyFactors(*this)) || failed(verifySteps(*this)) ||
                 failed(verifyStreams(*this)));
}

/// Element types of buffers.
static SmallVector<Type> elementTypes(ValueRange buffers) {
  return llvm::map_to_vector(
      buffers, [](Value buffer) { return cast<MemRefType>(buffer.getType()).getElementType(); });
}

/// Scalar code that can be widened to vectors op by op, from `arguments` to `results`.
static LogicalResult verifyScalarCode(TileOp op, Region &region, StringRef name,
                                      TypeRange arguments, TypeRange results) {
  Block &body = region.front();
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield)
    return op.emitOpError() << "'" << name << "' must end in 'ucmoh.yield'";
  if (body.getArgumentTypes() != arguments)
    return op.emitOpError() << "'" << name << "' takes " << body.getArgumentTypes() << ", expected "
                            << arguments;
  if (yield.getOperandTypes() != results)
    return op.emitOpError() << "'" << name << "' yields " << yield.getOperandTypes()
                            << ", expected " << results;
  for (Operation &scalar : body.without_terminator())
    if (!isa<arith::ConstantOp>(scalar) && !OpTrait::hasElementwiseMappableTraits(&scalar))
      return mlir::emitError(scalar.getLoc())
             << "'" << name << "' of a ucmoh.tile may only contain elementwise ops, not '"
             << scalar.getName() << "'";
  return success();
}

LogicalResult TileOp::verifyRegions() {
  Block &epilogue = getEpilogue().front();
  if (epilogue.getNumArguments() == 0)
    return emitOpError("'epilogue' must take the accumulator's value first");
  Type accumulator = epilogue.getArgument(0).getType();
  SmallVector<Type> extras = elementTypes(getExtras()), arguments = {accumulator};
  llvm::append_range(arguments, extras);
  SmallVector<Type> results = elementTypes(getOutputs());
  llvm::append_range(results, elementTypes(getPartials()));
  if (failed(verifyScalarCode(*this, getPrologue(), "prologue", extras, accumulator)))
    return failure();
  return verifyScalarCode(*this, getEpilogue(), "epilogue", arguments, results);
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

TileOp PipelineOp::getTile() { return cast<TileOp>(getBody().front().front()); }

static LogicalResult verifyStaging(PipelineOp op, TileOp tile) {
  int64_t columns = tile.getColumns();
  if (failed(verifyView(op, "staging", op.getStaging(), 2)))
    return failure();
  if (op.getStaging().getType().getDimSize(1) != columns)
    return op.emitOpError("staging is ")
           << op.getStaging().getType() << ", expected rows of " << columns << " elements";
  if (columns % static_cast<int64_t>(op.getStagingWidth()))
    return op.emitOpError("'staging_width' must divide the columns of the tile");
  return success();
}

/// The body takes one slot of each operand.
static LogicalResult verifySlots(PipelineOp op) {
  for (auto [name, slots] : {std::pair("lhs", op.getLhs()), {"rhs", op.getRhs()}})
    if (failed(verifyView(op, name, slots, 3)))
      return failure();
  if (op.getRhs().getType().getDimSize(0) != op.getDepth())
    return op.emitOpError("lhs is ")
           << op.getLhs().getType() << " and rhs is " << op.getRhs().getType()
           << ", but they must have as many slots";
  Block &body = op.getBody().front();
  Type expected[] = {withoutDimension(op.getLhs().getType(), 0),
                     withoutDimension(op.getRhs().getType(), 0)};
  if (body.getArgumentTypes() != TypeRange(expected))
    return op.emitOpError("body takes ")
           << body.getArgumentTypes() << ", expected a slot of lhs and one of rhs, "
           << TypeRange(expected);
  return success();
}

static LogicalResult verifyCopy(PipelineOp op) {
  Block &body = op.getCopy().front();
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield || !yield.getResults().empty() || body.getNumArguments() != 2 ||
      !llvm::all_of(body.getArgumentTypes(), [](Type type) { return type.isIndex(); }))
    return op.emitOpError("'copy' must take two indices and end in 'ucmoh.yield'");
  return success();
}

LogicalResult PipelineOp::verifyRegions() {
  Block &body = getBody().front();
  bool isTile = llvm::range_size(body.getOperations()) == 2 && isa<TileOp>(body.front()) &&
                isa<YieldOp>(body.back());
  if (!isTile)
    return emitOpError("must have one 'ucmoh.tile' and a 'ucmoh.yield' in its body");
  if (failed(verifySlots(*this)))
    return failure();
  if (getTile().getReduction().size() != 1)
    return emitOpError("a tile in a pipeline has a single reduction loop");
  if (!getTile().getPartials().empty())
    return emitOpError("a tile in a pipeline has no partials");
  return failure(failed(verifyCopy(*this)) || failed(verifyStaging(*this, getTile())));
}
