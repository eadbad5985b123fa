//===- NarrowWeights.cpp - Kernels that read weights of 4 or 8 bits
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "NarrowWeights/PackWeights.h"
#include "NarrowWeights/SplitRows.h"
#include "PassTarget.h"
#include "Tile/Epilogue.h"
#include "Tile/Operands.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_NARROWWEIGHTS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Returns the bytes that memory sends while one waits for a line of it, in whole lines.
static int64_t bytesOnTheirWay(const Machine &machine) {
  double seconds = machine.memoryLatencyCycles / machine.clockGHz * 1e-9;
  return llvm::alignTo(int64_t(seconds * machine.memoryBytesPerSecond), machine.cacheLineBytes);
}

static NarrowPlan planKernel(const NarrowProduct &product, const Candidate &choice,
                             const Machine &machine) {
  NarrowPlan plan;
  plan.intrinsic = choice.intrinsic;
  plan.rows = product.rows();
  plan.columns = product.columns();
  bool isOneGroup = product.weights.group == product.steps();
  plan.group = isOneGroup ? llvm::alignTo(product.steps(), 16) : product.weights.group;
  plan.steps = llvm::alignTo(product.steps(), plan.group);
  plan.panel = choice.tileN;
  plan.scalesTiles = NarrowProduct::multipliesTiles(*choice.intrinsic);
  plan.streams = product.streamsWeights() && !plan.scalesTiles;
  int64_t most = plan.streams ? product.streamedRows(choice) : choice.tileM;
  plan.tileRows = llvm::divideCeil(plan.rows, llvm::divideCeil(plan.rows, most)); // equal tiles
  plan.hasManyTiles = NarrowProduct::hasManyTiles(plan.rows, plan.tileRows);
  plan.threads = choice.threads;
  plan.blockBytes = (plan.streams ? machine.l1Bytes : machine.l2Bytes) / 2;
  plan.lineBytes = machine.cacheLineBytes;
  plan.scalesRowsLast = product.hasRowScales();
  bool byGroup = product.multipliesIntegers();
  plan.rowElements = byGroup ? plan.group : plan.steps;
  plan.groupElements = byGroup ? plan.rows * plan.group : plan.group;
  plan.bits = product.bits();
  plan.isUnsigned = product.range.low >= 0;
  plan.low = plan.bits == 4 ? product.range.low : 0;
  if (plan.bits == 8 && byGroup) {
    ElementType have = product.multiplied().rhs.type, want = choice.intrinsic->rhs;
    plan.low = -signShift(have, want);
    if (plan.low)
      plan.isUnsigned = want.kind == ElementType::UnsignedInt;
  }
  if (plan.streams && !plan.hasManyTiles)
    plan.bytesAhead = bytesOnTheirWay(machine);
  return plan;
}

namespace {
/// Replaces one contraction.
class Rewriting {
public:
  Rewriting(RewriterBase &rewriter, linalg::LinalgOp op, const NarrowProduct &product,
            NarrowPlan plan)
      : rewriter(rewriter), loc(op.getLoc()), op(op), product(product), plan(plan) {}

  void run(bool check);

private:
  void addInputs();
  Value add(Value &place, Value tensor);
  Value lhsByRows(ElementType want);
  Value byGroups(Value rows);
  Value quantizedRows();
  Value integersOfWeights();
  Value sumsOfColumns();
  Value sumsOfGroups(Value lhs, bool groupsOutside, int64_t factor);
  void addQuantizedRows();
  void addSplitRows();
  void addFloatRows();
  void addWeights();
  void addInit();
  KernelOp createKernel();

  RewriterBase &rewriter;
  Location loc;
  linalg::LinalgOp op;
  const NarrowProduct &product;
  NarrowPlan plan;
  SmallVector<Value> inputs;   ///< the kernel's inputs: flat tensors
  SmallVector<Value *> places; ///< which argument each of them is
  NarrowArguments arguments;
};
} // namespace

