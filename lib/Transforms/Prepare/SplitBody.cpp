//===- SplitBody.cpp - What operands are computed from, taken out of contractions
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tools that fuse greedily put the quantization of an operand into the body of
/// the contraction that reads it, where it is computed once for each element of
/// the result. It goes back into a tensor here, in the type that it has before
/// it is extended.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "ucmoh/Analysis/BodySlice.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;

void ucmoh::copyMarks(Operation *from, Operation *to) {
  for (NamedAttribute attribute : from->getDiscardableAttrs())
    if (attribute.getName().strref().starts_with("ucmoh."))
      to->setAttr(attribute.getName(), attribute.getValue());
}

namespace {
/// The index space of the tensor that a slice of the body becomes.
struct Domain {
  AffineMap map; ///< from the contraction's loops
  SmallVector<int64_t> shape;
};
} // namespace

/// `map` as a function of what `domain` yields, or null.
static AffineMap factorThrough(AffineMap map, AffineMap domain) {
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : map.getResults()) {
    auto found = llvm::find(domain.getResults(), expr);
    if (isa<AffineConstantExpr>(expr))
      exprs.push_back(expr);
    else if (found == domain.getResults().end())
      return {};
    else
      exprs.push_back(
          getAffineDimExpr(std::distance(domain.getResults().begin(), found), map.getContext()));
  }
  return AffineMap::get(domain.getNumResults(), 0, exprs, map.getContext());
}

static AffineMap mapOf(linalg::GenericOp op, BlockArgument argument) {
  return op.getMatchingIndexingMap(op.getMatchingOpOperand(argument));
}

/// Whether all that the slice reads can be read in the domain. Elements outside of what the
/// contraction visits are computed too, so positions must be loop positions where they matter.
static bool covers(linalg::GenericOp op, const BodySlice &slice, AffineMap domain) {
  bool usesPosition = llvm::any_of(slice.ops, llvm::IsaPred<linalg::IndexOp, tensor::ExtractOp>);
  if (usesPosition && !domain.isProjectedPermutation())
    return false;
  for (unsigned loop : slice.loops.set_bits())
    if (!domain.isFunctionOfDim(loop))
      return false;
  return llvm::all_of(slice.arguments, [&](BlockArgument argument) {
    return factorThrough(mapOf(op, argument), domain) != AffineMap();
  });
}

/// The index space of one of the inputs if it has all that is needed, else that of the loops.
static std::optional<Domain> findDomain(linalg::GenericOp op, const BodySlice &slice) {
  for (BlockArgument argument : slice.arguments)
    if (AffineMap map = mapOf(op, argument); map.getNumResults() && covers(op, slice, map)) {
      Value input = op.getMatchingOpOperand(argument)->get();
      return Domain{map, llvm::to_vector(cast<RankedTensorType>(input.getType()).getShape())};
    }
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  Domain domain;
  SmallVector<AffineExpr> exprs;
  for (unsigned loop : slice.loops.set_bits()) {
    exprs.push_back(getAffineDimExpr(loop, op.getContext()));
    domain.shape.push_back(extents[loop]);
  }
  domain.map = AffineMap::get(extents.size(), 0, exprs, op.getContext());
  return covers(op, slice, domain.map) ? std::optional(domain) : std::nullopt;
}

/// Whether the slice can be computed elsewhere, once per element of an operand.
static bool isSplittable(linalg::GenericOp op, const BodySlice &slice) {
  return !slice.ops.empty() && slice.loops.any() && !slice.loops.all() &&
         llvm::all_of(slice.ops,
                      [](Operation *op) { return isPure(op) && op->getNumRegions() == 0; }) &&
         llvm::all_of(slice.arguments, [&](BlockArgument argument) {
           return op.isDpsInput(op.getMatchingOpOperand(argument));
         });
}

/// Computes the slice inside of an elementwise op whose body has `arguments` for those of the
/// slice.
static void cloneSlice(OpBuilder &builder, const BodySlice &slice, ValueRange arguments,
                       AffineMap domain) {
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip(slice.arguments, arguments))
    mapping.map(argument, value);
  for (Operation *op : slice.ops)
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      auto loop = getAffineDimExpr(index.getDim(), builder.getContext());
      int64_t position =
          std::distance(domain.getResults().begin(), llvm::find(domain.getResults(), loop));
      mapping.map(index.getResult(),
                  linalg::IndexOp::create(builder, op->getLoc(), position).getResult());
    } else {
      builder.clone(*op, mapping);
    }
  Value result = mapping.lookup(slice.value);
  linalg::YieldOp::create(builder, result.getLoc(), result);
}

/// The slice as a tensor.
static Value materialize(OpBuilder &builder, linalg::GenericOp op, const BodySlice &slice,
                         const Domain &domain) {
  Location loc = slice.value.getLoc();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (BlockArgument argument : slice.arguments) {
    inputs.push_back(op.getMatchingOpOperand(argument)->get());
    maps.push_back(factorThrough(mapOf(op, argument), domain.map));
  }
  unsigned rank = domain.shape.size();
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(builder, loc, domain.shape, slice.value.getType());
  auto generic =
      linalg::GenericOp::create(builder, loc, empty.getType(), inputs, empty, maps, iterators,
                                [&](OpBuilder &b, Location, ValueRange arguments) {
                                  cloneSlice(b, slice, arguments.drop_back(), domain.map);
                                });
  return generic.getResult(0);
}

/// Makes `value` of the body an element of one more input.
static void readInstead(RewriterBase &rewriter, linalg::GenericOp op, Value value, Value tensor,
                        AffineMap map) {
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.insert(maps.begin() + inputs.size(), map);
  inputs.push_back(tensor);
  auto replacement = linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(), inputs,
                                               op.getDpsInits(), maps, op.getIteratorTypesArray());
  copyMarks(op, replacement);
  IRMapping mapping;
  rewriter.cloneRegionBefore(op.getRegion(), replacement.getRegion(), replacement.getRegion().end(),
                             mapping);
  BlockArgument argument =
      replacement.getBody()->insertArgument(inputs.size() - 1, value.getType(), value.getLoc());
  rewriter.replaceAllUsesWith(mapping.lookup(value), argument);
  rewriter.replaceOp(op, replacement);
}

Value ucmoh::findNarrow(linalg::GenericOp op, Value wide) {
  Value narrow = stripWidening(op, wide), unshifted = stripShift(narrow);
  return unshifted.getDefiningOp() ? unshifted : narrow;
}

namespace {
struct SplitBody : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    auto product = matchProduct(op);
    if (!product || !op.hasPureTensorSemantics() || op.hasDynamicShape() || !isContractionLike(op))
      return failure();
    for (Value factor : {product->first, product->second}) {
      Value value = findNarrow(op, factor);
      BodySlice slice = sliceBody(op, value);
      std::optional<Domain> domain;
      if (!isSplittable(op, slice) || !(domain = findDomain(op, slice)))
        continue;
      Value tensor = materialize(rewriter, op, slice, *domain);
      readInstead(rewriter, op, value, tensor, domain->map);
      return success();
    }
    return failure();
  }
};
} // namespace

void ucmoh::populateSplitBodyPatterns(RewritePatternSet &patterns) {
  patterns.add<SplitBody>(patterns.getContext());
}
