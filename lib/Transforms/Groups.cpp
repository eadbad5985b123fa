//===- Groups.cpp - Convolutions with groups of few channels
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A convolution in groups is imported with a dim for the groups. Where a group has fewer channels
/// than a vector has lanes, a product of matrices leaves most lanes empty. The pass makes one dim
/// of groups and channels again: each channel of the result, a lane, reads the image's channels of
/// its group. Such an op is a reduction over windows (WindowReduction.h), and no reshape stands
/// between it and what surrounds it.
///
//===----------------------------------------------------------------------===//

#include "Network/Rest.h"
#include "PassTarget.h"
#include "Prepare/Patterns.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "ucmoh/Analysis/Winograd.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_GROUPS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

namespace {
/// A convolution whose result and image have a dim of groups in front of that of their channels.
struct GroupedConvolution {
  LinalgOp op;
  tensor::CollapseShapeOp result; ///< merges both dims
  Value image, init;              ///< with both dims as one; the init may be a fill instead
  ElementType imageType, weightType, sumType;
  unsigned groups, inputs, outputs; ///< loops

  int64_t extent(unsigned loop) { return op.getStaticLoopRanges()[loop]; }
};
} // namespace

/// Whether a reshape splits, or merges, the last dim only.
static bool changesLastDim(ArrayRef<ReassociationIndices> groups) {
  return llvm::all_of(groups.drop_back(), [](auto &dims) { return dims.size() == 1; }) &&
         groups.back().size() == 2;
}

static Value withLastDimMerged(Value tensor) {
  auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>();
  return expand && changesLastDim(expand.getReassociationIndices()) ? expand.getSrc() : Value();
}

/// Finds the loops over groups and their channels; false if dims are others.
static bool findLoops(GroupedConvolution &found) {
  LinalgOp op = found.op;
  AffineMap image = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  unsigned rank = result.getNumResults();
  if (rank < 3 || image.getNumResults() != rank || !result.isProjectedPermutation())
    return false;
  auto inputs = dyn_cast<AffineDimExpr>(image.getResult(rank - 1));
  found.groups = cast<AffineDimExpr>(result.getResult(rank - 2)).getPosition();
  found.outputs = cast<AffineDimExpr>(result.getResult(rank - 1)).getPosition();
  if (!inputs || image.getResult(rank - 2) != result.getResult(rank - 2) ||
      op.getIteratorTypesArray()[inputs.getPosition()] != utils::IteratorType::reduction)
    return false;
  found.inputs = inputs.getPosition();
  return op.getMatchingIndexingMap(op.getDpsInputOperand(1)).isProjectedPermutation();
}

/// Whether `input`, seen before a shift from u8 to i8, is multiplied as it is: `image` becomes what
/// it was before.
static bool findRawImage(ContractionBody::Input input, GroupedConvolution &found) {
  input.value = found.image;
  input.map = AffineMap::getMultiDimIdentityMap(
      cast<RankedTensorType>(found.image.getType()).getRank(), input.map.getContext());
  lookThroughProducers(input);
  APInt zero;
  if (input.zeroPoint && !matchPattern(input.zeroPoint, m_ConstantInt(&zero)))
    return false;
  int64_t offset = input.zeroOffset + (input.zeroPoint ? zero.getSExtValue() : 0);
  found.image = input.value;
  found.imageType = input.type;
  return offset == 0 && input.map.isIdentity();
}

static bool isZeroOrNull(const ContractionBody::Input &input) {
  return input.zeroOffset == 0 && (!input.zeroPoint || matchPattern(input.zeroPoint, m_Zero()));
}

static std::optional<GroupedConvolution> findGroupedConvolution(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumDpsInits() != 1 ||
      op.getNumDpsInputs() < 2 || op->hasAttr("ucmoh.choice") || op->hasAttr(winogradName) ||
      !op->getResult(0).hasOneUse())
    return std::nullopt;
  std::optional<ContractionBody> body = matchContractionBody(op);
  GroupedConvolution found;
  found.op = op;
  found.result = dyn_cast<tensor::CollapseShapeOp>(*op->getResult(0).user_begin());
  if (!body || !found.result || !changesLastDim(found.result.getReassociationIndices()) ||
      !findLoops(found) || body->lhs.value != op.getDpsInputs()[0] ||
      body->rhs.value != op.getDpsInputs()[1] || !isZeroOrNull(body->rhs))
    return std::nullopt;
  found.image = withLastDimMerged(op.getDpsInputs()[0]);
  Value init = op.getDpsInits()[0];
  found.init = withLastDimMerged(init);
  if (!found.image || !findRawImage(body->lhs, found) ||
      (!found.init && !init.getDefiningOp<linalg::FillOp>()))
    return std::nullopt;
  found.weightType = body->rhs.type;
  found.sumType = ElementType::get(getElementTypeOrSelf(init));
  return found;
}

//===----------------------------------------------------------------------===//
// What it becomes
//===----------------------------------------------------------------------===//

