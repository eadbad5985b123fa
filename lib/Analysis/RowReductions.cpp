//===- RowReductions.cpp - Reductions that a kernel takes into its store
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/RowReductions.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ucmoh;
using linalg::GenericOp;

TypedAttr RowReduction::neutral() const { return *arith::getNeutralElement(combiner); }

//===----------------------------------------------------------------------===//
// What is reduced
//===----------------------------------------------------------------------===//

/// The reductions that read `value` through reshapes and at most `depth` elementwise ops.
static void collectReductions(Value value, unsigned depth, SetVector<Operation *> &found) {
  for (Operation *user : value.getUsers()) {
    if (user->getBlock() != value.getParentBlock())
      continue;
    auto op = dyn_cast<GenericOp>(user);
    if (op && op.getNumReductionLoops())
      found.insert(op);
    else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user) || (op && depth > 0))
      for (Value result : user->getResults())
        collectReductions(result, depth - (op ? 1 : 0), found);
  }
}

/// The op, as far as its body says what is reduced and how. `reduced` is the number in it.
static std::optional<RowReduction> matchBody(GenericOp op, Value &reduced) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumDpsInits() != 1 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
           .isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  SmallVector<Operation *> combiners;
  reduced = matchReduction(op.getRegionOutputArgs(), 0, combiners);
  if (!reduced || combiners.size() != 1 || !arith::getNeutralElement(combiners[0]))
    return std::nullopt;
  std::optional<vector::CombiningKind> kind = linalg::getCombinerOpKind(combiners[0]);
  if (!kind || !hasVectorAccess(reduced.getType()))
    return std::nullopt;
  return RowReduction{op, combiners[0], *kind, {}, {}, {}};
}

/// Whether the number is computed from one element of the tensor alone.
static bool isOfOneElement(const FormulaRef &formula, Value &tensor,
                           SmallVectorImpl<AffineExpr> &index) {
  bool alone = true;
  forEachElement(formula, [&](const Formula &element) {
    if (!tensor) {
      tensor = element.value;
      index = element.index;
    }
    alone &= element.value == tensor && ArrayRef(element.index) == ArrayRef(index);
  });
  return alone && tensor;
}

/// Whether a kernel can compute the number: constants are all that it takes from outside.
static bool capturesConstantsOnly(const FormulaRef &formula) {
  if (formula->kind == Formula::Constant)
    return matchPattern(formula->value, m_Constant());
  return llvm::all_of(formula->operands, capturesConstantsOnly);
}

/// The op's loops as variables; those that run once are 0.
static SmallVector<AffineExpr> variablesOf(GenericOp op) {
  SmallVector<AffineExpr> loops;
  for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges()))
    loops.push_back(extent == 1 ? getAffineConstantExpr(0, op.getContext())
                                : getAffineDimExpr(loop, op.getContext()));
  return loops;
}

/// The index of an element of the tensor for each of the op's loops, where there is one loop for
/// each dim of the tensor, and dims of one element.
static SmallVector<AffineExpr> invert(GenericOp op, ArrayRef<AffineExpr> index, AffineMap access) {
  SmallVector<AffineExpr> loops = variablesOf(op);
  int64_t left = llvm::count_if(loops, llvm::IsaPred<AffineDimExpr>);
  for (auto [expr, position] : llvm::zip_equal(index, access.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop)
      continue;
    loops[loop.getPosition()] = position;
    --left;
  }
  return left == 0 ? loops : SmallVector<AffineExpr>();
}

/// Where the partial values lie; none if there is no such place for each element of the result.
static std::optional<Operand> findPartials(const RowReduction &reduction,
                                           ArrayRef<AffineExpr> index, const KernelShape &shape) {
  GenericOp op = reduction.op;
  auto read = cast<RankedTensorType>(reduction.result.getType());
  int64_t points = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    points *= extent;
  SmallVector<AffineExpr> loops = invert(op, index, shape.workload.acc.map);
  if (points != read.getNumElements() || loops.empty())
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Operand partials;
  partials.shape = llvm::to_vector(type.getShape());
  partials.shape.push_back(shape.intrinsic.n);
  partials.type = ElementType::get(type.getElementType());
  SmallVector<AffineExpr> at;
  for (AffineExpr expr : op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults())
    at.push_back(expr.replaceDims(loops));
  at.push_back(getAffineConstantExpr(0, op.getContext()));
  partials.map = AffineMap::get(shape.workload.dims.size(), 0, at, op.getContext());
  return partials;
}

