//===- Vectorize.cpp - Loops that LLVM turns into vector code
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Checks.h"
#include "../PassTarget.h"
#include "Rest.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_VECTORIZEREST
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// The innermost loop
//===----------------------------------------------------------------------===//

std::optional<int64_t> ucmoh::strideOf(linalg::LinalgOp op, OpOperand &operand, unsigned loop) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> strides;
  int64_t offset, stride = 0;
  if (!type)
    return 0; // a scalar
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  MLIRContext *context = op.getContext();
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<AffineExpr> at(map.getNumDims(), getAffineConstantExpr(0, context)), next = at;
  next[loop] = getAffineConstantExpr(1, context);
  for (auto [expr, step] : llvm::zip_equal(map.getResults(), strides)) {
    auto from = dyn_cast<AffineConstantExpr>(expr.replaceDims(at));
    auto to = dyn_cast<AffineConstantExpr>(expr.replaceDims(next));
    if (!from || !to || (from != to && ShapedType::isDynamic(step)))
      return std::nullopt;
    if (from != to)
      stride += (to.getValue() - from.getValue()) * step;
  }
  return stride;
}

/// Elements further apart are not read by vectors that are shuffled.
static constexpr int64_t farthest = 4;

/// Returns the cost of one step of a loop as the innermost one, in accesses to the cache.
static int64_t costOf(linalg::LinalgOp op, unsigned loop) {
  int64_t cost = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isWritten = op.isDpsInit(&operand);
    std::optional<int64_t> stride = strideOf(op, operand, loop);
    if (!stride || std::abs(*stride) > farthest)
      cost += isWritten ? 12 : 8;
    else if (*stride != 0)
      cost += std::abs(*stride) * (isWritten ? 2 : 1);
  }
  return cost;
}

VectorRegisters ucmoh::vectorRegisters(const Target &target) {
  VectorRegisters widest;
  for (const Intrinsic &intrinsic : target.intrinsics)
    if (intrinsic.registerBits > widest.bits && intrinsic.registerBits <= 2048 && !target.device)
      widest = {intrinsic.registerCount, intrinsic.registerBits};
  return widest;
}

/// Bits of the widest element that the op reads or writes, at most those of a float: longer ones
/// take several registers.
static unsigned elementBits(linalg::LinalgOp op) {
  unsigned bits = 8;
  for (Operation &inner : op.getBlock()->without_terminator())
    for (Type type : inner.getResultTypes())
      if (type.isIntOrFloat())
        bits = std::max(bits, type.getIntOrFloatBitWidth());
  for (BlockArgument argument : op.getBlock()->getArguments())
    if (argument.getType().isIntOrFloat())
      bits = std::max(bits, argument.getType().getIntOrFloatBitWidth());
  return std::min(llvm::bit_ceil(bits), 32u);
}

/// Lanes of the vectors that compute a row with the fewest instructions: those of a register or of
/// a part of one, because what is left behind the last full vector of a row is done one by one.
static int64_t lanesOf(linalg::LinalgOp op, const VectorRegisters &registers) {
  constexpr int64_t narrowestBits = 128;
  int64_t bits = elementBits(op), best = registers.bits / bits;
  if (op.getNumLoops() == 0)
    return best;
  unsigned inOrder = 0; // the loop that accesses memory in order
  for (unsigned loop = 1; loop < op.getNumLoops(); ++loop)
    if (costOf(op, loop) <= costOf(op, inOrder))
      inOrder = loop;
  int64_t row = op.getStaticLoopRanges()[inOrder];
  if (ShapedType::isDynamic(row))
    return best;
  auto instructions = [&](int64_t lanes) { return row / lanes + row % lanes; };
  for (int64_t lanes = best / 2; lanes * bits >= narrowestBits; lanes /= 2)
    if (instructions(lanes) < instructions(best))
      best = lanes;
  return best;
}

/// The loop that accesses memory in order, of those that are long enough for a vector. Reductions
/// keep their order among each other.
static unsigned bestInnermost(linalg::LinalgOp op, int64_t lanes) {
  SmallVector<int64_t> extents = typicalExtents(op);
  unsigned last = extents.size() - 1, best = last;
  auto cost = [&](unsigned loop) {
    bool isLong = extents[loop] >= lanes;
    return costOf(op, loop) + (isLong ? 0 : 100);
  };
  for (unsigned loop = 0; loop < last; ++loop)
    if (cost(loop) < cost(best) && linalg::isParallelIterator(op.getIteratorTypesArray()[loop]))
      best = loop;
  return best;
}

