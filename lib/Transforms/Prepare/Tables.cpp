//===- Tables.cpp - Functions of 8 bits are looked up
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In quantized networks an activation function such as GELU begins and ends with a quantization.
/// What it makes of the 256 values in between is computed once, as the program's weights are
/// packed, by the very ops that would have computed it for each element.
///
//===----------------------------------------------------------------------===//

#include "../Network/Rest.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <numeric>

using namespace mlir;
using namespace ucmoh;

/// Elements of a result for which a table pays.
static constexpr int64_t fewestElements = 4096;

bool ucmoh::isCostly(Operation *op) {
  return isa<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::FloorOp,
              math::FmaOp, math::RoundEvenOp, math::RoundOp, math::SqrtOp, math::TruncOp>(op);
}

namespace {
/// The part of a body that computes one of its values from one of 8 bits.
class NarrowFunction {
public:
  NarrowFunction(linalg::GenericOp op, Value narrow, Value result)
      : op(op), narrow(narrow), result(result) {
    isClosed = add(result);
  }

  /// Whether the result follows from the value alone, and takes many instructions.
  bool isWorthATable() const { return isClosed && hasCostlyOp; }
  /// Whether it takes so few, such as a dequantization, that each reader may compute it.
  bool isCheap() const { return isClosed && !hasCostlyOp && ops.size() <= mostOpsOfReaders; }
  Value getNarrow() const { return narrow; }
  Type getType() const { return result.getType(); }
  /// Computes the result from `argument` instead.
  Value clone(OpBuilder &builder, Value argument) const;

private:
  bool add(Value value);

  linalg::GenericOp op;
  Value narrow, result;
  DenseSet<Operation *> ops;
  bool isClosed = false, hasCostlyOp = false;
};
} // namespace

bool NarrowFunction::add(Value value) {
  Operation *from = value.getDefiningOp();
  if (value == narrow || value.getParentBlock() != op.getBody() || ops.contains(from))
    return true;
  if (!from || !isPure(from) || from->getNumRegions() || isa<linalg::IndexOp>(from))
    return false;
  ops.insert(from);
  hasCostlyOp |= isCostly(from);
  return llvm::all_of(from->getOperands(), [&](Value operand) { return add(operand); });
}

Value NarrowFunction::clone(OpBuilder &builder, Value argument) const {
  IRMapping mapping;
  mapping.map(narrow, argument);
  for (Operation &inner : linalg::GenericOp(op).getBody()->without_terminator())
    if (ops.contains(&inner))
      builder.clone(inner, mapping);
  return mapping.lookupOrDefault(result);
}

static Value resultOf(linalg::GenericOp op) { return op.getBody()->getTerminator()->getOperand(0); }

/// The body's values of 8 bits, the last one first.
static SmallVector<Value> narrowValues(linalg::GenericOp op) {
  SmallVector<Value> values(op.getBody()->getArguments());
  for (Operation &inner : op.getBody()->without_terminator())
    llvm::append_range(values, inner.getResults());
  llvm::erase_if(values, [](Value value) { return !value.getType().isInteger(8); });
  std::reverse(values.begin(), values.end());
  return values;
}

/// From the last value of 8 bits on that allows it.
static std::optional<NarrowFunction> findNarrowFunction(linalg::GenericOp op, Value result) {
  for (Value value : narrowValues(op))
    if (NarrowFunction function(op, value, result); function.isWorthATable())
      return function;
  return std::nullopt;
}

/// What the op computes from a quantized result of an activation function, such as its value as a
/// float: a table of bytes and this take less time than a table of floats.
static std::optional<NarrowFunction> findTail(linalg::GenericOp op) {
  Value result = resultOf(op);
  if (result.getType().isInteger(8))
    return std::nullopt;
  for (Value value : narrowValues(op))
    if (NarrowFunction tail(op, value, result);
        tail.isCheap() && !isa<BlockArgument>(value) && findNarrowFunction(op, value))
      return tail;
  return std::nullopt;
}