/// The lhs as rows x steps of the type, zero where weights are padded.
Value Rewriting::lhsByRows(ElementType want) {
  const Operand &lhs = product.workload.lhs;
  AffineExpr index = product.nest.linearIndex(lhs);
  unsigned count = product.nest.variables().size(), k = count - 1;
  unsigned m = product.nest.batch.size() + product.nest.outerM.size() + product.nest.outerN.size();
  SmallVector<int64_t> shape = {plan.rows, product.steps()};
  auto type = RankedTensorType::get(shape, want.getType(rewriter.getContext()));
  Value flat = flatten(rewriter, loc, lhs.value), rows;
  bool isDense = coefficient(index, k) == 1 && isLinear(index) && lhs.type == want &&
                 (coefficient(index, m) == product.steps() || plan.rows == 1) &&
                 lhs.elements() == plan.rows * product.steps();
  if (isDense) {
    rows = unflatten(rewriter, loc, flat, type);
  } else {
    SmallVector<AffineExpr> variables(count, rewriter.getAffineConstantExpr(0));
    variables[m] = rewriter.getAffineDimExpr(0);
    variables[k] = rewriter.getAffineDimExpr(1);
    SmallVector<AffineMap> maps = {AffineMap::get(2, 0, index.replaceDims(variables)),
                                   rewriter.getMultiDimIdentityMap(2)};
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
    rows = linalg::GenericOp::create(
               rewriter, loc, type, flat, empty, maps,
               SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel),
               [&](OpBuilder &b, Location l, ValueRange values) {
                 linalg::YieldOp::create(b, l, convertElements(b, l, values[0], lhs.type, want));
               })
               .getResult(0);
  }
  return padBehind(rewriter, loc, rows, {plan.rows, plan.steps});
}

/// The same of integers, which are quantized here: groups of all rows, so that a register tile
/// reads what lies side by side.
Value Rewriting::quantizedRows() {
  Type type = plan.intrinsic->lhs.getType(rewriter.getContext());
  return materializeIntegers(rewriter, loc, *product.quantized,
                             {plan.groups(), plan.rows, plan.group}, /*groupsOutside=*/true,
                             /*shift=*/0, type);
}

/// Rows x steps as rows x groups x steps of a group.
Value Rewriting::byGroups(Value rows) {
  auto type = cast<RankedTensorType>(rows.getType());
  return tensor::ExpandShapeOp::create(rewriter, loc,
                                       type.clone({plan.rows, plan.groups(), plan.group}), rows,
                                       ArrayRef<ReassociationIndices>{{0}, {1, 2}});
}

/// `factor` times the sum of each row's elements in each group. `lhs` is rows x groups x steps of a
/// group, or if `groupsOutside`, groups x rows x steps of a group.
Value Rewriting::sumsOfGroups(Value lhs, bool groupsOutside, int64_t factor) {
  Type element = cast<RankedTensorType>(lhs.getType()).getElementType();
  bool isInteger = element.isInteger();
  Type sum = isInteger ? Type(rewriter.getI32Type()) : Type(rewriter.getF32Type());
  Value empty = tensor::EmptyOp::create(rewriter, loc, {plan.rows, plan.groups()}, sum);
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(sum));
  Value init = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  AffineExpr row = rewriter.getAffineDimExpr(groupsOutside),
             group = rewriter.getAffineDimExpr(!groupsOutside);
  AffineMap rowAndGroup = AffineMap::get(3, 0, {row, group}, rewriter.getContext());
  SmallVector<utils::IteratorType> iterators(3, utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  ElementType have = isInteger ? plan.intrinsic->lhs : ElementType::get(element);
  auto body = [&](OpBuilder &b, Location l, ValueRange values) {
    Value wide = convertElements(b, l, values[0], have, ElementType::get(sum));
    TypedAttr by =
        isInteger ? TypedAttr(b.getI32IntegerAttr(factor)) : TypedAttr(b.getF32FloatAttr(factor));
    Value constant = arith::ConstantOp::create(b, l, by);
    Value total;
    if (isInteger)
      total = arith::AddIOp::create(b, l, values[1], arith::MulIOp::create(b, l, wide, constant));
    else
      total = arith::AddFOp::create(b, l, values[1], arith::MulFOp::create(b, l, wide, constant));
    linalg::YieldOp::create(b, l, total);
  };
  return linalg::GenericOp::create(rewriter, loc, init.getType(), lhs, init,
                                   {rewriter.getMultiDimIdentityMap(3), rowAndGroup}, iterators,
                                   body)
      .getResult(0);
}

/// The tensor becomes an input, and `place` its buffer.
Value Rewriting::add(Value &place, Value tensor) {
  inputs.push_back(flatten(rewriter, loc, tensor));
  places.push_back(&place);
  return tensor;
}

void Rewriting::addInit() {
  std::optional<Operand> init = findInit(op, product.workload, product.nest);
  if (!init)
    return;
  AffineExpr index = product.nest.linearIndex(*init);
  unsigned m = product.nest.batch.size() + product.nest.outerM.size() + product.nest.outerN.size();
  plan.initRow = coefficient(index, m);
  plan.initColumn = coefficient(index, m + 1);
  add(arguments.init, init->value);
}