/// Lanes belong to whole groups, or a group to whole vectors.
static bool fits(GroupedConvolution &found, int64_t lanes, int64_t row) {
  int64_t outputs = found.extent(found.outputs), inputs = found.extent(found.inputs);
  return inputs > 1 && inputs % row == 0 && (found.extent(found.groups) * outputs) % lanes == 0 &&
         (lanes % outputs == 0 || outputs % lanes == 0);
}

/// Wider groups are products of matrices that fill vectors. Where one vector is all of a group, a
/// product of rows still gains: its lanes share what they read of the image.
static bool isNarrow(GroupedConvolution &found, int64_t lanes, int64_t row) {
  int64_t outputs = found.extent(found.outputs);
  return row > 1 ? outputs <= lanes : outputs < lanes;
}

/// Whether each integer of type `from` is one of type `to`.
static bool contains(ElementType to, ElementType from) {
  bool isWider = to.kind == ElementType::SignedInt && from.isInteger() && from.bits < to.bits;
  return to == from || isWider;
}

/// The intrinsic that multiplies rows of the image's channels by as many of the weights, lane by
/// lane, with the most products. Bytes may be extended to integers that it does multiply.
static const Intrinsic *findIntrinsic(GroupedConvolution &found, const Target &target) {
  const Intrinsic *best = nullptr;
  for (const Intrinsic &each : target.intrinsics) {
    IntrinsicOp op = each.op;
    auto lhs = dyn_cast<VectorType>(op.getFragmentType(Role::lhs));
    auto acc = dyn_cast<VectorType>(op.getFragmentType(Role::acc));
    bool isLanes = lhs && acc && lhs == op.getFragmentType(Role::rhs) &&
                   lhs.getNumElements() == each.n * each.k && acc.getNumElements() == each.n;
    if (isLanes && each.m == 1 && each.subgroupSize == 1 && !each.isStaged &&
        !each.partialProducts && each.kInterleave == each.k && each.acc == found.sumType &&
        contains(each.lhs, found.imageType) && contains(each.rhs, found.weightType) &&
        lhs.getElementTypeBitWidth() == each.lhs.bits && fits(found, each.n, each.k) &&
        isNarrow(found, each.n, each.k) && (!best || each.n * each.k > best->n * best->k))
      best = &each;
  }
  return best;
}

/// The tensor with a dim split into rows of `row` elements.
static Value splitDim(OpBuilder &builder, Location loc, Value tensor, int64_t dim, int64_t row) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<ReassociationIndices> groups;
  for (int64_t each = 0; each < type.getRank(); ++each)
    groups.push_back(ReassociationIndices{each < dim ? each : each + (each > dim)});
  groups[dim].push_back(dim + 1);
  shape[dim] /= row;
  shape.insert(shape.begin() + dim + 1, row);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), tensor, groups);
}

static Value transpose(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, applyPermutation(type.getShape(), order),
                                        type.getElementType());
  return linalg::TransposeOp::create(builder, loc, tensor, empty, order).getResult()[0];
}

/// The weights as lanes read them: elements of the kernel in the order of their loops, rows of a
/// group's inputs, all outputs, elements of a row.
static Value layWeights(OpBuilder &builder, GroupedConvolution &found, ArrayRef<unsigned> taps,
                        int64_t row) {
  Location loc = found.op.getLoc();
  AffineMap map = found.op.getMatchingIndexingMap(found.op.getDpsInputOperand(1));
  auto dimOf = [&](unsigned loop) {
    return int64_t(*map.getResultPosition(builder.getAffineDimExpr(loop)));
  };
  int64_t inputs = dimOf(found.inputs);
  auto dimOfSplit = [&](unsigned loop) { return dimOf(loop) + (dimOf(loop) > inputs); };
  SmallVector<int64_t> order = llvm::map_to_vector(taps, dimOfSplit);
  order.append({inputs, dimOfSplit(found.groups), dimOfSplit(found.outputs), inputs + 1});
  Value weights = splitDim(builder, loc, found.op.getDpsInputs()[1], inputs, row);
  SmallVector<ReassociationIndices> merged;
  for (size_t dim = 0; dim < order.size(); ++dim)
    if (dim + 2 == order.size()) // outputs of all groups are one dim
      merged.back().push_back(dim);
    else
      merged.push_back({int64_t(dim)});
  return tensor::CollapseShapeOp::create(builder, loc, transpose(builder, loc, weights, order),
                                         merged);
}

/// An element of an operand as it is multiplied.
static Value extend(OpBuilder &builder, Location loc, Value value, ElementType from, Type to) {
  if (value.getType() == to)
    return value;
  if (isa<FloatType>(to))
    return arith::ExtFOp::create(builder, loc, to, value);
  return from.kind == ElementType::UnsignedInt
             ? arith::ExtUIOp::create(builder, loc, to, value).getResult()
             : arith::ExtSIOp::create(builder, loc, to, value).getResult();
}

static Value multiplyAdd(OpBuilder &builder, Location loc, Value a, Value b, Value sum) {
  if (!isa<FloatType>(sum.getType()))
    return arith::AddIOp::create(builder, loc, sum, arith::MulIOp::create(builder, loc, a, b));
  return arith::AddFOp::create(builder, loc, sum, arith::MulFOp::create(builder, loc, a, b));
}