/// The results for all 256 values, the value that is 0 first.
static Value createTable(OpBuilder &builder, linalg::GenericOp op, const NarrowFunction &function) {
  Location loc = op.getLoc();
  SmallVector<int8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), 0);
  auto type = RankedTensorType::get({256}, builder.getI8Type());
  Value all = arith::ConstantOp::create(builder, loc,
                                        DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), function.getType());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(1));
  return linalg::GenericOp::create(builder, loc, empty.getType(), all, empty, maps,
                                   utils::IteratorType::parallel,
                                   [&](OpBuilder &b, Location at, ValueRange arguments) {
                                     Value result = function.clone(b, arguments[0]);
                                     linalg::YieldOp::create(b, at, result);
                                   })
      .getResult(0);
}

/// The op up to a value of 8 bits, which becomes its result.
static Value createNarrow(RewriterBase &rewriter, linalg::GenericOp op, Value narrow) {
  auto shape = tensor::getMixedSizes(rewriter, op.getLoc(), op.getDpsInits()[0]);
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape, narrow.getType());
  IRMapping mapping;
  auto made =
      linalg::GenericOp::create(rewriter, op.getLoc(), empty.getType(), op.getDpsInputs(), empty,
                                op.getIndexingMapsArray(), op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), made.getRegion(), made.getRegion().end(), mapping);
  Block *body = made.getBody();
  body->getArguments().back().setType(narrow.getType());
  body->getTerminator()->setOperand(0, mapping.lookup(narrow));
  return made.getResult(0);
}

/// Reads the table at each element of `index`.
static Value createLookup(OpBuilder &builder, linalg::GenericOp op, Value index, AffineMap map,
                          Value table) {
  auto body = [&](OpBuilder &b, Location at, ValueRange arguments) {
    Value place = arith::IndexCastUIOp::create(b, at, b.getIndexType(), arguments[0]);
    Value result = tensor::ExtractOp::create(b, at, table, place);
    linalg::YieldOp::create(b, at, result);
  };
  auto shape = tensor::getMixedSizes(builder, op.getLoc(), op.getDpsInits()[0]);
  Value empty =
      tensor::EmptyOp::create(builder, op.getLoc(), shape, getElementTypeOrSelf(table.getType()));
  SmallVector<AffineMap> maps = {map, op.getMatchingIndexingMap(op.getDpsInitOperand(0))};
  return linalg::GenericOp::create(builder, op.getLoc(), empty.getType(), index, empty, maps,
                                   op.getIteratorTypesArray(), body)
      .getResult(0);
}

/// The op's elements by a table of what the function makes of 256 values.
static Value lookUp(RewriterBase &rewriter, linalg::GenericOp op, const NarrowFunction &function) {
  Value table = createTable(rewriter, op, function);
  if (auto argument = dyn_cast<BlockArgument>(function.getNarrow())) {
    OpOperand *index = op.getMatchingOpOperand(argument);
    return createLookup(rewriter, op, index->get(), op.getMatchingIndexingMap(index), table);
  }
  Value index = createNarrow(rewriter, op, function.getNarrow());
  return createLookup(rewriter, op, index, op.getMatchingIndexingMap(op.getDpsInitOperand(0)),
                      table);
}

/// Lets each reader compute the rest from bytes, so that it merges with what it does itself.
static void computeTails(RewriterBase &rewriter, linalg::GenericOp op, Value bytes,
                         const NarrowFunction &tail) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    auto made = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), bytes, op.getDpsInits(), {map, map},
        op.getIteratorTypesArray(), [&](OpBuilder &b, Location at, ValueRange arguments) {
          linalg::YieldOp::create(b, at, tail.clone(b, arguments[0]));
        });
    rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(made.getResult(0)); });
  }
  rewriter.eraseOp(op);
}

namespace {
struct LookUp : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (op.getNumReductionLoops() || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
        !op.getRegionOutputArgs()[0].use_empty() ||
        llvm::product_of(typicalExtents(op)) < fewestElements)
      return failure();
    std::optional<NarrowFunction> tail = findTail(op);
    std::optional<NarrowFunction> function =
        findNarrowFunction(op, tail ? tail->getNarrow() : resultOf(op));
    if (!function)
      return failure();
    Value found = lookUp(rewriter, op, *function);
    if (tail)
      computeTails(rewriter, op, found, *tail);
    else
      rewriter.replaceOp(op, found);
    return success();
  }
};
} // namespace

void ucmoh::populateTablePatterns(RewritePatternSet &patterns) {
  patterns.add<LookUp>(patterns.getContext());
}