/// The integers as columns x steps.
Value Rewriting::integersOfWeights() {
  int64_t steps = product.steps(), group = product.weights.group;
  bool isWhole = steps % group == 0;
  SmallVector<int64_t> shape = {plan.columns, isWhole ? steps / group : 1, isWhole ? group : steps};
  Value integers = materializeIntegers(rewriter, loc, product.weights, shape,
                                       /*groupsOutside=*/false, plan.low, rewriter.getI8Type());
  return tensor::CollapseShapeOp::create(rewriter, loc, integers,
                                         ArrayRef<ReassociationIndices>{{0}, {1, 2}});
}

/// The sum of each column of the weights, as floats.
Value Rewriting::sumsOfColumns() {
  const Workload &workload = product.workload;
  SmallVector<AffineExpr> dims(workload.dims.size(), rewriter.getAffineConstantExpr(0));
  for (auto [dim, of] : llvm::enumerate(workload.dims))
    if (of.extent > 1 && (of.role == DimRole::N || of.role == DimRole::K))
      dims[dim] = rewriter.getAffineDimExpr(of.role == DimRole::K);
  AffineMap element = workload.rhs.map.replaceDimsAndSymbols(dims, {}, 2, 0);
  AffineMap column = AffineMap::get(2, 0, rewriter.getAffineDimExpr(0));
  Type f32 = rewriter.getF32Type();
  Value empty = tensor::EmptyOp::create(rewriter, loc, {plan.columns}, f32);
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(f32));
  Value init = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  auto sum = linalg::GenericOp::create(
      rewriter, loc, init.getType(), workload.rhs.value, init, {element, column},
      {utils::IteratorType::parallel, utils::IteratorType::reduction},
      [&](OpBuilder &b, Location l, ValueRange values) {
        Value wide = convertElements(b, l, values[0], workload.rhs.type, ElementType::get(f32));
        linalg::YieldOp::create(b, l, arith::AddFOp::create(b, l, values[1], wide).getResult());
      });
  return padBehind(rewriter, loc, sum.getResult(0), {plan.panels() * plan.panel});
}

void Rewriting::addQuantizedRows() {
  const Dequantization &rows = *product.quantized;
  Value lhs = add(arguments.lhs.emplace_back(), quantizedRows());
  add(arguments.rowScales,
      materialize(rewriter, loc, rows.scale, plan.rows, plan.groups(), product.weights.group));
  if (rows.offset) {
    add(arguments.rowOffsets,
        materialize(rewriter, loc, rows.offset, plan.rows, /*groups=*/1, product.steps()));
    add(arguments.columnSums, sumsOfColumns());
  }
  if (product.weights.offset)
    add(arguments.sums, sumsOfGroups(lhs, /*groupsOutside=*/true, 1));
  if (plan.low)
    add(arguments.firstSums.emplace_back(), sumsOfGroups(lhs, /*groupsOutside=*/true, plan.low));
}

/// Rows of floats that intrinsics of integers multiply.
void Rewriting::addSplitRows() {
  Value rows = add(arguments.exactLhs, lhsByRows(ElementType::get(rewriter.getF32Type())));
  Type type = plan.intrinsic->lhs.getType(rewriter.getContext());
  SplitRows split = splitRows(rewriter, loc, byGroups(rows), type);
  arguments.lhs.resize(split.pieces.size());
  arguments.firstSums.resize(plan.low ? split.pieces.size() : 0);
  for (auto [number, piece] : llvm::enumerate(split.pieces)) {
    add(arguments.lhs[number], piece);
    if (plan.low)
      add(arguments.firstSums[number], sumsOfGroups(piece, /*groupsOutside=*/true, plan.low));
  }
  add(arguments.rowScales, split.scales);
  add(arguments.isExtreme, split.isExtreme);
  if (product.weights.offset)
    add(arguments.sums, sumsOfGroups(byGroups(rows), /*groupsOutside=*/false, 1));
}

void Rewriting::addFloatRows() {
  Value rows = add(arguments.lhs.emplace_back(), lhsByRows(plan.intrinsic->lhs));
  bool needsSums = plan.streams && (plan.low || product.weights.offset);
  if (!needsSums)
    return;
  rows = byGroups(rows);
  if (product.weights.offset)
    add(arguments.sums, sumsOfGroups(rows, /*groupsOutside=*/false, 1));
  if (plan.low)
    add(arguments.firstSums.emplace_back(), sumsOfGroups(rows, /*groupsOutside=*/false, plan.low));
  add(arguments.exactLhs, rows);
  add(arguments.isExtreme, hasNonFinite(rewriter, loc, rows));
}