linalg::LinalgOp ucmoh::moveInnermost(RewriterBase &rewriter, linalg::LinalgOp op, unsigned loop) {
  if (loop + 1 == op.getNumLoops())
    return op;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> generalized = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generalized))
      return op;
    generic = *generalized;
  }
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < generic.getNumLoops(); ++i)
    if (i != loop)
      order.push_back(i);
  order.push_back(loop);
  FailureOr<linalg::GenericOp> moved = linalg::interchangeGenericOp(rewriter, generic, order);
  return succeeded(moved) ? *moved : generic;
}

/// Reads the places of rows that are looked up in front of the loop over a row. LLVM leaves them
/// there, since what the loop writes might overlap them as far as it knows; elements of another
/// type do not. Then the row's elements are neighbours for it.
static void hoistPlaces(scf::ForOp loop) {
  auto isWritten = [&](Type type) {
    return llvm::any_of(loop.getBody()->getOps<memref::StoreOp>(), [&](memref::StoreOp store) {
      return store.getMemRefType().getElementType() == type;
    });
  };
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    auto load = dyn_cast<memref::LoadOp>(op);
    bool isPlace = load && load.getType().isIntOrIndex() && !isWritten(load.getType());
    if ((isPlace || (isPure(&op) && op.getNumRegions() == 0)) &&
        llvm::all_of(op.getOperands(),
                     [&](Value operand) { return loop.isDefinedOutsideOfLoop(operand); }))
      op.moveBefore(loop);
  }
}

//===----------------------------------------------------------------------===//
// Annotations
//===----------------------------------------------------------------------===//

/// Vectors side by side hide the latency of the arithmetic, as far as registers last.
static int64_t mostInterleaved(linalg::LinalgOp op, const VectorRegisters &registers) {
  bool isLong = llvm::range_size(*op.getBlock()) > 16;
  return isLong && registers.count < 32 ? 2 : 4;
}

static int64_t interleaving(linalg::LinalgOp op, const VectorRegisters &registers, int64_t extent,
                            int64_t lanes) {
  int64_t count = mostInterleaved(op, registers);
  while (count > 1 && extent % (lanes * count) != 0)
    count /= 2;
  return count;
}

static LLVM::LoopAnnotationAttr vectorized(MLIRContext *context, int64_t lanes, int64_t interleave,
                                           bool masked = false) {
  auto i32 = IntegerType::get(context, 32);
  auto vectorize = LLVM::LoopVectorizeAttr::get(context, BoolAttr::get(context, false),
                                                masked ? BoolAttr::get(context, true) : BoolAttr(),
                                                {}, IntegerAttr::get(i32, lanes), {}, {}, {});
  auto side = LLVM::LoopInterleaveAttr::get(context, IntegerAttr::get(i32, interleave));
  return LLVM::LoopAnnotationAttr::get(context, {}, vectorize, side, {}, {}, {}, {}, {}, {}, {}, {},
                                       {}, {}, {}, {});
}

/// Two elements that are looked up one by one in each iteration. A loop of some ten bytes takes
/// twice the time where it happens to lie in two lines of instructions, and with more elements
/// their stores take longer.
static LLVM::LoopAnnotationAttr unrolled(MLIRContext *context) {
  constexpr int32_t elements = 2;
  auto count = IntegerAttr::get(IntegerType::get(context, 32), elements);
  auto unroll = LLVM::LoopUnrollAttr::get(context, {}, count, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {},
                                       {}, {}, {});
}

/// How far apart the loop's neighbours are at most; none if some have to be gathered one by one.
static std::optional<int64_t> largestStride(linalg::LinalgOp op, unsigned loop) {
  int64_t largest = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<int64_t> stride = strideOf(op, operand, loop);
    if (!stride || std::abs(*stride) > farthest)
      return std::nullopt;
    largest = std::max(largest, std::abs(*stride));
  }
  return largest;
}

/// Whether processors have masks for vectors of all elements that the op reads and writes: then the
/// last vector of a row may be a part of one.
static bool canMask(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Type element = getElementTypeOrSelf(operand);
    return !isa<MemRefType>(operand.getType()) ||
           (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 32);
  });
}

