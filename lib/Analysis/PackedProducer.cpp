//===- PackedProducer.cpp - What a kernel computes while it packs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/PackedProducer.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ucmoh/Analysis/BodySlice.h"
#include "ucmoh/Analysis/Slices.h"

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// How often elements are packed
//===----------------------------------------------------------------------===//

/// Whether no two places of the packed copy have the same element, as in windows that overlap.
static bool hasEachOnce(const Workload &workload, const Operand &operand, DimRole side) {
  return operand.elements() ==
         workload.extent(DimRole::Batch) * workload.extent(side) * workload.extent(DimRole::K);
}

/// Whether no loop around the copy of lhs runs over columns.
static bool packsLhsOnce(const KernelShape &shape) {
  const Candidate &candidate = shape.candidate;
  bool oneBlock = candidate.cacheN >= shape.nest.n.extent;
  bool isOutside = candidate.order.rowBlocksOutside && !candidate.order.columnBlocksOutside &&
                   !shape.reductionIsSplit();
  bool isShared = shape.parallel && shape.parallel->variable == shape.nAt();
  return candidate.packLhs == Packing::Block && shape.nest.outerN.empty() &&
         (oneBlock || isOutside) && !isShared;
}

/// Whether no loop around the copy of rhs runs over rows.
static bool packsRhsOnce(const KernelShape &shape) {
  const Candidate &candidate = shape.candidate;
  if (isPackedAhead(candidate.packRhs))
    return shape.workload.rhs.type == shape.intrinsic.rhs;
  bool oneBlock = candidate.cacheM >= shape.nest.m.extent && shape.nest.outerM.empty();
  bool isOutside = candidate.order.columnBlocksOutside && !shape.reductionIsSplit();
  unsigned parallel = shape.parallel ? shape.parallel->variable : shape.nAt();
  bool isShared =
      parallel == shape.mAt() || (parallel >= shape.outerMAt() && parallel < shape.outerNAt());
  return candidate.packRhs == Packing::Block && (oneBlock || isOutside) && !isShared;
}

/// Whether the sums of the operand's rows or columns are computed ahead, from the operand.
static bool isSummed(const KernelShape &shape, DimRole side) {
  const Workload &workload = shape.workload;
  return side == DimRole::M ? isShifted(workload.rhs, shape.intrinsic.rhs)
                            : isShifted(workload.lhs, shape.intrinsic.lhs);
}

//===----------------------------------------------------------------------===//
// What producers are
//===----------------------------------------------------------------------===//

/// Whether the contraction alone reads the value, perhaps through ops that move or extend it.
static bool isReadBy(LinalgOp contraction, Value value) {
  while (value.hasOneUse()) {
    Operation *user = *value.user_begin();
    if (user == contraction)
      return true;
    if (user->getNumResults() != 1 || user->getBlock() != contraction->getBlock())
      return false;
    value = user->getResult(0);
  }
  return false;
}

/// Whether the tensor is in memory, row by row, whoever reads it.
static bool isInMemory(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return !isa<LinalgOp>(op) && !findStridesOfSlice(value);
    value = op->getOperand(0);
  }
  return true;
}

/// The op that makes the value from others, each element from those that lie where it does.
static linalg::GenericOp findElementwise(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  bool fits = op && op->getNumResults() == 1 && op.hasPureTensorSemantics() &&
              !op.hasDynamicShape() && op.getNumReductionLoops() == 0 &&
              op.getIndexingMapsArray().back().isIdentity() &&
              op.getRegionOutputArgs()[0].use_empty() && computesOnVectors(op);
  return fits ? op : linalg::GenericOp();
}

/// Whether the dims of `map`, in order, are those from `first` on.
static bool hasDimsFrom(AffineMap map, unsigned first) {
  return llvm::all_of(llvm::enumerate(map.getResults()), [&](auto entry) {
    return entry.value() == getAffineDimExpr(first + entry.index(), map.getContext());
  });
}

/// How an input with this map is read; none if neighbours would have to be gathered. Vectors run
/// along dims from `inside` on.
static std::optional<PackedProducer::Input> findAccess(linalg::GenericOp op, OpOperand &operand,
                                                       unsigned inside) {
  using Access = PackedProducer::Access;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  unsigned rank = map.getNumDims(), count = map.getNumResults();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  if (map.isIdentity())
    return PackedProducer::Input{&operand, Access::Element, 1};
  if (hasDimsFrom(map, 0) && count <= inside)
    return PackedProducer::Input{&operand, Access::Row,
                                 ShapedType::getNumElements(shape.drop_front(count))};
  if (hasDimsFrom(map, rank - count) && rank - count <= inside)
    return PackedProducer::Input{&operand, Access::Column,
                                 ShapedType::getNumElements(shape.take_back(count))};
  return std::nullopt;
}

/// The first dim of the operand along which vectors of it run.
static unsigned firstDimOfVectors(const KernelShape &shape, DimRole side) {
  const Operand &operand = side == DimRole::M ? shape.workload.lhs : shape.workload.rhs;
  bool alongColumns = side == DimRole::N && shape.layout.rhsColumnsAreNeighbours();
  SmallVector<unsigned> dims = shape.workload.dimsOf(alongColumns ? DimRole::N : DimRole::K);
  for (auto [position, expr] : llvm::enumerate(operand.map.getResults()))
    if (llvm::any_of(dims, [&](unsigned dim) { return expr.isFunctionOfDim(dim); }))
      return position;
  return 0;
}

PackedProducer ucmoh::findPackedProducer(LinalgOp contraction, const KernelShape &shape,
                                         DimRole side) {
  const Operand &operand = side == DimRole::M ? shape.workload.lhs : shape.workload.rhs;
  bool packsOnce = side == DimRole::M ? packsLhsOnce(shape) : packsRhsOnce(shape);
  PackedProducer producer;
  linalg::GenericOp op = findElementwise(operand.value);
  if (!op || shape.intrinsic.isStaged || !operand.strides.empty() || !packsOnce ||
      dependsOnWeightsAlone(operand.value) || isSummed(shape, side) ||
      !hasEachOnce(shape.workload, operand, side) || !isReadBy(contraction, operand.value))
    return producer;
  unsigned inside = firstDimOfVectors(shape, side);
  bool readsElements = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (op.getMatchingBlockArgument(input).use_empty())
      continue;
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    auto found = type && hasVectorAccess(type.getElementType()) && isInMemory(input->get())
                     ? findAccess(op, *input, inside)
                     : std::nullopt;
    if (!found)
      return {};
    readsElements |= found->access == PackedProducer::Access::Element;
    producer.inputs.push_back(*found);
  }
  if (readsElements)
    producer.op = op;
  return producer;
}