void Rewriting::addWeights() {
  const Dequantization &weights = product.weights;
  auto byGroup = [&](const FormulaRef &formula) {
    return packScales(
        rewriter, loc, plan,
        materialize(rewriter, loc, formula, plan.columns, plan.groups(), weights.group));
  };
  add(arguments.weights, packIntegers(rewriter, loc, plan, integersOfWeights()));
  add(arguments.scales, byGroup(weights.scale));
  if (weights.offset)
    add(arguments.offsets, byGroup(weights.offset));
}

void Rewriting::addInputs() {
  if (product.quantized)
    addQuantizedRows();
  else if (product.multipliesIntegers())
    addSplitRows();
  else
    addFloatRows();
  addWeights();
  addInit();
}

/// A kernel with an empty body on the buffers of its operands. The builder is left inside.
KernelOp Rewriting::createKernel() {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value output =
      tensor::EmptyOp::create(rewriter, loc, {type.getNumElements()}, type.getElementType());
  auto kernel = KernelOp::create(rewriter, loc, output.getType(), inputs, output, "narrow",
                                 op->getAttrOfType<ChoiceAttr>("ucmoh.choice"),
                                 rewriter.getStringAttr(product.workload.name()));
  if (Attribute id = op->getAttr("ucmoh.op"))
    kernel->setAttr("ucmoh.op", id);
  Block *body = &kernel.getBody().emplaceBlock();
  auto layout = StridedLayoutAttr::get(rewriter.getContext(), ShapedType::kDynamic, {1});
  for (Value operand : kernel.getOperands()) {
    auto tensor = cast<RankedTensorType>(operand.getType());
    body->addArgument(MemRefType::get(tensor.getShape(), tensor.getElementType(), layout), loc);
  }
  rewriter.setInsertionPointToEnd(body);
  YieldOp::create(rewriter, loc, ValueRange());
  rewriter.setInsertionPointToStart(body);
  for (auto [place, argument] : llvm::zip(places, body->getArguments()))
    *place = argument;
  arguments.result = body->getArguments().back();
  return kernel;
}

void Rewriting::run(bool check) {
  rewriter.setInsertionPoint(op);
  unsigned m = product.nest.batch.size() + product.nest.outerM.size() + product.nest.outerN.size();
  plan.resultRow = coefficient(product.nest.linearIndex(product.workload.acc), m);
  Operation *before = op->getPrevNode();
  addInputs();
  KernelOp kernel = createKernel();
  emitNarrowProduct(rewriter, loc, plan, arguments);
  // Their time is the op's as well.
  Attribute id = op->getAttr("ucmoh.op");
  for (Operation *made = op->getPrevNode(); id && made != before; made = made->getPrevNode())
    if (isa<linalg::LinalgOp>(made))
      made->setAttr("ucmoh.op", id);
  rewriter.setInsertionPointAfter(kernel);
  Value result = unflatten(rewriter, loc, kernel.getResult(0),
                           cast<RankedTensorType>(op->getResult(0).getType()));
  if (check)
    addChecks(rewriter, kernel, op, op, result);
  rewriter.replaceOp(op, result);
}

/// Replaces the contraction if its weights are narrow and its choice reads them so.
static void narrow(RewriterBase &rewriter, linalg::LinalgOp op, const Target &target, bool check) {
  auto choice = op->getAttrOfType<ChoiceAttr>("ucmoh.choice");
  WorkloadOrReason analyzed = analyzeWorkload(op);
  std::optional<NarrowProduct> product =
      choice && analyzed ? findNarrowProduct(*analyzed.workload) : std::nullopt;
  if (!product)
    return;
  std::string error;
  FailureOr<Candidate> candidate = Candidate::fromAttr(choice, target, error);
  if (failed(candidate))
    return; // ucmoh-tile reports what is wrong
  product->multiplyAs(candidate->intrinsic->lhs);
  if (succeeded(verifyCandidate(product->multiplied(), *candidate, nullptr)) &&
      readsNarrowWeights(*candidate, *product))
    Rewriting(rewriter, op, *product, planKernel(*product, *candidate, target.machine)).run(check);
}

namespace {
struct NarrowWeightsPass : TargetPass<ucmoh::impl::NarrowWeightsBase<NarrowWeightsPass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &resolved) override {
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : opsWithChoice(getOperation()))
      narrow(rewriter, op, resolved, check);
    return success();
  }
};
} // namespace