/// Whether a value of the body is the same in all iterations of `loop`.
static bool isInvariant(linalg::LinalgOp op, Value value, unsigned loop) {
  Operation *inner = value.getDefiningOp();
  if (value.getParentBlock() != op.getBlock())
    return true;
  if (!inner || (isa<linalg::IndexOp>(inner) && cast<linalg::IndexOp>(inner).getDim() == loop))
    return false;
  return isPure(inner) && llvm::all_of(inner->getOperands(), [&](Value operand) {
           return isInvariant(op, operand, loop);
         });
}

/// Whether iterations of `loop` look up neighbours, or all of them the same: a row's number, or a
/// row of a table.
static bool looksUpInOrder(linalg::LinalgOp op, memref::LoadOp load, unsigned loop) {
  SmallVector<Value> indices(load.getIndices());
  auto isFixed = [&](Value index) { return isInvariant(op, index, loop); };
  if (llvm::all_of(indices, isFixed))
    return true;
  auto position = indices.back().getDefiningOp<linalg::IndexOp>();
  return position && position.getDim() == loop && load.getMemRefType().getLayout().isIdentity() &&
         llvm::all_of(ArrayRef(indices).drop_back(), isFixed);
}

/// How LLVM shall compute several iterations of the innermost loop at once; null where it had
/// better decide.
static LLVM::LoopAnnotationAttr annotationOf(linalg::LinalgOp op, const VectorRegisters &registers,
                                             int64_t lanes) {
  unsigned last = op.getNumLoops() - 1;
  int64_t extent = op.getStaticLoopRanges()[last];
  std::optional<int64_t> stride = largestStride(op, last);
  auto computes = [](Operation &inner) { return isPure(&inner) && inner.getNumRegions() == 0; };
  auto isLookup = [&](Operation &inner) {
    auto load = dyn_cast<memref::LoadOp>(inner);
    return load && !looksUpInOrder(op, load, last);
  };
  if (!llvm::all_of(op.getBlock()->without_terminator(), [&](Operation &inner) {
        return computes(inner) || isa<memref::LoadOp>(inner);
      }))
    return {};
  if (llvm::any_of(*op.getBlock(), isLookup))
    return unrolled(op.getContext());
  if (lanes < 2 || !stride)
    return {};
  // Vectors of every other element read past the last one, so that scalars have to come after.
  if (*stride > 1)
    return extent > lanes || ShapedType::isDynamic(extent) ? vectorized(op.getContext(), lanes, 1)
                                                           : LLVM::LoopAnnotationAttr();
  if (ShapedType::isDynamic(extent))
    return vectorized(op.getContext(), lanes, 1);
  if (extent < lanes)
    return {};
  return vectorized(op.getContext(), lanes, interleaving(op, registers, extent, lanes));
}

//===----------------------------------------------------------------------===//
// Rows that are no multiple of a vector
//===----------------------------------------------------------------------===//

namespace {
/// Loops over whole vectors of a row, so many side by side, behind those of the part in front.
struct RowPart {
  int64_t lanes, interleave;
  bool isMasked = false; ///< one vector, of which the row has a part

  int64_t step() const { return isMasked ? 1 : lanes * interleave; }
};
} // namespace

/// As many vectors as possible side by side, then single ones, then narrower ones. LLVM would
/// compute all that is left behind the first part one by one.
static SmallVector<RowPart> partsOf(int64_t lanes, int64_t interleave) {
  constexpr int64_t fewestLanes = 4;
  SmallVector<RowPart> parts = {{lanes, interleave}};
  if (interleave > 1)
    parts.push_back({lanes, 1});
  for (lanes /= 2; lanes >= fewestLanes; lanes /= 2)
    parts.push_back({lanes, 1});
  parts.push_back({1, 1});
  return parts;
}

/// For rows of any length. A mask for what is left is one vector; a mask for each vector would take
/// longer, above all where the processor has instructions only to load and store by masks.
static SmallVector<RowPart> partsOfOpenRow(linalg::LinalgOp op, int64_t lanes, int64_t interleave) {
  SmallVector<RowPart> parts = partsOf(lanes, interleave);
  if (canMask(op)) {
    llvm::erase_if(parts, [&](const RowPart &part) { return part.lanes < lanes; });
    parts.push_back({lanes, 1, /*isMasked=*/true});
  }
  return parts;
}

/// Where the last step ends that has so many elements. The steps of all parts are powers of two,
/// and so LLVM knows that nothing is left.
static Value endOfSteps(OpBuilder &builder, Location loc, Value extent, int64_t step) {
  Value mask = arith::ConstantIndexOp::create(builder, loc, -step);
  return step == 1 ? extent : builder.createOrFold<arith::AndIOp>(loc, extent, mask);
}

