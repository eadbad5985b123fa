//===- IterationWeights.cpp - What iterations make of weights, ahead of them ---===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;

llvm::SetVector<Value> ucmoh::usedBy(Operation *op) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used;
}

Value ucmoh::cloneWithSources(OpBuilder &builder, Value value, IRMapping &mapping, Block *block) {
  Operation *op = value.getDefiningOp();
  if (mapping.contains(value) || (block && (!op || op->getBlock() != block)))
    return mapping.lookupOrDefault(value);
  for (Value used : usedBy(op))
    cloneWithSources(builder, used, mapping, block);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// An op of the loop's own block that makes the value; null for all other values.
static Operation *definitionIn(scf::ForOp loop, Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() ? op : nullptr;
}

/// A slice of weights, perhaps in another shape, which need not lie anywhere else.
static bool isView(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<tensor::ExtractSliceOp>(op) ||
         (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op) &&
          isView(op->getOperand(0)));
}

/// Whether an op beside those that weights alone decide reads the value.
static bool isReadByOthers(scf::ForOp loop, Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *inBody = loop.getBody()->findAncestorOpInBlock(*user);
    return inBody->getNumResults() == 0 || !dependsOnWeightsAlone(inBody->getResult(0));
  });
}

/// Elements of the slices that the loop's number selects and the value is made of; none where the
/// value depends on what the loop carries, as in loops over constants alone.
static std::optional<int64_t> countSources(scf::ForOp loop, Value value,
                                           llvm::SetVector<Value> &visited) {
  if (llvm::is_contained(loop.getRegionIterArgs(), value))
    return std::nullopt;
  Operation *op = definitionIn(loop, value);
  if (!op || !visited.insert(value))
    return 0;
  int64_t count = 0;
  for (Value used : usedBy(op)) {
    std::optional<int64_t> more = countSources(loop, used, visited);
    if (!more)
      return std::nullopt;
    count += *more;
  }
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  bool isOwn = slice && llvm::is_contained(slice.getOffsets(), loop.getInductionVar());
  return isOwn && slice.getType().hasStaticShape() ? slice.getType().getNumElements() : count;
}

bool IterationWeights::isWorthwhile(Value value) const {
  constexpr int64_t mostGrowth = 2; // by padding
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || isView(value) || !dependsOnWeightsAlone(value) ||
      !isReadByOthers(loop, value))
    return false;
  llvm::SetVector<Value> visited;
  std::optional<int64_t> count = countSources(loop, value, visited);
  return count && *count > 0 && type.getNumElements() <= mostGrowth * *count;
}

void IterationWeights::findValues() {
  for (Operation &op : loop.getBody()->without_terminator())
    for (Value result : op.getResults())
      if (isWorthwhile(result))
        values.insert(result);
}

/// Where the value of an iteration lies in the tensor of all.
static std::array<SmallVector<OpFoldResult>, 3> placeOf(OpBuilder &builder, RankedTensorType type,
                                                        Value iteration) {
  int64_t rank = type.getRank() + 1;
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)), sizes{builder.getIndexAttr(1)},
      strides(rank, builder.getIndexAttr(1));
  offsets.front() = iteration;
  for (int64_t extent : type.getShape())
    sizes.push_back(builder.getIndexAttr(extent));
  return {offsets, sizes, strides};
}

scf::ForOp IterationWeights::createLoop(OpBuilder &builder) {
  Location loc = loop.getLoc();
  int64_t count = *getConstantIntValue(loop.getUpperBound());
  SmallVector<Value> starts;
  for (Value value : values) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape{count};
    llvm::append_range(shape, type.getShape());
    starts.push_back(tensor::EmptyOp::create(builder, loc, shape, type.getElementType()));
  }
  auto fill = [&](OpBuilder &inside, Location at, Value iteration, ValueRange all) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), iteration);
    SmallVector<Value> next;
    for (auto [value, tensor] : llvm::zip_equal(values, all)) {
      Value made = cloneWithSources(inside, value, mapping, loop.getBody());
      auto [offsets, sizes, strides] =
          placeOf(inside, cast<RankedTensorType>(value.getType()), iteration);
      next.push_back(
          tensor::InsertSliceOp::create(inside, at, made, tensor, offsets, sizes, strides));
    }
    scf::YieldOp::create(inside, at, next);
  };
  return scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(),
                            loop.getStep(), starts, fill);
}

void IterationWeights::moveAhead() {
  if (!isConstantIntValue(loop.getLowerBound(), 0) || !isConstantIntValue(loop.getStep(), 1) ||
      !getConstantIntValue(loop.getUpperBound()))
    return;
  findValues();
  if (values.empty())
    return;
  OpBuilder builder(loop);
  scf::ForOp ahead = createLoop(builder);
  builder.setInsertionPointToStart(loop.getBody());
  for (auto [value, all] : llvm::zip_equal(values, ahead.getResults())) {
    auto type = cast<RankedTensorType>(value.getType());
    auto [offsets, sizes, strides] = placeOf(builder, type, loop.getInductionVar());
    Value slice =
        tensor::ExtractSliceOp::create(builder, value.getLoc(), type, all, offsets, sizes, strides);
    Value(value).replaceAllUsesWith(slice);
  }
}
