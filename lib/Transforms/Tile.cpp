//===- Tile.cpp - Choices become kernels
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "PassTarget.h"
#include "Pieces.h"
#include "Tile/KernelEmitter.h"
#include "Tile/Operands.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "ucmoh/Analysis/OpenRows.h"
#include "ucmoh/Analysis/Slices.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_TILE
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// A buffer that may begin anywhere in its memory: row by row, but for slices of a larger one.
static MemRefType bufferOf(Value tensor, std::optional<SmallVector<int64_t>> strides) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!strides)
    strides = type.getRank() == 1 ? SmallVector<int64_t>{1} : computeStrides(type.getShape());
  auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, *strides);
  return MemRefType::get(type.getShape(), type.getElementType(), layout);
}

/// A kernel with an empty body on the buffers of its operands. The builder is left inside.
static KernelOp createKernel(OpBuilder &builder, Location loc, StringRef kind, ValueRange inputs,
                             ValueRange outputs) {
  auto kernel = KernelOp::create(builder, loc, TypeRange(outputs), inputs, outputs, kind,
                                 /*choice=*/ChoiceAttr(), /*workload=*/StringAttr());
  Block *body = &kernel.getBody().emplaceBlock();
  for (Value input : inputs)
    body->addArgument(bufferOf(input, findStridesOfSlice(input)), loc);
  for (Value output : outputs)
    body->addArgument(bufferOf(output, findStridesOfPlace(output)), loc);
  builder.setInsertionPointToEnd(body);
  YieldOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToStart(body);
  return kernel;
}

static Value emptyFlat(OpBuilder &builder, Location loc, int64_t elements, Type element) {
  return tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{elements}, element);
}

/// rhs as a tensor of its own, packed as a whole. `inputs` are those of its producer, if it has
/// one.
static Value prepack(OpBuilder &builder, Location loc, const KernelPlan &plan, ValueRange inputs,
                     StringRef workload) {
  OpBuilder::InsertionGuard guard(builder);
  Type element = plan.workload.rhs.type.getType(builder.getContext());
  Value packed = emptyFlat(
      builder, loc, PackedLayout(plan.workload, plan.nest, plan.candidate).rhsPrepackedElements(),
      element);
  KernelOp kernel = createKernel(builder, loc, "pack", inputs, packed);
  kernel.setWorkload(workload);
  SmallVector<Value> buffers(kernel.getBody().getArguments().drop_back());
  KernelEmitter(builder, loc, plan, {Value(), buffers.front(), {}, {}, {}, {}, {}, buffers})
      .emitPrepack(kernel.getBody().getArguments().back());
  return kernel.getResult(0);
}

/// The rows that a kernel may leave out, if it computes no others.
static std::optional<OpenRows> openRowsOf(const KernelPlan &plan, Operation *last) {
  std::optional<OpenRows> open = findOpenRows(last);
  if (!open || !leavesRows(plan.workload, plan.nest, plan.candidate))
    return std::nullopt;
  auto count = dyn_cast<Value>(open->count());
  Operation *definition = count ? count.getDefiningOp() : nullptr;
  bool isThere = !definition || definition->getBlock() != last->getBlock() ||
                 definition->isBeforeInBlock(last);
  return isThere ? open : std::nullopt;
}

/// As many elements as the rows that are wanted have.
static Value emptyRows(OpBuilder &builder, Location loc, OpenRows open) {
  AffineExpr elements = builder.getAffineDimExpr(0) * open.rowElements();
  OpFoldResult count =
      affine::makeComposedFoldedAffineApply(builder, loc, elements, {open.count()});
  return tensor::EmptyOp::create(builder, loc, ArrayRef<OpFoldResult>{count},
                                 open.slice.getType().getElementType());
}

/// How many rows the buffer has, inside of a kernel.
static OpFoldResult rowsOf(OpBuilder &builder, Location loc, Value buffer, int64_t rowElements) {
  Value elements = memref::DimOp::create(builder, loc, buffer, 0);
  return affine::makeComposedFoldedAffineApply(
      builder, loc, builder.getAffineDimExpr(0).floorDiv(rowElements), {OpFoldResult(elements)});
}

/// Returns the memory that a kernel reads: the slice of a larger tensor, or a tensor as one run of
/// elements.
static Value inMemory(OpBuilder &builder, Location loc, const Operand &operand) {
  return operand.strides.empty() ? flatten(builder, loc, operand.value) : operand.value;
}

/// The memory that a kernel reads in place of an operand: that of its producer's inputs, or its
/// own.
static SmallVector<Value> sourcesOf(OpBuilder &builder, Location loc,
                                    const PackedProducer &producer, const Operand &operand) {
  if (!producer)
    return {inMemory(builder, loc, operand)};
  return llvm::map_to_vector(producer.inputs, [&](const PackedProducer::Input &input) {
    return flatten(builder, loc, input.operand->get());
  });
}

