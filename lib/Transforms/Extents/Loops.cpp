//===- Loops.cpp - Loops over pieces of a dynamic extent
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "../Pieces.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace ucmoh;

/// Below this, each number of rows has a piece of its own. More rows than these fill a register
/// tile, and are cut into several.
static constexpr int64_t fewRows = 8;

/// The largest size that fits into all extents of a range, up to `most`.
static int64_t smallestSize(ExtentRange range, int64_t most) {
  return std::clamp<int64_t>(range.least, 1, std::min(fewRows, most));
}

Sizes ucmoh::sizesOfRows(int64_t largest, ExtentRange range) {
  largest = std::min(largest, range.most);
  int64_t smallest = smallestSize(range, largest);
  Sizes result;
  for (int64_t size = llvm::bit_floor<uint64_t>(largest); size >= fewRows; size /= 2)
    result.sizes.push_back(size);
  for (int64_t size = std::min(largest, fewRows - 1); size >= smallest; --size)
    result.sizes.push_back(size);
  return result;
}

Sizes ucmoh::sizesOfCheapRows(int64_t largest, ExtentRange range) {
  largest = llvm::bit_floor<uint64_t>(std::min(largest, range.most));
  int64_t smallest = llvm::bit_floor<uint64_t>(smallestSize(range, largest));
  Sizes result;
  for (int64_t size = smallest; size <= largest / 4 || size == smallest; size *= 4)
    result.sizes.push_back(size);
  if (largest > smallest)
    result.sizes.push_back(largest);
  std::reverse(result.sizes.begin(), result.sizes.end());
  return result;
}

namespace {
/// Arithmetic on extents, folded where they are known.
class ExtentBuilder {
public:
  ExtentBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}
  OpFoldResult number(int64_t value) { return builder.getIndexAttr(value); }
  AffineExpr x() { return builder.getAffineDimExpr(0); }
  AffineExpr y() { return builder.getAffineDimExpr(1); }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(builder, loc, expr, operands);
  }
  OpFoldResult min(OpFoldResult a, OpFoldResult b) {
    return affine::makeComposedFoldedAffineMin(builder, loc, both(), {a, b});
  }
  OpFoldResult max(OpFoldResult a, OpFoldResult b) {
    return affine::makeComposedFoldedAffineMax(builder, loc, both(), {a, b});
  }
  /// `value` where the extent has at least, or at most, `bound` elements, else 0.
  OpFoldResult whereAtLeast(OpFoldResult extent, int64_t bound, OpFoldResult value) {
    return where(arith::CmpIPredicate::sge, extent, bound, value);
  }
  OpFoldResult whereAtMost(OpFoldResult extent, int64_t bound, OpFoldResult value) {
    return where(arith::CmpIPredicate::sle, extent, bound, value);
  }
  Value asValue(OpFoldResult value) { return getValueOrCreateConstantIndexOp(builder, loc, value); }

private:
  AffineMap both() { return AffineMap::getMultiDimIdentityMap(2, builder.getContext()); }
  OpFoldResult where(arith::CmpIPredicate predicate, OpFoldResult extent, int64_t bound,
                     OpFoldResult value) {
    if (std::optional<int64_t> known = getConstantIntValue(extent))
      return arith::applyCmpPredicate(predicate, APInt(64, *known), APInt(64, bound)) ? value
                                                                                      : number(0);
    Value holds =
        arith::CmpIOp::create(builder, loc, predicate, asValue(extent), asValue(number(bound)));
    return arith::SelectOp::create(builder, loc, holds, asValue(value), asValue(number(0)))
        .getResult();
  }

  OpBuilder &builder;
  Location loc;
};

/// The pieces of one size.
struct Run {
  int64_t size = 0, smaller = 0; ///< the size of these pieces, and of the next ones
  bool isLast = false;           ///< no smaller pieces follow
  bool isOne = false; ///< one piece at most, for what larger ones left if it has this very size
  Rest rest = Rest::Overlapped;
  bool areItems = false;     ///< pieces are batches
  OpFoldResult extent, from; ///< the whole extent, and where these pieces begin
  OpFoldResult count;        ///< how many of these pieces there are
};
} // namespace

/// Nothing smaller is left for what the last piece of the smallest size lacks.
static bool overlaps(const Run &run) {
  return run.rest == Rest::Overlapped || (run.rest == Rest::Open && run.isLast);
}

static bool isPadded(const Run &run) {
  return run.rest == Rest::Open ? !run.isLast : run.rest == Rest::Padded && run.isLast;
}

