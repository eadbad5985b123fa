//===- Layout.cpp - Networks with channels innermost
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout/LayoutAssignment.h"
#include "Layout/Reshapes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace ucmoh {
#define GEN_PASS_DEF_LAYOUT
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

namespace {
/// Writes the ops of a function of one block anew, with tensors that lie as `layouts` says. Where
/// an op cannot follow, a transpose stands between: at the function's arguments and results, and
/// before reshapes that mix channels with the image.
class LayoutRewriter {
public:
  LayoutRewriter(mlir::func::FuncOp function, const LayoutAssignment &layouts)
      : function(function), layouts(layouts), rewriter(function.getContext()) {}

  void run();

private:
  mlir::Operation *convert(mlir::Operation *op);
  mlir::Operation *convertLinalg(mlir::linalg::LinalgOp op);
  void convertLookups(mlir::linalg::GenericOp op);
  mlir::Operation *convertPad(mlir::tensor::PadOp pad, llvm::ArrayRef<int64_t> layout);
  mlir::Operation *convertSlice(mlir::OffsetSizeAndStrideOpInterface slice,
                                llvm::ArrayRef<int64_t> layout);
  mlir::Operation *convertReshape(mlir::Operation *op);

  /// The layout of a tensor of the old function in the new one.
  Permutation layoutOf(mlir::Value old) const;
  mlir::RankedTensorType typeOf(mlir::Value old) const;
  /// The tensor in the wanted layout, transposed if it lies in another one.
  mlir::Value get(mlir::Value old, llvm::ArrayRef<int64_t> wanted);
  mlir::Value get(mlir::Value old) { return get(old, layoutOf(old)); }
  mlir::Value remake(mlir::Value old, llvm::ArrayRef<int64_t> wanted);
  void restoreUses(mlir::Value old);

  mlir::func::FuncOp function;
  const LayoutAssignment &layouts;
  mlir::IRRewriter rewriter;
  llvm::DenseMap<mlir::Value, mlir::Value> moved; ///< in the layout that was assigned
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<Permutation, mlir::Value>, 1>> transposed;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static Permutation identity(int64_t rank) { return llvm::to_vector(llvm::seq<int64_t>(0, rank)); }

static RankedTensorType permuteType(RankedTensorType type, ArrayRef<int64_t> permutation) {
  return RankedTensorType::get(applyPermutation(type.getShape(), permutation),
                               type.getElementType());
}

Permutation LayoutRewriter::layoutOf(Value old) const {
  if (const Permutation *known = layouts.lookup(old))
    return *known;
  return identity(cast<RankedTensorType>(old.getType()).getRank());
}

RankedTensorType LayoutRewriter::typeOf(Value old) const {
  return permuteType(cast<RankedTensorType>(old.getType()), layoutOf(old));
}

/// The dims of a tensor in groups, each of which has at most one dim of more than one element.
static SmallVector<ReassociationIndices> groupUnits(ArrayRef<int64_t> shape) {
  SmallVector<ReassociationIndices> groups(1);
  bool hasSize = false;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (size != 1 && hasSize)
      groups.emplace_back();
    hasSize |= size != 1;
    groups.back().push_back(dim);
  }
  return groups;
}

/// Whether the dims of more than one element stay in order, so that no element moves.
static bool movesUnitsOnly(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> sized;
  llvm::copy_if(permutation, std::back_inserter(sized),
                [&](int64_t dim) { return shape[dim] != 1; });
  return llvm::is_sorted(sized);
}

static Value transpose(OpBuilder &builder, Value tensor, ArrayRef<int64_t> permutation) {
  if (isIdentityPermutation(permutation))
    return tensor;
  Location loc = tensor.getLoc();
  auto type = cast<RankedTensorType>(tensor.getType());
  RankedTensorType result = permuteType(type, permutation);
  if (movesUnitsOnly(type.getShape(), permutation)) {
    Value flat = tensor::CollapseShapeOp::create(builder, loc, tensor, groupUnits(type.getShape()));
    return tensor::ExpandShapeOp::create(builder, loc, result, flat, groupUnits(result.getShape()));
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, tensor);
  applyPermutationToVector(sizes, permutation);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, tensor, empty, permutation)->getResult(0);
}

/// An empty tensor, a fill or a constant, which cost nothing to make in another layout.
Value LayoutRewriter::remake(Value old, ArrayRef<int64_t> wanted) {
  Operation *op = old.getDefiningOp();
  Location loc = old.getLoc();
  auto type = cast<RankedTensorType>(old.getType());
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
    applyPermutationToVector(sizes, wanted);
    return tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  }
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    Value into = get(fill.getOutputs()[0], wanted);
    rewriter.setInsertionPointAfter(op);
    return linalg::FillOp::create(rewriter, loc, fill.value(), into).getResult(0);
  }
  auto splat = cast<SplatElementsAttr>(cast<arith::ConstantOp>(op).getValue());
  return arith::ConstantOp::create(rewriter, loc, splat.resizeSplat(permuteType(type, wanted)));
}