/// Where a kernel writes a result to: the slice of the larger tensor that it is inserted into, or a
/// run of elements.
static Value destinationOf(OpBuilder &builder, Value result, const Operand &acc) {
  Location loc = result.getLoc();
  auto type = cast<RankedTensorType>(result.getType());
  if (acc.strides.empty())
    return emptyFlat(builder, loc, type.getNumElements(), type.getElementType());
  tensor::InsertSliceOp insert = findPlace(result)->insert;
  return tensor::ExtractSliceOp::create(builder, loc, insert.getSourceType(), insert.getDest(),
                                        insert.getMixedOffsets(), insert.getMixedSizes(),
                                        insert.getMixedStrides());
}

static Value withUnitDims(OpBuilder &builder, Location loc, Value slice, RankedTensorType type) {
  if (slice.getType() == type)
    return slice;
  auto groups = getReassociationIndicesForReshape(cast<RankedTensorType>(slice.getType()), type);
  return tensor::ExpandShapeOp::create(builder, loc, type, slice, *groups);
}

/// Whether what the place needs is there before the kernel.
static bool isPlacedAhead(linalg::LinalgOp op, Operation *last) {
  std::optional<Place> place =
      last->getNumResults() == 1 ? findPlace(last->getResult(0)) : std::nullopt;
  return place && llvm::all_of(place->insert->getOperands().drop_front(), [&](Value value) {
           Operation *definition = value.getDefiningOp();
           return !definition || definition->getBlock() != op->getBlock() ||
                  definition->isBeforeInBlock(last);
         });
}

/// A result that no cache holds is not read again before it has left them: written past them, its
/// lines are not fetched first. Fragments must not lie across lines.
static bool streamsResult(const KernelPlan &plan, Operation &last, const Machine &machine) {
  int64_t bytes = 0, fragment = plan.candidate.intrinsic->n;
  for (Type type : last.getResultTypes())
    bytes += cast<RankedTensorType>(type).getNumElements() *
             cast<RankedTensorType>(type).getElementTypeBitWidth() / 8;
  AffineExpr index = plan.nest.linearIndex(plan.workload.acc);
  unsigned count = plan.nest.variables().size();
  unsigned n = count - 2 - plan.nest.outerK.size();
  for (unsigned i = 0; i < count; ++i)
    if (i != n && coefficient(index, i) % fragment)
      return false;
  return bytes > machine.l3Bytes;
}

/// Converts the operands in front of `last`, and lets `plan` add what corrects the result. The time
/// of the new ops is that of the op with the number `id`.
static void convertOperands(OpBuilder &builder, Location loc, KernelPlan &plan, Operation *last,
                            Attribute id) {
  Operation *before = last->getPrevNode();
  Corrections corrections =
      convertOperands(builder, loc, plan.workload, plan.candidate, plan.borders);
  for (Operation *made = last->getPrevNode(); id && made != before; made = made->getPrevNode())
    if (isa<linalg::LinalgOp>(made))
      made->setAttr("ucmoh.op", id);
  for (std::optional<Operand> *addend : {&corrections.perColumn, &corrections.perRow})
    if (*addend)
      plan.addends.push_back(**addend);
}

/// The kernel's results in the shapes of those of `last`.
static SmallVector<Value> shapeResults(OpBuilder &builder, KernelOp kernel, Operation &last,
                                       const Operand &acc) {
  SmallVector<Value> results;
  ResultRange own = kernel.getResults().take_front(last.getNumResults());
  for (auto [result, type] : llvm::zip_equal(own, last.getResultTypes())) {
    auto shaped = cast<RankedTensorType>(type);
    results.push_back(acc.strides.empty() ? unflatten(builder, kernel.getLoc(), result, shaped)
                                          : withUnitDims(builder, kernel.getLoc(), result, shaped));
  }
  return results;
}

/// Puts the rows that the kernel computes in place of those that are wanted.
static void replaceRows(RewriterBase &rewriter, KernelOp kernel, linalg::LinalgOp op,
                        Operation *last, OpenRows open, bool check) {
  Location loc = op.getLoc();
  Value rows = unflatten(rewriter, loc, kernel.getResult(0), open.slice.getType());
  if (check)
    addChecks(rewriter, kernel, op, last, rows, open.slice);
  rewriter.replaceOp(open.slice, rows);
  rewriter.eraseOp(last);
  if (last != op)
    rewriter.eraseOp(op);
}

