//===- Widening.cpp - Extensions and zero points, brought to where they are seen
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "ucmoh/Analysis/BodySlice.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Workload.h"

using namespace mlir;
using namespace ucmoh;

/// Whether a contraction reads the result, directly or through an op that moves elements.
static bool feedsContraction(linalg::LinalgOp op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto moved = dyn_cast<linalg::LinalgOp>(user);
    return isContractionLike(user) ||
           (moved && moved->getNumResults() && matchMoveOrWidening(moved));
  });
}

bool ucmoh::widensForContraction(linalg::GenericOp op) {
  if (op.getNumReductionLoops() || op.getNumDpsInits() != 1 || !feedsContraction(op))
    return false;
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  Value narrow = stripShift(stripWidening(op, yielded));
  bool isNarrow = narrow.getType().isInteger(8) || isa<FloatType>(narrow.getType());
  return narrow != yielded && isa<BlockArgument>(narrow) && isNarrow;
}

/// Whether the value depends on inputs that are read at one position only, and on nothing else.
static bool isScalar(linalg::GenericOp op, const BodySlice &slice) {
  return slice.loops.none() && !slice.arguments.empty() &&
         llvm::all_of(slice.ops, [](Operation *op) { return isPure(op); }) &&
         llvm::all_of(slice.arguments, [&](BlockArgument argument) {
           OpOperand *operand = op.getMatchingOpOperand(argument);
           return op.isDpsInput(operand) && isa<RankedTensorType>(operand->get().getType());
         });
}

/// The one element of an input that an op without use for its loops reads.
static Value extractElement(RewriterBase &rewriter, linalg::GenericOp op, BlockArgument argument) {
  OpOperand *operand = op.getMatchingOpOperand(argument);
  SmallVector<Value> position;
  for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
    position.push_back(arith::ConstantIndexOp::create(rewriter, op.getLoc(),
                                                      cast<AffineConstantExpr>(expr).getValue()));
  return tensor::ExtractOp::create(rewriter, op.getLoc(), operand->get(), position);
}

/// The same value, computed in front of the op.
static Value computeOutside(RewriterBase &rewriter, linalg::GenericOp op, Value value,
                            const BodySlice &slice) {
  IRMapping mapping;
  for (BlockArgument argument : slice.arguments)
    mapping.map(argument, extractElement(rewriter, op, argument));
  for (Operation *inside : slice.ops)
    rewriter.clone(*inside, mapping);
  return mapping.lookup(value);
}

static bool isWidenedByte(Value value) {
  Operation *cast = value.getDefiningOp();
  return isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(cast) &&
         cast->getOperand(0).getType().isInteger(8);
}

namespace {

/// ext(x) - ext(zero) with `zero` an input of one element: the zero point is computed once and
/// outside, where contractions have theirs.
struct HoistZeroPoint : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumLoops() == 0 ||
        (!feedsContraction(op) && !isContractionLike(op)))
      return failure();
    for (auto sub : op.getBody()->getOps<arith::SubIOp>()) {
      BodySlice slice = sliceBody(op, sub.getRhs());
      if (!isWidenedByte(sub.getLhs()) || !isScalar(op, slice))
        continue;
      Value zero = computeOutside(rewriter, op, sub.getRhs(), slice);
      rewriter.modifyOpInPlace(sub, [&] { sub.getRhsMutable().assign(zero); });
      return success();
    }
    return failure();
  }
};

/// An op that computes 8-bit values and extends them (and subtracts a zero point, or shifts them)
/// becomes two, so that a contraction can read what is before the extension.
struct SplitWidening : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() || op.getNumDpsInits() != 1 ||
        !feedsContraction(op))
      return failure();
    OpOperand *init = op.getDpsInitOperand(0);
    Value yielded = op.getBody()->getTerminator()->getOperand(0), narrow = findNarrow(op, yielded);
    if (narrow == yielded || !narrow.getType().isInteger(8) || !isComputedIn(op, narrow) ||
        !op.getMatchingIndexingMap(init).isIdentity() ||
        !op.getMatchingBlockArgument(init).use_empty() || readsArguments(op, yielded, narrow))
      return failure();
    Value computed = computeNarrow(rewriter, op, narrow);
    rewriter.replaceOp(op, widen(rewriter, op, narrow, computed));
    return success();
  }

  static bool isComputedIn(linalg::GenericOp op, Value value) {
    return value.getDefiningOp() && value.getParentBlock() == op.getBody();
  }

  /// Whether the zero point, which comes after `narrow`, is an input (of scalar type).
  static bool readsArguments(linalg::GenericOp op, Value yielded, Value narrow) {
    auto sub = yielded.getDefiningOp<arith::SubIOp>();
    return sub && sub.getResult() != narrow && isa<BlockArgument>(sub.getRhs());
  }

  /// The op up to `narrow`.
  static Value computeNarrow(PatternRewriter &rewriter, linalg::GenericOp op, Value narrow) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType()).clone(narrow.getType());
    auto shape = tensor::getMixedSizes(rewriter, op.getLoc(), op.getDpsInits()[0]);
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape, type.getElementType());
    auto head = linalg::GenericOp::create(rewriter, op.getLoc(), type, op.getDpsInputs(), empty,
                                          op.getIndexingMapsArray(), op.getIteratorTypesArray());
    IRMapping mapping;
    rewriter.cloneRegionBefore(op.getRegion(), head.getRegion(), head.getRegion().end(), mapping);
    Block *body = head.getBody();
    body->getArguments().back().setType(narrow.getType());
    rewriter.modifyOpInPlace(body->getTerminator(),
                             [&] { body->getTerminator()->setOperand(0, mapping.lookup(narrow)); });
    return head.getResult(0);
  }

  /// The op from `narrow` on.
  static Value widen(PatternRewriter &rewriter, linalg::GenericOp op, Value narrow,
                     Value computed) {
    unsigned rank = op.getNumLoops();
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(rank));
    auto clone = [&](OpBuilder &b, Location loc, ValueRange arguments) {
      IRMapping mapping;
      mapping.map(narrow, arguments[0]);
      Value yielded = op.getBody()->getTerminator()->getOperand(0);
      SmallVector<Operation *> before = sliceBody(op, narrow).ops;
      for (Operation *inside : sliceBody(op, yielded).ops)
        if (inside->hasTrait<OpTrait::ConstantLike>() || !llvm::is_contained(before, inside))
          b.clone(*inside, mapping);
      linalg::YieldOp::create(b, loc, mapping.lookup(yielded));
    };
    return linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(), computed,
                                     op.getDpsInits(), maps, op.getIteratorTypesArray(), clone)
        .getResult(0);
  }
};

} // namespace

void ucmoh::populateWideningPatterns(RewritePatternSet &patterns) {
  patterns.add<HoistZeroPoint, SplitWidening>(patterns.getContext());
}
