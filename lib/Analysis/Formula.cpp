//===- Formula.cpp - What the elements of a tensor are computed from, element by element
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Formula.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <numeric>

using namespace mlir;
using namespace ucmoh;

Type Formula::getType() const { return value ? getElementTypeOrSelf(value.getType()) : Type(); }

//===----------------------------------------------------------------------===//
// Tracing
//===----------------------------------------------------------------------===//

namespace {
/// Walks from a tensor's element up through what computes it.
class Tracer {
public:
  explicit Tracer(llvm::function_ref<bool(Value)> isLeaf) : isLeaf(isLeaf) {}
  FormulaRef element(Value tensor, SmallVector<AffineExpr> index);
  FormulaRef scalar(linalg::LinalgOp op, Value value, ArrayRef<AffineExpr> loops);

private:
  FormulaRef argument(linalg::LinalgOp op, BlockArgument argument, ArrayRef<AffineExpr> loops);

  llvm::function_ref<bool(Value)> isLeaf;
  unsigned left = 64; ///< numbers that may still be visited: trees share nothing
};
} // namespace

SmallVector<AffineExpr> ucmoh::splitIndex(AffineExpr index, ArrayRef<int64_t> extents) {
  SmallVector<AffineExpr> parts(extents.size());
  int64_t below = 1;
  for (size_t dim = extents.size(); dim-- > 0; below *= extents[dim]) {
    AffineExpr part = index.floorDiv(below);
    parts[dim] = dim == 0 ? part : part % extents[dim];
  }
  return parts;
}

static SmallVector<AffineExpr> throughCollapse(tensor::CollapseShapeOp op,
                                               ArrayRef<AffineExpr> index) {
  SmallVector<AffineExpr> source;
  for (auto [joined, group] : llvm::zip_equal(index, op.getReassociationIndices()))
    llvm::append_range(
        source, splitIndex(joined, op.getSrcType().getShape().slice(group.front(), group.size())));
  return source;
}

static SmallVector<AffineExpr> throughExpand(tensor::ExpandShapeOp op, ArrayRef<AffineExpr> index) {
  SmallVector<AffineExpr> source;
  for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
    AffineExpr sum = getAffineConstantExpr(0, index.front().getContext());
    for (int64_t dim : group)
      sum = sum * op.getResultType().getDimSize(dim) + index[dim];
    source.push_back(sum);
  }
  return source;
}

/// Whether each element of the result is computed for itself, by an op of static shape.
static bool isElementwise(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() && op.getNumReductionLoops() == 0 &&
         op.getNumDpsInits() == 1 && op.getBlock() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation();
}

FormulaRef Tracer::element(Value tensor, SmallVector<AffineExpr> index) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.hasStaticShape() || left == 0)
    return {};
  --left;
  Operation *definition = isLeaf && isLeaf(tensor) ? nullptr : tensor.getDefiningOp();
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(definition);
      collapse && collapse.getSrcType().hasStaticShape() && type.getRank())
    return element(collapse.getSrc(), throughCollapse(collapse, index));
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(definition);
      expand && expand.getSrcType().hasStaticShape() && expand.getSrcType().getRank())
    return element(expand.getSrc(), throughExpand(expand, index));
  auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(definition);
  if (slice && slice.hasUnitStride() && !ShapedType::isDynamicShape(slice.getStaticOffsets()) &&
      slice.getSourceType().getRank() == type.getRank()) {
    for (auto [expr, offset] : llvm::zip_equal(index, slice.getStaticOffsets()))
      expr = expr + offset;
    return element(slice.getSource(), index);
  }
  auto op = dyn_cast_or_null<linalg::LinalgOp>(definition);
  if (op && isElementwise(op)) {
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<AffineExpr> loops(op.getNumLoops());
    for (auto [position, expr] : llvm::enumerate(index))
      loops[out.getDimPosition(position)] = expr;
    if (FormulaRef found = scalar(op, op.getBlock()->getTerminator()->getOperand(0), loops))
      return found;
  }
  return std::make_shared<Formula>(Formula{Formula::Element, tensor, {}, index});
}

