//===- Reshapes.cpp - Blocks of an image that are cut out by reshapes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reshapes.h"
#include "../PatternConfig.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace ucmoh;

using Groups = SmallVector<ReassociationIndices>;

//===----------------------------------------------------------------------===//
// Dims that are common to both sides of a reshape
//===----------------------------------------------------------------------===//

namespace {
/// The coarsest shape of which the dims of two other shapes are neighbours that are merged.
struct CommonShape {
  SmallVector<int64_t> extents;
  Groups from, to; ///< the dims of either shape in this one

  bool add(ArrayRef<int64_t> source, ArrayRef<int64_t> target);
};

/// The extents of a shape one after the other, and what is left of the present one.
struct Cursor {
  ArrayRef<int64_t> extents;
  Groups &groups;
  int64_t left = 1;

  bool isDone() const { return left == 1 && extents.empty(); }
  void advance() {
    if (left != 1 || extents.empty())
      return;
    left = extents.front();
    extents = extents.drop_front();
    groups.emplace_back();
  }
};
} // namespace

/// Adds the dims that a group of dims of one shape and one of the other have in common; whether
/// there are such dims.
bool CommonShape::add(ArrayRef<int64_t> source, ArrayRef<int64_t> target) {
  Cursor first{source, from}, second{target, to};
  while (!first.isDone() || !second.isDone()) {
    first.advance();
    second.advance();
    int64_t extent = std::min(first.left, second.left);
    if (extent == 0 || first.left % extent || second.left % extent)
      return false;
    first.left /= extent;
    second.left /= extent;
    from.back().push_back(extents.size());
    to.back().push_back(extents.size());
    extents.push_back(extent);
  }
  return true;
}

static SmallVector<int64_t> extentsOf(RankedTensorType type, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return type.getDimSize(dim); });
}

/// The common shape of what is merged and of what the merged dims are split into.
static std::optional<CommonShape> findCommon(tensor::CollapseShapeOp collapse,
                                             tensor::ExpandShapeOp expand) {
  RankedTensorType source = collapse.getSrcType(), target = expand.getResultType();
  CommonShape common;
  if (!source.hasStaticShape() || !target.hasStaticShape())
    return std::nullopt;
  for (auto [merged, split] :
       llvm::zip_equal(collapse.getReassociationIndices(), expand.getReassociationIndices()))
    if (!common.add(extentsOf(source, merged), extentsOf(target, split)))
      return std::nullopt;
  return common;
}

static bool isTrivial(const Groups &groups) {
  return llvm::all_of(groups, [](auto &group) { return group.size() == 1; });
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

namespace {
/// Moves what splits dims towards the beginning, and what merges them towards the end.
class Mover {
public:
  explicit Mover(RewriterBase &rewriter) : rewriter(rewriter) {}
  void exchange(tensor::CollapseShapeOp collapse, tensor::ExpandShapeOp expand,
                const CommonShape &common);

private:
  void sink(Operation *merging);
  void hoist(Operation *splitting);
  Value split(Location loc, Value value, ArrayRef<int64_t> extents, const Groups &groups);
  Value transpose(Location loc, Value value, ArrayRef<int64_t> permutation);

  RewriterBase &rewriter;
};
} // namespace

Value Mover::split(Location loc, Value value, ArrayRef<int64_t> extents, const Groups &groups) {
  if (isTrivial(groups))
    return value;
  auto type = cast<RankedTensorType>(value.getType()).clone(extents);
  return tensor::ExpandShapeOp::create(rewriter, loc, type, value, groups);
}

Value Mover::transpose(Location loc, Value value, ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, applyPermutation(type.getShape(), permutation), type.getElementType());
  return linalg::TransposeOp::create(rewriter, loc, value, empty, permutation)->getResult(0);
}

/// First splits, then merges.
void Mover::exchange(tensor::CollapseShapeOp collapse, tensor::ExpandShapeOp expand,
                     const CommonShape &common) {
  Location loc = expand.getLoc();
  rewriter.setInsertionPoint(expand);
  Value whole = split(loc, collapse.getSrc(), common.extents, common.from), result = whole;
  if (!isTrivial(common.to))
    result =
        tensor::CollapseShapeOp::create(rewriter, loc, expand.getResultType(), whole, common.to);
  rewriter.replaceOp(expand, result);
  if (collapse->use_empty())
    rewriter.eraseOp(collapse);
  if (result != whole)
    sink(result.getDefiningOp());
  hoist(whole.getDefiningOp());
}