Value LayoutRewriter::get(Value old, ArrayRef<int64_t> wanted) {
  Value known = moved.lookup(old);
  Permutation present = known ? layoutOf(old) : identity(wanted.size());
  if (ArrayRef<int64_t>(present) == wanted)
    return known ? known : old;
  for (auto &[permutation, value] : transposed[old])
    if (ArrayRef<int64_t>(permutation) == wanted)
      return value;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(known ? known : old);
  // The present layout's inverse and the wanted one say which present dim stands where.
  Permutation inverse = invertPermutationVector(present);
  Permutation relative = llvm::map_to_vector(wanted, [&](int64_t dim) { return inverse[dim]; });
  Value made =
      hasAnyLayout(old) ? remake(old, wanted) : transpose(rewriter, known ? known : old, relative);
  transposed[old].emplace_back(Permutation(wanted), made);
  return made;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Loops in the order in which the result lies. Of an op that reduces, the result's last dim comes
/// last: there the elements of the image lie side by side, while a window's are apart.
static SmallVector<unsigned> orderLoops(linalg::GenericOp op) {
  SmallVector<unsigned> order;
  auto add = [&](unsigned loop) {
    if (!llvm::is_contained(order, loop))
      order.push_back(loop);
  };
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  ArrayRef<AffineExpr> exprs = result.getResults();
  auto last = dyn_cast_if_present<AffineDimExpr>(exprs.empty() ? AffineExpr() : exprs.back());
  if (op.getNumReductionLoops() && last)
    exprs = exprs.drop_back();
  for (AffineExpr expr : exprs)
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && dim != last)
      add(dim.getPosition());
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!last || loop != last.getPosition())
      add(loop);
  if (last)
    add(last.getPosition());
  return order;
}

static linalg::GenericOp copyAsGeneric(RewriterBase &rewriter, linalg::LinalgOp op) {
  Operation *copy = rewriter.clone(*op);
  if (auto generic = dyn_cast<linalg::GenericOp>(copy))
    return generic;
  auto generic = *linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(copy));
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName() != linalg::LinalgDialect::kMemoizedIndexingMapsAttrName)
      generic->setDiscardableAttr(attribute.getName(), attribute.getValue());
  return generic;
}

/// Elements that the body looks up are found where they lie now.
void LayoutRewriter::convertLookups(linalg::GenericOp op) {
  for (auto lookup : op.getBody()->getOps<tensor::ExtractOp>()) {
    const Permutation *layout = layouts.lookup(lookup.getTensor());
    if (!layout)
      continue;
    SmallVector<Value> indices = applyPermutation(SmallVector<Value>(lookup.getIndices()), *layout);
    lookup.getTensorMutable().assign(get(lookup.getTensor(), *layout));
    lookup.getIndicesMutable().assign(indices);
  }
}

/// Any linalg op: an operand that lies differently is indexed differently, and nothing else in the
/// body changes.
Operation *LayoutRewriter::convertLinalg(linalg::LinalgOp op) {
  linalg::GenericOp generic = copyAsGeneric(rewriter, op);
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    unsigned number = operand.getOperandNumber();
    Value decides = op.isDpsInit(&operand) ? op.getTiedOpResult(&operand) : operand.get();
    Permutation layout = layoutOf(decides);
    SmallVector<AffineExpr> exprs = applyPermutation(maps[number].getResults(), layout);
    maps[number] = AffineMap::get(maps[number].getNumDims(), 0, exprs, rewriter.getContext());
    generic->setOperand(number, get(operand.get(), layout));
  }
  for (auto [result, old] : llvm::zip(generic->getResults(), op->getResults()))
    result.setType(typeOf(old));
  generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  convertLookups(generic);
  SmallVector<unsigned> order = orderLoops(generic);
  return llvm::is_sorted(order) ? generic : *linalg::interchangeGenericOp(rewriter, generic, order);
}

Operation *LayoutRewriter::convertPad(tensor::PadOp pad, ArrayRef<int64_t> layout) {
  auto result = tensor::PadOp::create(
      rewriter, pad.getLoc(), typeOf(pad.getResult()), get(pad.getSource(), layout),
      applyPermutation(pad.getMixedLowPad(), layout),
      applyPermutation(pad.getMixedHighPad(), layout), pad.getNofold());
  IRMapping mapping;
  Block *block = rewriter.createBlock(&result.getRegion(), {},
                                      SmallVector<Type>(layout.size(), rewriter.getIndexType()),
                                      SmallVector<Location>(layout.size(), pad.getLoc()));
  for (auto [dim, oldDim] : llvm::enumerate(layout))
    mapping.map(pad.getRegion().getArgument(oldDim), block->getArgument(dim));
  for (Operation &op : pad.getRegion().front())
    rewriter.clone(op, mapping);
  return result;
}