/// One loop for each part, which carry their values on.
static void splitLoop(RewriterBase &rewriter, scf::ForOp loop, ArrayRef<RowPart> parts) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = loop.getLoc();
  SmallVector<Value> values(loop.getInitArgs());
  rewriter.setInsertionPoint(loop);
  Value from = loop.getLowerBound();
  for (const RowPart &part : parts) {
    Value to = endOfSteps(rewriter, loc, loop.getUpperBound(), part.step());
    if (std::optional<int64_t> end = getConstantIntValue(to);
        end && end == getConstantIntValue(from))
      continue;
    auto made = cast<scf::ForOp>(rewriter.clone(*loop));
    made.setLowerBound(from);
    made.setUpperBound(to);
    made.getInitArgsMutable().assign(values);
    values.assign(made.getResults().begin(), made.getResults().end());
    if (part.lanes > 1)
      made->setAttr("loop_annotation",
                    vectorized(loop.getContext(), part.lanes, part.interleave, part.isMasked));
    from = to;
  }
  rewriter.replaceOp(loop, values);
}

/// The parts of the innermost loop's row, if they are several.
static SmallVector<RowPart> findParts(linalg::LinalgOp op, const VectorRegisters &registers,
                                      int64_t lanes) {
  int64_t extent = op.getStaticLoopRanges().back(), interleave = mostInterleaved(op, registers);
  if (largestStride(op, op.getNumLoops() - 1).value_or(2) > 1)
    return {};
  if (ShapedType::isDynamic(extent))
    return partsOfOpenRow(op, lanes, interleave);
  int64_t longest = extent < lanes * interleave ? lanes : lanes * interleave;
  return extent <= lanes || extent % longest == 0 ? SmallVector<RowPart>()
                                                  : partsOf(lanes, interleave);
}

//===----------------------------------------------------------------------===//
// Transpositions
//===----------------------------------------------------------------------===//

/// Rows and columns of a block whose rows and columns are both in the L1 cache.
static constexpr int64_t blockEdge = 16;

/// The loop along which an input lies in memory, if the innermost loop jumps from one cache line to
/// the next in it: in rows of a power of two, each line would have left the cache before its next
/// element is read.
static std::optional<unsigned> loopAcross(linalg::LinalgOp op) {
  constexpr int64_t lineBytes = 64;
  unsigned last = op.getNumLoops() - 1;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (op.getNumReductionLoops() || op.getNumLoops() < 2 || extents[last] < blockEdge)
    return std::nullopt;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Type element = getElementTypeOrSelf(input->get());
    std::optional<int64_t> jump = strideOf(op, *input, last);
    if (!element.isIntOrFloat() || !jump ||
        std::abs(*jump) * element.getIntOrFloatBitWidth() < lineBytes * 8)
      continue;
    for (unsigned loop = 0; loop < last; ++loop)
      if (strideOf(op, *input, loop) == 1 && extents[loop] >= blockEdge)
        return loop;
  }
  return std::nullopt;
}

/// Loops over blocks of both dims around an op on one of them.
static FailureOr<linalg::LinalgOp> intoBlocks(RewriterBase &rewriter, linalg::LinalgOp op,
                                              unsigned across) {
  unsigned last = op.getNumLoops() - 1;
  SmallVector<OpFoldResult> sizes(op.getNumLoops(), rewriter.getIndexAttr(1));
  sizes[across] = sizes[last] = rewriter.getIndexAttr(blockEdge);
  SmallVector<int64_t> order;
  for (unsigned loop = 0; loop < last; ++loop)
    if (loop != across)
      order.push_back(loop);
  order.append({last, across});
  // Not linalg::tileLinalgOp, which mistakes one loop's index for another's under an interchange.
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes).setInterchange(order);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return failure();
  rewriter.eraseOp(op);
  return cast<linalg::LinalgOp>(tiled->tiledOps.front());
}

