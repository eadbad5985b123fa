//===- Tile.cpp - ucmoh.tile: verifier
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

bool ucmoh::isRegisterTile(ArrayRef<int64_t> tile) {
  auto inBounds = [](int64_t value) { return value > 0 && value <= largestTileElements; };
  return tile.size() == 2 && llvm::all_of(tile, inBounds) &&
         tile[0] * tile[1] <= largestTileElements;
}

/// One stride per buffer and loop.
static LogicalResult verifyCount(TileOp op, StringRef what, size_t count, size_t expected) {
  if (count == expected)
    return success();
  return op.emitOpError("has ") << count << " " << what << ", expected " << expected;
}

static LogicalResult verifyFlat(TileOp op, StringRef what, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() == 1)
    return success();
  return op.emitOpError() << what << " is " << type << ", expected a flat buffer";
}

LogicalResult TileOp::verify() {
  auto positive = [](int64_t value) { return value > 0; };
  if (!isRegisterTile(getTile()))
    return emitOpError(
               "tile must be two positive numbers [rows, columns] with a product of at most ")
           << largestTileElements << ", but is [" << getTile() << "]";
  if (getReduction().empty() || !llvm::all_of(getReduction(), positive))
    return emitOpError("'reduction' must be one or more positive numbers, but is [")
           << getReduction() << "]";
  if (getUnroll() < 1 || getUnroll() > largestUnroll)
    return emitOpError("'unroll' must be between 1 and ") << largestUnroll;
  size_t loops = 1 + getReduction().size(), extras = getExtras().size();
  size_t outputs = getOutputs().size();
  if (failed(verifyCount(*this, "strides of lhs", getLhsStrides().size(), loops)) ||
      failed(verifyCount(*this, "strides of rhs", getRhsStrides().size(), loops)) ||
      failed(verifyCount(*this, "bases of extras", getExtraBases().size(), extras)) ||
      failed(verifyCount(*this, "strides of extras", getExtraStrides().size(), 2 * extras)) ||
      failed(verifyCount(*this, "bases of outputs", getOutputBases().size(), outputs)) ||
      failed(verifyCount(*this, "strides of outputs", getOutputStrides().size(), 2 * outputs)))
    return failure();
  for (Value buffer : llvm::concat<Value>(getExtras(), getOutputs()))
    if (failed(verifyFlat(*this, "an extra or output", buffer)))
      return failure();
  return failure(failed(verifyFlat(*this, "lhs", getLhs())) ||
                 failed(verifyFlat(*this, "rhs", getRhs())));
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
  if (failed(verifyScalarCode(*this, getPrologue(), "prologue", extras, accumulator)))
    return failure();
  return verifyScalarCode(*this, getEpilogue(), "epilogue", arguments, elementTypes(getOutputs()));
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

TileOp PipelineOp::getTile() { return cast<TileOp>(getBody().front().front()); }

static LogicalResult verifyStaging(PipelineOp op, TileOp tile) {
  int64_t columns = tile.getTile()[1];
  auto type = cast<MemRefType>(op.getStaging().getType());
  if (type.getRank() != 2 || !type.hasStaticShape() || type.getDimSize(1) < columns)
    return op.emitOpError("staging is ")
           << type << ", expected rows of at least " << columns << " elements";
  if (columns % static_cast<int64_t>(op.getStagingWidth()))
    return op.emitOpError("'staging_width' must divide the columns of the tile");
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
  if (getTile().getReduction().size() != 1)
    return emitOpError("a tile in a pipeline has a single reduction loop");
  return failure(failed(verifyCopy(*this)) || failed(verifyStaging(*this, getTile())));
}