/// The dims of `groups` in the order of the groups that a permutation asks for, and the groups that
/// they are then.
static std::pair<SmallVector<int64_t>, Groups> permute(const Groups &groups,
                                                       ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> dims;
  Groups moved;
  for (int64_t each : permutation) {
    moved.emplace_back();
    for (int64_t dim : groups[each]) {
      moved.back().push_back(dims.size());
      dims.push_back(dim);
    }
  }
  return {dims, moved};
}

/// Merges behind the transpose, or what else splits the merged dims, that alone reads them.
void Mover::sink(Operation *merging) {
  auto collapse = cast<tensor::CollapseShapeOp>(merging);
  if (!collapse->hasOneUse())
    return;
  Operation *user = *collapse->user_begin();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user)) {
    if (std::optional<CommonShape> common = findCommon(collapse, expand))
      exchange(collapse, expand, *common);
    return;
  }
  auto move = dyn_cast<linalg::TransposeOp>(user);
  if (!move || move.getInput() != collapse.getResult() || !move.hasPureTensorSemantics())
    return;
  auto [dims, groups] = permute(collapse.getReassociationIndices(), move.getPermutation());
  rewriter.setInsertionPoint(move);
  Value moved = transpose(move.getLoc(), collapse.getSrc(), dims);
  auto type = cast<RankedTensorType>(move->getResult(0).getType());
  auto merged = tensor::CollapseShapeOp::create(rewriter, move.getLoc(), type, moved, groups);
  rewriter.replaceOp(move, merged);
  rewriter.eraseOp(collapse);
  sink(merged);
}

/// Splits in front of the transpose whose result nothing else reads.
void Mover::hoist(Operation *splitting) {
  auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(splitting);
  auto move = expand ? expand.getSrc().getDefiningOp<linalg::TransposeOp>() : nullptr;
  if (!move || !move->hasOneUse() || !move.hasPureTensorSemantics())
    return;
  SmallVector<int64_t> inverse = invertPermutationVector(move.getPermutation());
  auto [dims, groups] = permute(expand.getReassociationIndices(), inverse);
  rewriter.setInsertionPoint(expand);
  Value whole = split(expand.getLoc(), move.getInput(),
                      applyPermutation(expand.getResultType().getShape(), dims), groups);
  rewriter.replaceOp(expand, transpose(move.getLoc(), whole, invertPermutationVector(dims)));
  rewriter.eraseOp(move);
  hoist(whole.getDefiningOp());
}

/// Whether the reshapes cut what they have in common into other dims than either has.
static bool cutsElsewhere(tensor::CollapseShapeOp collapse, tensor::ExpandShapeOp expand,
                          const CommonShape &common) {
  Groups merged = collapse.getReassociationIndices(), split = expand.getReassociationIndices();
  return llvm::any_of(llvm::zip_equal(merged, split), [&](auto pair) {
    auto &[before, after] = pair;
    auto isCut = [](const Groups &groups, int64_t dim) { return groups[dim].size() > 1; };
    return llvm::any_of(before, [&](int64_t dim) { return isCut(common.from, dim); }) &&
           llvm::any_of(after, [&](int64_t dim) { return isCut(common.to, dim); });
  });
}

static tensor::ExpandShapeOp findNext(func::FuncOp function) {
  tensor::ExpandShapeOp found;
  function.walk([&](tensor::ExpandShapeOp expand) {
    auto collapse = expand.getSrc().getDefiningOp<tensor::CollapseShapeOp>();
    std::optional<CommonShape> common =
        collapse && collapse->hasOneUse() ? findCommon(collapse, expand) : std::nullopt;
    if (!common || !cutsElsewhere(collapse, expand, *common))
      return WalkResult::advance();
    found = expand;
    return WalkResult::interrupt();
  });
  return found;
}

void ucmoh::splitBeforeMoving(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  bool hasChanged = false;
  while (tensor::ExpandShapeOp expand = findNext(function)) {
    auto collapse = expand.getSrc().getDefiningOp<tensor::CollapseShapeOp>();
    Mover(rewriter).exchange(collapse, expand, *findCommon(collapse, expand));
    hasChanged = true;
  }
  if (!hasChanged)
    return;
  RewritePatternSet patterns(function.getContext());
  linalg::TransposeOp::getCanonicalizationPatterns(patterns, function.getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, function.getContext());
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, function.getContext());
  (void)applyPatternsGreedily(function, std::move(patterns), patternsOnly());
}