/// Reads column by column what is computed with, and writes rows.
static LLVM::LoopAnnotationAttr annotationOfBlock(linalg::LinalgOp op) {
  bool onlyMoves = llvm::hasSingleElement(*op.getBlock());
  return onlyMoves ? LLVM::LoopAnnotationAttr() : vectorized(op.getContext(), blockEdge, 1);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// A target with intrinsics for bf16 also converts to it.
static bool knowsBFloats(const Target &target) {
  return target.device || llvm::any_of(target.intrinsics, [](const Intrinsic &intrinsic) {
           return intrinsic.lhs == ElementType{ElementType::BFloat, 16};
         });
}

namespace {
/// Turns ops on buffers into loops, each in the first of the ways that it is fit for.
class LoopMaker {
public:
  LoopMaker(RewriterBase &rewriter, const Target &target)
      : rewriter(rewriter), registers(vectorRegisters(target)), machine(target.machine),
        lookup(widestLookup(target)) {}

  void make(linalg::LinalgOp op);

private:
  /// Whether the op is such, and is done.
  bool makePlanes(linalg::LinalgOp op);
  bool makeStream(linalg::LinalgOp op, int64_t lanes);
  bool makeBlocks(linalg::LinalgOp op);
  void makeRows(linalg::LinalgOp op, int64_t lanes);
  void makeLoops(linalg::LinalgOp op, LLVM::LoopAnnotationAttr annotation, ArrayRef<RowPart> parts);

  RewriterBase &rewriter;
  VectorRegisters registers;
  const Machine &machine;
  LookupOp lookup;
};
} // namespace

void LoopMaker::make(linalg::LinalgOp op) {
  loadAhead(op);
  if (lookUpOnVectors(rewriter, op, lookup) || makePlanes(op))
    return;
  rewriter.setInsertionPoint(op);
  int64_t lanes = lanesOf(op, registers);
  if (op.getNumLoops() && lanes > 1)
    op = moveInnermost(rewriter, op, bestInnermost(op, lanes));
  if (!makeStream(op, lanes) && !makeBlocks(op))
    makeRows(op, lanes);
}

bool LoopMaker::makePlanes(linalg::LinalgOp op) {
  int64_t lanes = registers.bits / elementBits(op);
  scf::ForOp pixels = lanes > 1 ? interleavePlanes(rewriter, op, lanes) : nullptr;
  if (pixels)
    pixels->setAttr("loop_annotation", vectorized(rewriter.getContext(), lanes, 1));
  return pixels != nullptr;
}

bool LoopMaker::makeStream(linalg::LinalgOp op, int64_t lanes) {
  if (op.getNumLoops() == 0 || lanes < 2)
    return false;
  VectorShape shape{lanes, interleaving(op, registers, op.getStaticLoopRanges().back(), lanes)};
  if (!isStreamed(op, shape, machine))
    return false;
  emitStream(rewriter, op, shape);
  return true;
}

bool LoopMaker::makeBlocks(linalg::LinalgOp op) {
  std::optional<unsigned> across = op.getNumLoops() ? loopAcross(op) : std::nullopt;
  if (!across)
    return false;
  rewriter.setInsertionPoint(op);
  if (FailureOr<linalg::LinalgOp> block = intoBlocks(rewriter, op, *across); succeeded(block))
    makeLoops(*block, annotationOfBlock(*block), {});
  return true;
}

void LoopMaker::makeRows(linalg::LinalgOp op, int64_t lanes) {
  LLVM::LoopAnnotationAttr annotation;
  SmallVector<RowPart> parts;
  if (op.getNumLoops())
    annotation = annotationOf(op, registers, lanes);
  if (annotation && annotation.getVectorize())
    parts = findParts(op, registers, lanes);
  makeLoops(op, annotation, parts);
}

void LoopMaker::makeLoops(linalg::LinalgOp op, LLVM::LoopAnnotationAttr annotation,
                          ArrayRef<RowPart> parts) {
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LinalgLoops> loops = linalg::linalgOpToLoops(rewriter, op);
  if (failed(loops))
    return;
  if (!loops->empty()) {
    auto innermost = carryAccumulators(rewriter, cast<scf::ForOp>(loops->back()));
    hoistPlaces(innermost);
    if (!parts.empty())
      splitLoop(rewriter, innermost, parts);
    else if (annotation)
      innermost->setAttr("loop_annotation", annotation);
  }
  rewriter.eraseOp(op);
}

namespace {
struct VectorizeRestPass : TargetPass<ucmoh::impl::VectorizeRestBase<VectorizeRestPass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &resolved) override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() && !op->hasAttr(referenceMark))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    LoopMaker maker(rewriter, resolved);
    for (linalg::LinalgOp op : ops)
      maker.make(op);
    compareBFloatsAsBits(getOperation());
    return knowsBFloats(resolved) ? success() : expandBFloats(getOperation());
  }
};
} // namespace