/// How many elements are left to smaller pieces rather than computed by one more that overlaps:
/// many small pieces read the weights as often.
static int64_t mostLeft(const Run &run) {
  if (run.isLast)
    return 0;
  if (run.rest == Rest::Open)
    return run.smaller;
  return run.size <= fewRows ? run.size - 1 : run.size / 4 * 3;
}

static bool isShorter(const Run &run) { return run.rest == Rest::Shorter && run.isLast; }

/// How many elements the last piece of the run may lack.
static int64_t mostLacking(const Run &run) {
  return overlaps(run) || isPadded(run) || isShorter(run) ? run.size - 1 - mostLeft(run) : 0;
}

/// No piece that would have to begin in front of the first element.
static OpFoldResult whereItFits(ExtentBuilder &b, const Run &run, OpFoldResult value) {
  bool beginsEarlier = overlaps(run) && mostLacking(run) > 0;
  return beginsEarlier ? b.whereAtLeast(run.extent, run.size, value) : value;
}

/// Where pieces of this size would end if there were no larger ones. Larger sizes are multiples of
/// this one, so these pieces end there behind larger ones as well. So what an extent means for a
/// size follows from it directly, not from all larger sizes.
static OpFoldResult endOf(ExtentBuilder &b, const Run &run) {
  int64_t mayLack = mostLacking(run);
  OpFoldResult end = b.apply((b.x() + mayLack).floorDiv(run.size) * run.size, {run.extent});
  return whereItFits(b, run, end);
}

static OpFoldResult countOf(ExtentBuilder &b, const Run &run, OpFoldResult end) {
  OpFoldResult left = b.apply(b.x() - b.y(), {run.isOne ? run.extent : end, run.from});
  if (run.isOne)
    return whereItFits(
        b, run,
        b.whereAtMost(left, run.size,
                      b.apply((b.x() + mostLacking(run)).floorDiv(run.size), {left})));
  OpFoldResult count = b.apply(b.x().floorDiv(run.size), {left});
  return isZeroInteger(run.from) ? count : b.max(count, b.number(0));
}

/// The cut of the piece `index` of a run.
static Cut cutOf(ExtentBuilder &b, const Run &run, Value index) {
  OpFoldResult at = b.apply(b.x() + b.y() * run.size, {run.from, index});
  Cut cut{at, b.number(run.size), run.size, run.size};
  if (run.size == 1)
    return cut;
  if (overlaps(run))
    cut.from = b.min(at, b.apply(b.x() - run.size, {run.extent}));
  else if ((isPadded(run) || isShorter(run)) && mostLacking(run) > 0) {
    cut.valid = b.min(b.number(run.size), b.apply(b.x() - b.y(), {run.extent, at}));
    cut.least = run.size - mostLacking(run);
    cut.size = isShorter(run) ? ShapedType::kDynamic : run.size;
  }
  return cut;
}

static SmallVector<Value> loopOverRun(OpBuilder &builder, Location loc, const Run &run,
                                      ValueRange inits, PieceBody body) {
  ExtentBuilder b(builder, loc);
  auto loop = scf::ForOp::create(builder, loc, b.asValue(b.number(0)), b.asValue(run.count),
                                 b.asValue(b.number(1)), inits);
  loop->setAttr(piecesMark, builder.getUnitAttr());
  if (run.areItems)
    loop->setAttr(itemsMark, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Cut cut = cutOf(b, run, loop.getInductionVar());
  SmallVector<Value> values = body(cut, loop.getRegionIterArgs());
  if (inits.empty())
    return {};
  builder.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(builder, loc, values);
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> ucmoh::loopOverPieces(OpBuilder &builder, Location loc, OpFoldResult extent,
                                         const Sizes &sizes, ValueRange inits, PieceBody body) {
  ExtentBuilder b(builder, loc);
  SmallVector<Value> values(inits);
  OpFoldResult reached = b.number(0); // where pieces of the sizes up to here end
  Run run{0, 0, false, false, sizes.rest, sizes.areItems, extent, b.number(0), OpFoldResult()};
  auto addRun = [&] {
    OpFoldResult end = run.isOne ? reached : endOf(b, run);
    run.count = countOf(b, run, end);
    values = loopOverRun(builder, loc, run, values, body);
    reached = isZeroInteger(reached) ? end : b.max(reached, end);
    run.from = b.min(reached, extent);
  };
  if (sizes.fullApart) {
    run.size = sizes.sizes.front();
    run.rest = Rest::Exact;
    addRun();
    run.rest = sizes.rest;
  }
  for (auto [index, size] : llvm::enumerate(sizes.sizes)) {
    run.isOne |= index > 0 && run.size % size != 0;
    run.size = size;
    run.isLast = size == sizes.sizes.back();
    run.smaller = run.isLast ? 0 : sizes.sizes[index + 1];
    addRun();
  }
  return values;
}