/// Whether an op computes fewer elements than are asked for: others will share them.
static bool isShared(Value tensor, linalg::LinalgOp user) {
  Value source = tensor;
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(source.getDefiningOp()))
    source = source.getDefiningOp()->getOperand(0);
  auto op = source.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.getBlock() || llvm::hasSingleElement(*op.getBlock()))
    return false;
  int64_t points = 1;
  for (int64_t extent : user.getStaticLoopRanges())
    points *= extent;
  return cast<RankedTensorType>(tensor.getType()).getNumElements() < points;
}

FormulaRef Tracer::argument(linalg::LinalgOp op, BlockArgument argument,
                            ArrayRef<AffineExpr> loops) {
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!op.isDpsInput(operand))
    return {};
  if (!isa<ShapedType>(operand->get().getType()))
    return std::make_shared<Formula>(Formula{Formula::Constant, operand->get(), {}, {}});
  SmallVector<AffineExpr> index;
  for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
    index.push_back(expr.replaceDims(loops));
  if (isShared(operand->get(), op))
    return std::make_shared<Formula>(Formula{Formula::Element, operand->get(), {}, index});
  return element(operand->get(), index);
}

FormulaRef Tracer::scalar(linalg::LinalgOp op, Value value, ArrayRef<AffineExpr> loops) {
  if (value.getParentBlock() != op.getBlock() || matchPattern(value, m_Constant()))
    return std::make_shared<Formula>(Formula{Formula::Constant, value, {}, {}});
  if (auto blockArgument = dyn_cast<BlockArgument>(value))
    return argument(op, blockArgument, loops);
  Operation *definition = value.getDefiningOp();
  if (left == 0 || !isPure(definition) || definition->getNumRegions() ||
      definition->getNumResults() != 1 || !OpTrait::hasElementwiseMappableTraits(definition))
    return {};
  --left;
  SmallVector<FormulaRef> operands;
  for (Value operand : definition->getOperands())
    if (!operands.emplace_back(scalar(op, operand, loops)))
      return {};
  return std::make_shared<Formula>(Formula{Formula::Compute, value, operands, {}});
}

FormulaRef ucmoh::traceElement(Value tensor, ArrayRef<AffineExpr> index,
                               llvm::function_ref<bool(Value)> isLeaf) {
  return Tracer(isLeaf).element(tensor, llvm::to_vector(index));
}

FormulaRef ucmoh::traceScalar(linalg::LinalgOp op, Value number, ArrayRef<AffineExpr> loops,
                              llvm::function_ref<bool(Value)> isLeaf) {
  return Tracer(isLeaf).scalar(op, number, loops);
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

FormulaRef ucmoh::combine(Formula::Kind kind, FormulaRef a, FormulaRef b) {
  if (!b)
    return a;
  if (!a && (kind == Formula::Add || kind == Formula::Mul))
    return b;
  return std::make_shared<Formula>(Formula{kind, Value(), {a, b}, {}});
}

void ucmoh::forEachElement(const FormulaRef &formula,
                           llvm::function_ref<void(const Formula &)> visit) {
  if (!formula)
    return;
  if (formula->kind == Formula::Element)
    visit(*formula);
  for (const FormulaRef &operand : formula->operands)
    forEachElement(operand, visit);
}

/// As `runOfEqual`.
static int64_t runOfEqual(AffineExpr expr, unsigned variable) {
  if (!expr.isFunctionOfDim(variable))
    return 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::FloorDiv && divisor && isa<AffineDimExpr>(binary.getLHS()))
    return divisor.getValue();
  return std::gcd(runOfEqual(binary.getLHS(), variable), runOfEqual(binary.getRHS(), variable));
}

int64_t ucmoh::runOfEqual(const FormulaRef &formula, unsigned variable) {
  int64_t run = 0;
  forEachElement(formula, [&](const Formula &element) {
    for (AffineExpr expr : element.index)
      run = std::gcd(run, ::runOfEqual(expr, variable));
  });
  return run;
}