namespace {
/// Writes the op without a dim of groups. Its loops are those of the result, those over the window,
/// the one over rows of a group's inputs, the one over the elements of a row.
class LaneRewriter {
public:
  LaneRewriter(OpBuilder &builder, GroupedConvolution &found, int64_t row)
      : b(builder), found(found), row(row) {
    LinalgOp op = found.op;
    for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction && loop != found.inputs)
        taps.push_back(loop);
  }
  linalg::GenericOp rewrite();

private:
  SmallVector<AffineMap> maps();
  Value initOf();

  OpBuilder &b;
  GroupedConvolution &found;
  int64_t row;
  SmallVector<unsigned> taps;
};
} // namespace

SmallVector<AffineMap> LaneRewriter::maps() {
  LinalgOp op = found.op;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  unsigned rank = result.getNumResults() - 1, loops = rank + taps.size() + 2;
  AffineExpr lane = b.getAffineDimExpr(rank - 1), chunk = b.getAffineDimExpr(loops - 2),
             element = b.getAffineDimExpr(loops - 1);
  SmallVector<AffineExpr> place(op.getNumLoops(), b.getAffineConstantExpr(0));
  for (unsigned dim = 0; dim + 1 < rank; ++dim)
    place[cast<AffineDimExpr>(result.getResult(dim)).getPosition()] = b.getAffineDimExpr(dim);
  SmallVector<AffineExpr> weights;
  for (auto [number, tap] : llvm::enumerate(taps))
    weights.push_back(place[tap] = b.getAffineDimExpr(rank + number));
  weights.append({chunk, lane, element});
  AffineMap image = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  SmallVector<AffineExpr> pixels;
  for (AffineExpr expr : image.getResults().drop_back(2))
    pixels.push_back(expr.replaceDims(place));
  pixels.push_back(lane.floorDiv(found.extent(found.outputs)) * found.extent(found.inputs) +
                   chunk * row + element);
  MLIRContext *context = b.getContext();
  return {AffineMap::get(loops, 0, pixels, context), AffineMap::get(loops, 0, weights, context),
          AffineMap::getMultiDimIdentityMap(loops, context).getMajorSubMap(rank)};
}

Value LaneRewriter::initOf() {
  if (found.init)
    return found.init;
  auto fill = found.op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  RankedTensorType type = found.result.getResultType();
  Value empty =
      tensor::EmptyOp::create(b, found.op.getLoc(), type.getShape(), type.getElementType());
  return linalg::FillOp::create(b, found.op.getLoc(), fill.getInputs()[0], empty).getResult(0);
}

linalg::GenericOp LaneRewriter::rewrite() {
  Location loc = found.op.getLoc();
  Value weights = layWeights(b, found, taps, row), init = initOf();
  SmallVector<AffineMap> indexing = maps();
  SmallVector<utils::IteratorType> iterators(indexing.front().getNumDims(),
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), found.result.getResultType().getRank(),
              utils::IteratorType::parallel);
  auto made = linalg::GenericOp::create(
      b, loc, init.getType(), ValueRange{found.image, weights}, init, indexing, iterators,
      [&](OpBuilder &builder, Location, ValueRange args) {
        Type sum = args[2].getType();
        Value product =
            multiplyAdd(builder, loc, extend(builder, loc, args[0], found.imageType, sum),
                        extend(builder, loc, args[1], found.weightType, sum), args[2]);
        linalg::YieldOp::create(builder, loc, product);
      });
  copyMarks(found.op, made);
  return made;
}

namespace {
struct GroupsPass : TargetPass<ucmoh::impl::GroupsBase<GroupsPass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &target) override {
    SmallVector<LinalgOp> ops;
    for (auto op : getOperation().getOps<LinalgOp>())
      if (op.getNumReductionLoops() > 1)
        ops.push_back(op);
    IRRewriter rewriter(&getContext());
    for (LinalgOp op : ops)
      if (std::optional<GroupedConvolution> found = findGroupedConvolution(op))
        replace(rewriter, *found, target);
    return success();
  }

  /// Floats are multiplied one by one, as LLVM does; all else needs an intrinsic that adds
  /// several products.
  void replace(RewriterBase &rewriter, GroupedConvolution &found, const Target &target) {
    bool isFloat = found.sumType == ElementType{ElementType::Float, 32} &&
                   found.imageType == found.sumType && found.weightType == found.sumType;
    int64_t lanes = vectorRegisters(target).bits / 32;
    const Intrinsic *intrinsic = isFloat ? nullptr : findIntrinsic(found, target);
    if (!intrinsic && !(isFloat && lanes > 1 && fits(found, lanes, 1) && isNarrow(found, lanes, 1)))
      return;
    rewriter.setInsertionPoint(found.op);
    linalg::GenericOp made = LaneRewriter(rewriter, found, intrinsic ? intrinsic->k : 1).rewrite();
    if (intrinsic)
      made->setAttr(lanesName, intrinsic->getSymbol());
    rewriter.replaceOp(found.result, made.getResults());
    rewriter.eraseOp(found.op);
  }
};
} // namespace
