//===- Interpolation.cpp - One dim of an image after the other
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Exporters resize an image by looking up four of its pixels for each pixel of the result. What is
/// made of those in one row of the image is the same for many rows of the result: it is computed
/// once for each row of the image, by the same arithmetic. What is left looks up a row at a time,
/// whose neighbours lie side by side.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// The values that a value of the body is computed from.
struct Origin {
  explicit Origin(unsigned loops) : loops(loops) {}

  llvm::SmallBitVector loops;    ///< those whose position matters
  SmallVector<Value, 2> rows;    ///< indices along the dim at hand, of what is looked up
  unsigned lookups = 0;          ///< elements of the image
  bool onlyFromPositions = true; ///< nothing is read but what is looked up

  void add(const Origin &other) {
    loops |= other.loops;
    lookups += other.lookups;
    onlyFromPositions &= other.onlyFromPositions;
    for (Value row : other.rows)
      if (!llvm::is_contained(rows, row))
        rows.push_back(row);
  }
};

/// The body of an op that looks up elements, seen along one dim of what it looks up.
class LookupBody {
public:
  LookupBody(linalg::GenericOp op, unsigned dim) : op(op), dim(dim) {
    for (Operation &inner : op.getBody()->without_terminator())
      add(inner);
  }

  /// The loop that moves the value's row; none if the value is not made of several elements of one
  /// row, or if it would not be needed more than once.
  std::optional<unsigned> findLoop(Value value);
  /// The values that could be computed once for each row, as large as possible.
  SmallVector<Value> findShared();
  const Origin &originOf(Value value) const { return origins.find(value)->second; }

private:
  void add(Operation &inner);
  Origin originOfOperand(Value value);

  linalg::GenericOp op;
  unsigned dim;
  DenseMap<Value, Origin> origins;
};
} // namespace

Origin LookupBody::originOfOperand(Value value) {
  if (auto known = origins.find(value); known != origins.end())
    return known->second;
  Origin origin(op.getNumLoops());
  origin.onlyFromPositions = value.getParentBlock() != op.getBody(); // else an argument
  return origin;
}

void LookupBody::add(Operation &inner) {
  Origin origin(op.getNumLoops());
  if (auto position = dyn_cast<linalg::IndexOp>(inner))
    origin.loops.set(position.getDim());
  origin.onlyFromPositions = isPure(&inner) && inner.getNumRegions() == 0;
  auto lookup = dyn_cast<tensor::ExtractOp>(inner);
  for (auto [number, operand] : llvm::enumerate(inner.getOperands())) {
    bool isRow = lookup && number == dim + 1; // behind the tensor
    if (isRow)
      origin.rows.push_back(operand);
    else
      origin.add(originOfOperand(operand));
  }
  origin.lookups += lookup ? 1 : 0;
  for (Value result : inner.getResults())
    origins.try_emplace(result, origin);
}

std::optional<unsigned> LookupBody::findLoop(Value value) {
  auto known = origins.find(value);
  if (known == origins.end() || known->second.lookups < 2 || known->second.rows.size() != 1 ||
      !known->second.onlyFromPositions)
    return std::nullopt;
  Origin row = originOfOperand(known->second.rows.front());
  if (row.loops.count() != 1 || row.lookups || !row.onlyFromPositions ||
      row.loops.anyCommon(known->second.loops))
    return std::nullopt;
  return row.loops.find_first();
}

SmallVector<Value> LookupBody::findShared() {
  SmallVector<Value> shared;
  for (Operation &inner : op.getBody()->without_terminator())
    if (inner.getNumResults() == 1 && findLoop(inner.getResult(0)) &&
        llvm::any_of(inner.getUsers(), [&](Operation *user) {
          return user->getNumResults() != 1 || !findLoop(user->getResult(0));
        }))
      shared.push_back(inner.getResult(0));
  return shared;
}

/// The image that all elements are looked up in; null if there are several.
static Value findImage(linalg::GenericOp op) {
  Value image;
  for (auto lookup : op.getBody()->getOps<tensor::ExtractOp>()) {
    if (image && image != lookup.getTensor())
      return {};
    image = lookup.getTensor();
  }
  return image;
}

/// Clones what computes `value` in a body, down to what `mapping` knows.
static void cloneInto(OpBuilder &builder, Value value, IRMapping &mapping, Block *body) {
  if (mapping.contains(value) || value.getParentBlock() != body)
    return;
  Operation *inner = value.getDefiningOp();
  for (Value operand : inner->getOperands())
    cloneInto(builder, operand, mapping, body);
  builder.clone(*inner, mapping);
}