/// Reduces the partial values, in place of what they were computed from.
static void reducePartials(RewriterBase &rewriter, const RowReduction &reduction, Value flat) {
  linalg::GenericOp op = reduction.op;
  Location loc = op.getLoc();
  OpOperand &init = *op.getDpsInitOperand(0);
  auto type = RankedTensorType::get(reduction.partials.shape, getElementTypeOrSelf(init.get()));
  unsigned rank = type.getRank();
  SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(rank));
  maps.back() = maps.back().dropResult(rank - 1);
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  auto combine = [&](OpBuilder &b, Location at, ValueRange arguments) {
    IRMapping mapping;
    Value before = op.getMatchingBlockArgument(&init);
    for (Value operand : reduction.combiner->getOperands())
      mapping.map(operand, arguments[operand == before]);
    linalg::YieldOp::create(b, at, b.clone(*reduction.combiner, mapping)->getResults());
  };
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(op, init.get().getType(),
                                                 unflatten(rewriter, loc, flat, type), init.get(),
                                                 maps, iterators, combine);
}

/// What the kernel has taken in leaves partial values.
static void replaceReductions(RewriterBase &rewriter, KernelOp kernel,
                              ArrayRef<RowReduction> reductions) {
  OpBuilder::InsertionGuard guard(rewriter);
  ResultRange partials = kernel.getResults().take_back(reductions.size());
  for (auto [reduction, flat] : llvm::zip_equal(reductions, partials)) {
    rewriter.setInsertionPoint(reduction.op);
    reducePartials(rewriter, reduction, flat);
  }
}

/// Emits the kernel's nest into its body.
static void emitNest(RewriterBase &rewriter, KernelOp kernel, const KernelPlan &plan,
                     std::optional<OpenRows> open) {
  Location loc = kernel.getLoc();
  ValueRange arguments = kernel.getBody().getArguments();
  OpFoldResult rows =
      open ? rowsOf(rewriter, loc, arguments.back(), open->rowElements()) : OpFoldResult();
  auto take = [&](size_t count) {
    ValueRange taken = arguments.take_front(count);
    arguments = arguments.drop_front(count);
    return taken;
  };
  SmallVector<Value> lhs(take(std::max<size_t>(plan.lhsProducer.inputs.size(), 1)));
  bool packsRhs = plan.candidate.packRhs == Packing::Block;
  SmallVector<Value> rhs(take(packsRhs ? std::max<size_t>(plan.rhsProducer.inputs.size(), 1) : 1));
  ValueRange extras = take(plan.extras().size());
  ValueRange outputs = take(arguments.size() - plan.reductions.size());
  KernelEmitter(rewriter, loc, plan,
                {lhs.front(), rhs.front(), extras, outputs, arguments, rows, lhs, rhs})
      .emit();
  rewriter.setInsertionPointAfter(kernel);
}

static void replaceByKernel(RewriterBase &rewriter, linalg::LinalgOp op, ChoiceAttr choice,
                            KernelPlan plan, bool check) {
  Operation *last = lastOf(plan, op);
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(last);
  std::string name = plan.workload.name();
  Attribute id = op->getAttr("ucmoh.op");
  convertOperands(rewriter, loc, plan, last, id);

  std::optional<OpenRows> open = openRowsOf(plan, last);
  SmallVector<Value> rhs = sourcesOf(rewriter, loc, plan.rhsProducer, plan.workload.rhs);
  if (isPackedAhead(plan.candidate.packRhs))
    rhs = {prepack(rewriter, loc, plan, rhs, name)};
  auto read = [&](Operand operand) {
    if (open)
      operand.value = withoutPaddedRows(rewriter, operand.value);
    return inMemory(rewriter, loc, operand);
  };
  SmallVector<Value> inputs = plan.lhsProducer
                                  ? sourcesOf(rewriter, loc, plan.lhsProducer, plan.workload.lhs)
                                  : SmallVector<Value>{read(plan.workload.lhs)};
  llvm::append_range(inputs, rhs);
  for (const Operand &extra : plan.extras())
    inputs.push_back(read(extra));
  SmallVector<Value> outputs;
  for (Value result : last->getResults())
    outputs.push_back(open ? emptyRows(rewriter, loc, *open)
                           : destinationOf(rewriter, result, plan.workload.acc));
  for (const RowReduction &reduction : plan.reductions)
    outputs.push_back(
        emptyFlat(rewriter, loc, reduction.partials.elements(), reduction.neutral().getType()));

  KernelOp kernel = createKernel(rewriter, loc, "contract", inputs, outputs);
  kernel.setChoiceAttr(choice);
  kernel.setWorkload(name);
  if (id)
    kernel->setAttr("ucmoh.op", id);
  emitNest(rewriter, kernel, plan, open);
  if (open)
    return replaceRows(rewriter, kernel, op, last, *open, check);
  replaceReductions(rewriter, kernel, plan.reductions);
  SmallVector<Value> results = shapeResults(rewriter, kernel, *last, plan.workload.acc);
  if (check)
    addChecks(rewriter, kernel, op, last, results);
  rewriter.replaceOp(last, results);
  if (last != op)
    rewriter.eraseOp(op);
}