//===----------------------------------------------------------------------===//
// What a kernel may take in
//===----------------------------------------------------------------------===//

/// Whether some rows are computed twice.
static bool repeatsRows(const KernelShape &shape) {
  return shape.leavesRows() ||
         shape.rowTiles.restRows != shape.nest.m.extent % shape.candidate.tileM;
}

/// Whether each row of a tile has partial values of its own, and those of one thread.
static bool hasRowsOfItsOwn(const Operand &partials, const KernelShape &shape) {
  AffineExpr index = shape.nest.linearIndex(partials);
  if (!isLinear(index) || coefficient(index, shape.nAt()) != 0)
    return false;
  bool tellsRows = shape.nest.m.extent == 1 || coefficient(index, shape.mAt()) != 0;
  return tellsRows && (!shape.parallel || coefficient(index, shape.parallel->variable) != 0);
}

SmallVector<RowReduction> ucmoh::findRowReductions(Operation *last, const KernelShape &shape) {
  constexpr unsigned mostOps = 3; // an extension, a magnitude, a square
  SmallVector<RowReduction> reductions;
  if (shape.intrinsic.isStaged || repeatsRows(shape))
    return reductions;
  SetVector<Operation *> found;
  for (Value result : last->getResults())
    collectReductions(result, mostOps, found);
  auto isLeaf = [&](Value tensor) { return tensor.getDefiningOp() == last; };
  for (Operation *op : found) {
    Value reduced, tensor;
    SmallVector<AffineExpr> index;
    std::optional<RowReduction> reduction = matchBody(cast<GenericOp>(op), reduced);
    if (!reduction)
      continue;
    reduction->value = traceScalar(reduction->op, reduced, variablesOf(reduction->op), isLeaf);
    if (!reduction->value || !isOfOneElement(reduction->value, tensor, index) || !isLeaf(tensor) ||
        !capturesConstantsOnly(reduction->value))
      continue;
    reduction->result = cast<OpResult>(tensor);
    std::optional<Operand> partials = findPartials(*reduction, index, shape);
    if (!partials || !hasRowsOfItsOwn(*partials, shape))
      continue;
    reduction->partials = *partials;
    reductions.push_back(*reduction);
  }
  return reductions;
}

//===----------------------------------------------------------------------===//
// What pays
//===----------------------------------------------------------------------===//

/// Whether vectors of floats take several instructions, each of which waits for the one before:
/// not-a-numbers are passed on.
static bool takesLong(vector::CombiningKind kind) {
  using Kind = vector::CombiningKind;
  return llvm::is_contained({Kind::MAXIMUMF, Kind::MINIMUMF, Kind::MAXNUMF, Kind::MINNUMF}, kind);
}

/// Measured on a Zen 4: docs/results/networks.md. Maxima of smaller results, such as blocks of
/// scores, take as long in the store.
bool ucmoh::paysInStore(const RowReduction &reduction, const Candidate &candidate,
                        const Machine &machine) {
  auto read = cast<RankedTensorType>(reduction.result.getType());
  auto reduced = cast<RankedTensorType>(reduction.op->getResult(0).getType());
  int64_t bytes = read.getNumElements() * read.getElementTypeBitWidth() / 8;
  int64_t partials = reduction.partials.elements() * reduced.getElementTypeBitWidth() / 8;
  constexpr int64_t largeForMaxima = 8; // times L1
  bool hasLongRows = bytes / reduced.getNumElements() >= machine.l1Bytes;
  return hasLongRows || (takesLong(reduction.kind) && candidate.threads == 1 &&
                         bytes >= largeForMaxima * machine.l1Bytes && partials <= machine.l1Bytes);
}
