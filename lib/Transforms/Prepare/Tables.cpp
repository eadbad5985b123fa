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

/// Whether an op takes many instructions, and a lookup few.
static bool isCostly(Operation *op) {
  return isa<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::FloorOp,
              math::FmaOp, math::RoundEvenOp, math::RoundOp, math::SqrtOp, math::TruncOp>(op);
}

namespace {
/// The part of a body that computes what it yields from one value of 8 bits.
class NarrowFunction {
public:
  NarrowFunction(linalg::GenericOp op, Value narrow) : op(op), narrow(narrow) {
    isClosed = add(op.getBody()->getTerminator()->getOperand(0));
  }

  /// Whether the result follows from the value alone, and takes many instructions.
  bool isWorthATable() const { return isClosed && hasCostlyOp; }
  Value getNarrow() const { return narrow; }
  /// Computes the result from `argument` instead.
  Value clone(OpBuilder &builder, Value argument);

private:
  bool add(Value value);

  linalg::GenericOp op;
  Value narrow;
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

Value NarrowFunction::clone(OpBuilder &builder, Value argument) {
  IRMapping mapping;
  mapping.map(narrow, argument);
  for (Operation &inner : op.getBody()->without_terminator())
    if (ops.contains(&inner))
      builder.clone(inner, mapping);
  return mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0));
}

/// From the last value of 8 bits on that allows it.
static std::optional<NarrowFunction> findNarrowFunction(linalg::GenericOp op) {
  SmallVector<Value> values(op.getBody()->getArguments());
  for (Operation &inner : op.getBody()->without_terminator())
    llvm::append_range(values, inner.getResults());
  for (Value value : llvm::reverse(values))
    if (value.getType().isInteger(8))
      if (NarrowFunction function(op, value); function.isWorthATable())
        return function;
  return std::nullopt;
}

/// The results for all 256 values, the value that is 0 first.
static Value createTable(OpBuilder &builder, linalg::GenericOp op, NarrowFunction &function) {
  Location loc = op.getLoc();
  SmallVector<int8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), 0);
  auto type = RankedTensorType::get({256}, builder.getI8Type());
  Value all = arith::ConstantOp::create(builder, loc,
                                        DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        getElementTypeOrSelf(op->getResult(0)));
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(1));
  return linalg::GenericOp::create(builder, loc, empty.getType(), all, empty, maps,
                                   utils::IteratorType::parallel,
                                   [&](OpBuilder &b, Location at, ValueRange arguments) {
                                     Value result = function.clone(b, arguments[0]);
                                     linalg::YieldOp::create(b, at, result);
                                   })
      .getResult(0);
}

/// The op up to the value of 8 bits, which becomes its result.
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
static linalg::GenericOp createLookup(OpBuilder &builder, linalg::GenericOp op, Value index,
                                      AffineMap map, Value table) {
  auto body = [&](OpBuilder &b, Location at, ValueRange arguments) {
    Value place = arith::IndexCastUIOp::create(b, at, b.getIndexType(), arguments[0]);
    Value result = tensor::ExtractOp::create(b, at, table, place);
    linalg::YieldOp::create(b, at, result);
  };
  SmallVector<AffineMap> maps = {map, op.getMatchingIndexingMap(op.getDpsInitOperand(0))};
  return linalg::GenericOp::create(builder, op.getLoc(), op->getResultTypes(), index,
                                   op.getDpsInits(), maps, op.getIteratorTypesArray(), body);
}

namespace {
struct LookUp : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (op.getNumReductionLoops() || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
        !op.getRegionOutputArgs()[0].use_empty() ||
        llvm::product_of(typicalExtents(op)) < fewestElements)
      return failure();
    std::optional<NarrowFunction> function = findNarrowFunction(op);
    if (!function)
      return failure();
    Value table = createTable(rewriter, op, *function);
    OpOperand *init = op.getDpsInitOperand(0);
    Value index;
    AffineMap map = op.getMatchingIndexingMap(init);
    if (auto argument = dyn_cast<BlockArgument>(function->getNarrow())) {
      index = op.getMatchingOpOperand(argument)->get();
      map = op.getMatchingIndexingMap(op.getMatchingOpOperand(argument));
    } else {
      index = createNarrow(rewriter, op, function->getNarrow());
    }
    rewriter.replaceOp(op, createLookup(rewriter, op, index, map, table));
    return success();
  }
};
} // namespace

void ucmoh::populateTablePatterns(RewritePatternSet &patterns) {
  patterns.add<LookUp>(patterns.getContext());
}