/// What the kernel computes while it packs operands, which are not converted yet.
static void findProducers(linalg::LinalgOp op, KernelPlan &plan) {
  KernelShape shape(plan.workload, plan.candidate, plan.rowsMayRepeat);
  plan.lhsProducer = findPackedProducer(op, shape, DimRole::M);
  plan.rhsProducer = findPackedProducer(op, shape, DimRole::N);
}

/// Those reductions that the kernel is to take in.
static SmallVector<RowReduction> markedReductions(const KernelPlan &plan, linalg::LinalgOp op) {
  SmallVector<RowReduction> reductions = findRowReductions(plan, op);
  llvm::erase_if(reductions, [](RowReduction &reduction) {
    auto mark = reduction.op->getAttrOfType<BoolAttr>(inStoreMark);
    return !mark || !mark.getValue();
  });
  return reductions;
}

/// Applies the choice, or says at the op why it cannot be applied.
static LogicalResult tile(RewriterBase &rewriter, linalg::LinalgOp op, ChoiceAttr choice,
                          const Target &target, bool check) {
  FailureOr<KernelPlan> planned = planKernel(op, choice, target);
  if (failed(planned))
    return failure();
  KernelPlan &plan = *planned;
  if (plan.workload.isDepthwise) // for ucmoh-windows, behind the weights' packing
    return success();
  if (!plan.workload.acc.strides.empty() && !isPlacedAhead(op, lastOf(plan, op))) {
    plan.workload.acc.strides.clear(); // rows that were apart may follow each other now
    plan.findNest(op);
  }
  plan.reductions = markedReductions(plan, op);
  plan.init = findInit(op, plan.workload, plan.nest);
  findProducers(op, plan);
  plan.borders = findBorders(plan.workload, plan.nest, plan.candidate);
  plan.sides = findSides(plan.workload, plan.nest, plan.candidate);
  plan.streamsResult = streamsResult(plan, *lastOf(plan, op), target.machine);
  replaceByKernel(rewriter, op, choice, plan, check);
  return success();
}

/// Whether a value of the loop is made of what is there before, by what prepares operands.
static bool canMoveAhead(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  auto kernel = dyn_cast_or_null<KernelOp>(op);
  bool prepares = (kernel && kernel.getKind() == "pack") ||
                  isa_and_nonnull<linalg::LinalgOp, tensor::EmptyOp, tensor::CollapseShapeOp>(op);
  return prepares && isMemoryEffectFree(op) && op->getNumResults() == 1 &&
         llvm::all_of(op->getOperands(), [&](Value each) { return canMoveAhead(each, loop); });
}

/// Moves a value in front of the loop, with what it is made from. What others may write to stays
/// for them.
static void moveAhead(RewriterBase &rewriter, Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return;
  Operation *op = value.getDefiningOp();
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *source = operand.get().getDefiningOp();
    bool isShared = source && !loop.isDefinedOutsideOfLoop(operand.get()) && !source->hasOneUse();
    if (isShared && isa<tensor::EmptyOp, linalg::FillOp>(source)) {
      rewriter.setInsertionPoint(op);
      operand.set(rewriter.clone(*source)->getResult(0));
    }
    moveAhead(rewriter, operand.get(), loop);
  }
  rewriter.moveOpBefore(op, loop);
}

/// Operands of kernels that all steps of a loop read are packed, and summed, in front of it.
static void prepareAhead(RewriterBase &rewriter, scf::ForOp loop) {
  for (auto kernel : llvm::to_vector(loop.getBody()->getOps<KernelOp>()))
    if (kernel.getKind() == "contract")
      for (Value input : kernel.getInputs())
        if (canMoveAhead(input, loop))
          moveAhead(rewriter, input, loop);
}

namespace {
struct TilePass : TargetPass<ucmoh::impl::TileBase<TilePass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &resolved) override {
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : opsWithChoice(getOperation())) {
      auto choice = op->getAttrOfType<ChoiceAttr>("ucmoh.choice");
      if (!choice)
        return op.emitOpError("attribute 'ucmoh.choice' must be a #ucmoh.choice");
      if (failed(tile(rewriter, op, choice, resolved, check)))
        return failure();
    }
    getOperation().walk([&](scf::ForOp loop) {
      if (auto steps = loop.getStaticTripCount();
          loop->hasAttr(piecesMark) && steps && steps->ugt(1))
        prepareAhead(rewriter, loop);
    });
    return success();
  }
};
} // namespace