Operation *LayoutRewriter::convertSlice(OffsetSizeAndStrideOpInterface slice,
                                        ArrayRef<int64_t> layout) {
  SmallVector<OpFoldResult> offsets = applyPermutation(slice.getMixedOffsets(), layout);
  SmallVector<OpFoldResult> sizes = applyPermutation(slice.getMixedSizes(), layout);
  SmallVector<OpFoldResult> strides = applyPermutation(slice.getMixedStrides(), layout);
  Value source = get(slice->getOperand(0), layout);
  if (isa<tensor::ExtractSliceOp>(slice))
    return tensor::ExtractSliceOp::create(rewriter, slice.getLoc(), typeOf(slice->getResult(0)),
                                          source, offsets, sizes, strides);
  return tensor::InsertSliceOp::create(rewriter, slice.getLoc(), source,
                                       get(slice->getOperand(1), layout), offsets, sizes, strides);
}

/// The groups of a reshape as its sides lie now: the dims of each group are still neighbours.
static SmallVector<ReassociationIndices> regroup(ArrayRef<ReassociationIndices> groups,
                                                 ArrayRef<int64_t> mergedLayout) {
  SmallVector<ReassociationIndices> result;
  int64_t next = 0;
  for (int64_t group : mergedLayout) {
    result.emplace_back();
    for (size_t i = 0; i < groups[group].size(); ++i)
      result.back().push_back(next++);
  }
  return result;
}

/// Null if dims that the reshape merges are not neighbours in the new layout.
Operation *LayoutRewriter::convertReshape(Operation *op) {
  Value from = op->getOperand(0), to = op->getResult(0);
  Permutation fromLayout = layoutOf(from), toLayout = layoutOf(to);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
    if (permuteReshape(fromLayout, groups, /*merges=*/true) != toLayout)
      return nullptr;
    return tensor::CollapseShapeOp::create(rewriter, op->getLoc(), typeOf(to), get(from),
                                           regroup(groups, toLayout));
  }
  auto expand = cast<tensor::ExpandShapeOp>(op);
  SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
  if (permuteReshape(fromLayout, groups, /*merges=*/false) != toLayout)
    return nullptr;
  SmallVector<OpFoldResult> shape =
      getMixedValues(expand.getStaticOutputShape(), expand.getOutputShape(), rewriter);
  return tensor::ExpandShapeOp::create(rewriter, op->getLoc(), typeOf(to), get(from),
                                       regroup(groups, fromLayout),
                                       applyPermutation(ArrayRef<OpFoldResult>(shape), toLayout));
}

/// The op in the new layout; null if it stays as it is.
Operation *LayoutRewriter::convert(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (!canChangeLayout(op) || !layouts.touches(op))
    return nullptr;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return convertLinalg(linalgOp);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return convertReshape(op);
  if (!layouts.lookup(op->getResult(0)))
    return nullptr;
  Permutation layout = layoutOf(op->getResult(0));
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return convertPad(pad, layout);
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    return convertSlice(slice, layout);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return tensor::CastOp::create(rewriter, op->getLoc(), typeOf(cast.getResult()),
                                  get(cast.getSource(), layout));
  auto concat = mlir::cast<tensor::ConcatOp>(op);
  SmallVector<Value> inputs =
      llvm::map_to_vector(concat.getInputs(), [&](Value input) { return get(input, layout); });
  return tensor::ConcatOp::create(rewriter, op->getLoc(), typeOf(concat.getResult()),
                                  invertPermutationVector(layout)[concat.getDim()], inputs);
}

/// Ops that stay see the tensor as it was.
void LayoutRewriter::restoreUses(Value old) {
  Value back = get(old, identity(cast<RankedTensorType>(old.getType()).getRank()));
  rewriter.replaceAllUsesWith(old, back);
}

void LayoutRewriter::run() {
  SmallVector<Operation *> ops =
      llvm::map_to_vector(function.getBody().front(), [](Operation &op) { return &op; });
  SmallVector<Operation *> converted;
  for (Operation *op : ops)
    if (Operation *made = convert(op)) {
      converted.push_back(op);
      for (auto [old, is] : llvm::zip(op->getResults(), made->getResults()))
        moved[old] = is;
    }
  // From the end: the ops that were converted are no users any more when their operands' turn
  // comes.
  for (Operation *op : llvm::reverse(converted)) {
    for (Value old : op->getResults())
      if (!old.use_empty())
        restoreUses(old);
    rewriter.eraseOp(op);
  }
}

namespace {
struct LayoutPass : ucmoh::impl::LayoutBase<LayoutPass> {
  using Base::Base;
  void runOnOperation() override {
    if (!llvm::hasSingleElement(getOperation().getBody()))
      return;
    splitBeforeMoving(getOperation());
    LayoutAssignment layouts(getOperation());
    if (!layouts.empty())
      LayoutRewriter(getOperation(), layouts).run();
  }
};
} // namespace