namespace {
/// Computes the shared value for each row of the image: a tensor with the loops that it depends on
/// as dims, of which one has the extent of the image.
struct SharedRows {
  SharedRows(linalg::GenericOp op, const LookupBody &body, Value shared, unsigned loop,
             int64_t extent)
      : op(op), shared(shared), row(body.originOf(shared).rows.front()), loop(loop) {
    llvm::SmallBitVector used = body.originOf(shared).loops;
    used.set(loop);
    for (unsigned each : used.set_bits()) {
      loops.push_back(each);
      shape.push_back(each == loop ? extent : op.getStaticLoopRanges()[each]);
    }
  }

  linalg::GenericOp compute(OpBuilder &builder);
  Value lookUp(OpBuilder &builder, Value tensor);

  linalg::GenericOp op;
  Value shared, row;
  unsigned loop;
  SmallVector<unsigned> loops;
  SmallVector<int64_t> shape;
};
} // namespace

linalg::GenericOp SharedRows::compute(OpBuilder &builder) {
  Location loc = op.getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, shape, shared.getType());
  SmallVector<utils::IteratorType> iterators(shape.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, empty.getType(), ValueRange(), empty,
                                   builder.getMultiDimIdentityMap(shape.size()), iterators,
                                   [&](OpBuilder &b, Location, ValueRange) {
                                     IRMapping mapping;
                                     for (auto [number, each] : llvm::enumerate(loops)) {
                                       Value position = linalg::IndexOp::create(b, loc, number);
                                       if (each == loop)
                                         mapping.map(row, position);
                                       for (auto index : op.getBody()->getOps<linalg::IndexOp>())
                                         if (index.getDim() == each && each != loop)
                                           mapping.map(index.getResult(), position);
                                     }
                                     cloneInto(b, shared, mapping, op.getBody());
                                     linalg::YieldOp::create(b, loc, mapping.lookup(shared));
                                   });
}

Value SharedRows::lookUp(OpBuilder &builder, Value tensor) {
  Location loc = op.getLoc();
  SmallVector<Value> indices = llvm::map_to_vector(loops, [&](unsigned each) -> Value {
    return each == loop ? row : linalg::IndexOp::create(builder, loc, each).getResult();
  });
  return tensor::ExtractOp::create(builder, loc, tensor, indices);
}

namespace {
struct ShareRows : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    Value image = findImage(op);
    if (!image || !op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumReductionLoops())
      return failure();
    auto type = cast<RankedTensorType>(image.getType());
    for (int64_t dim = 0; type.hasStaticShape() && dim < type.getRank(); ++dim)
      if (shareAlong(rewriter, op, dim, type.getDimSize(dim)))
        return success();
    return failure();
  }

private:
  /// Whether anything along this dim of the image was computed for each of its rows.
  static bool shareAlong(PatternRewriter &rewriter, linalg::GenericOp op, unsigned dim,
                         int64_t extent) {
    LookupBody body(op, dim);
    SmallVector<linalg::GenericOp> made;
    for (Value shared : body.findShared()) {
      unsigned loop = *body.findLoop(shared);
      if (extent >= op.getStaticLoopRanges()[loop])
        continue;
      SharedRows rows(op, body, shared, loop, extent);
      linalg::GenericOp computed = computeOnce(rewriter, rows, made);
      rewriter.setInsertionPointAfterValue(shared);
      Value element = rows.lookUp(rewriter, computed.getResult(0));
      rewriter.replaceAllUsesWith(shared, element);
    }
    return !made.empty();
  }

  /// Returns the first one of several that compute the same.
  static linalg::GenericOp computeOnce(PatternRewriter &rewriter, SharedRows &rows,
                                       SmallVectorImpl<linalg::GenericOp> &made) {
    rewriter.setInsertionPoint(rows.op);
    linalg::GenericOp computed = rows.compute(rewriter);
    for (linalg::GenericOp other : made)
      if (other.getType(0) == computed.getType(0) &&
          OperationEquivalence::isRegionEquivalentTo(&other.getRegion(), &computed.getRegion(),
                                                     OperationEquivalence::IgnoreLocations)) {
        rewriter.eraseOp(computed);
        return other;
      }
    made.push_back(computed);
    return computed;
  }
};
} // namespace

void ucmoh::populateInterpolationPatterns(RewritePatternSet &patterns) {
  patterns.add<ShareRows>(patterns.getContext());
}
