//===- QuantizedFactor.cpp - Operands of products that were dequantized
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/QuantizedFactor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Numbers that are known
//===----------------------------------------------------------------------===//

static std::optional<int64_t> integerOf(Attribute constant) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(constant))
    return integer.getValue().getSExtValue();
  auto number = dyn_cast_or_null<FloatAttr>(constant);
  if (!number || !number.getValue().isInteger())
    return std::nullopt;
  return static_cast<int64_t>(number.getValueAsDouble());
}

/// The integer that a formula is for all elements.
static std::optional<int64_t> constantOf(const FormulaRef &formula) {
  Attribute constant;
  if (formula->kind == Formula::Constant && matchPattern(formula->value, m_Constant(&constant)))
    return integerOf(constant);
  if (formula->kind == Formula::Element && matchPattern(formula->value, m_Constant(&constant)))
    if (auto splat = dyn_cast<SplatElementsAttr>(constant))
      return integerOf(splat.getSplatValue<Attribute>());
  Operation *op = formula->kind == Formula::Compute ? formula->value.getDefiningOp() : nullptr;
  if (isa_and_nonnull<arith::ExtSIOp, arith::SIToFPOp>(op))
    return constantOf(formula->operands[0]);
  return std::nullopt;
}

std::optional<int64_t> QuantizedFactor::constantZero() const {
  return zero ? constantOf(zero) : std::optional<int64_t>(0);
}

ElementRange QuantizedFactor::range() const {
  ElementRange bytes = isUnsigned ? ElementRange{0, 255} : ElementRange{-128, 127};
  std::optional<int64_t> known = constantZero();
  return {bytes.low - known.value_or(bytes.high), bytes.high - known.value_or(bytes.low)};
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// Whether an op gives a tensor of static shape another order or other dims.
static bool rearranges(Operation *op) {
  return isa_and_nonnull<linalg::TransposeOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) &&
         cast<ShapedType>(op->getResult(0).getType()).hasStaticShape();
}

/// The op that only moves elements of one tensor, which is its first operand; null if it is another
/// one.
static Operation *findMove(Value tensor, bool withRearranged) {
  Operation *op = tensor.getDefiningOp();
  if (rearranges(op))
    return withRearranged ? op : nullptr;
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op))
    return pad.getConstantPaddingValue() &&
                   matchPattern(pad.getConstantPaddingValue(), m_AnyZeroFloat())
               ? op
               : nullptr;
  if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op))
    return insert.getSourceType().getRank() == insert.getType().getRank() &&
                   isZeroTensor(insert.getDest())
               ? op
               : nullptr;
  auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op);
  return slice && slice.getSourceType().getRank() == slice.getType().getRank() ? op : nullptr;
}

//===----------------------------------------------------------------------===//
// (integer - zero) * scale
//===----------------------------------------------------------------------===//

namespace {
/// Takes a formula over the dims of a tensor apart.
class Matcher {
public:
  /// `shared` has the dims that a scale may depend on.
  explicit Matcher(llvm::SmallBitVector shared) : shared(std::move(shared)) {}

  bool match(const FormulaRef &formula);

  FormulaRef integer, zero, scale;
  bool isUnsigned = false;

private:
  bool matchInteger(const FormulaRef &formula);
  bool takeZero(const FormulaRef &formula);
  bool isShared(const FormulaRef &formula) const;

  llvm::SmallBitVector shared;
};
} // namespace

static Operation *definitionOf(const FormulaRef &formula) {
  return formula->kind == Formula::Compute ? formula->value.getDefiningOp() : nullptr;
}

bool Matcher::isShared(const FormulaRef &formula) const {
  bool all = true;
  forEachElement(formula, [&](const Formula &element) {
    for (AffineExpr expr : element.index)
      for (unsigned dim = 0; dim < shared.size(); ++dim)
        all &= shared.test(dim) || !expr.isFunctionOfDim(dim);
  });
  return all;
}

/// A zero point is one integer for all elements.
bool Matcher::takeZero(const FormulaRef &formula) {
  bool isOne = true;
  forEachElement(formula, [&](const Formula &element) {
    isOne &=
        llvm::all_of(element.index, [](AffineExpr expr) { return expr.isSymbolicOrConstant(); });
  });
  bool isKnown = constantOf(formula).has_value();
  if (zero || scale || (!isKnown && (!isOne || !formula->getType().isInteger())))
    return false;
  zero = formula;
  return true;
}

bool Matcher::matchInteger(const FormulaRef &formula) {
  Operation *op = definitionOf(formula);
  if (auto sub = dyn_cast_or_null<arith::SubIOp>(op))
    return sub.getType().getIntOrFloatBitWidth() >= 16 && // a difference of bytes may wrap
           matchInteger(formula->operands[0]) && takeZero(formula->operands[1]);
  if (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op)) {
    isUnsigned = isa<arith::ExtUIOp>(op);
    return matchInteger(formula->operands[0]);
  }
  integer = formula;
  return formula->kind == Formula::Element && formula->getType().isInteger(8);
}

bool Matcher::match(const FormulaRef &formula) {
  Operation *op = definitionOf(formula);
  if (isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    isUnsigned = isa<arith::UIToFPOp>(op);
    return matchInteger(formula->operands[0]);
  }
  if (isa_and_nonnull<arith::SubFOp>(op))
    return match(formula->operands[0]) && takeZero(formula->operands[1]);
  if (!isa_and_nonnull<arith::MulFOp>(op))
    return false;
  bool isFirst = isShared(formula->operands[0]);
  if (isFirst == isShared(formula->operands[1]) || !match(formula->operands[isFirst]))
    return false;
  scale = combine(Formula::Mul, scale, formula->operands[!isFirst]);
  return true;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// The dims of an operand as loops of the product: 0 where there is one element only.
static AffineMap mapSharedDims(linalg::LinalgOp product, OpOperand &input) {
  AffineMap map = product.getMatchingIndexingMap(&input);
  SmallVector<AffineExpr> loops(map.getResults());
  for (auto [dim, extent] : llvm::enumerate(cast<ShapedType>(input.get().getType()).getShape()))
    if (extent == 1)
      loops[dim] = getAffineConstantExpr(0, map.getContext());
  return AffineMap::get(map.getNumDims(), 0, loops, map.getContext());
}

/// Dims that `loops` says are a parallel loop or none, and of the same extent in `source` and in
/// the operand, so that no move changes them.
static llvm::SmallBitVector findSharedDims(linalg::LinalgOp product, OpOperand &input,
                                           AffineMap loops, Value source) {
  ArrayRef<int64_t> from = cast<ShapedType>(source.getType()).getShape(),
                    to = cast<ShapedType>(input.get().getType()).getShape();
  llvm::SmallBitVector shared(loops.getNumResults());
  for (auto [dim, expr] : llvm::enumerate(loops.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    bool isParallel = loop && product.getIteratorTypesArray()[loop.getPosition()] ==
                                  utils::IteratorType::parallel;
    shared[dim] = from[dim] == to[dim] && (isParallel || isa<AffineConstantExpr>(expr));
  }
  return shared;
}

/// The same formula over the loops of a product, the dims being `map` of them.
static FormulaRef overLoops(const FormulaRef &formula, AffineMap map) {
  if (!formula)
    return {};
  Formula made = *formula;
  for (AffineExpr &expr : made.index)
    expr = simplifyAffineExpr(expr.replaceDims(map.getResults()), map.getNumDims(), 0);
  for (FormulaRef &operand : made.operands)
    operand = overLoops(operand, map);
  return std::make_shared<Formula>(made);
}

static bool isBytes(Value tensor) { return getElementTypeOrSelf(tensor).isInteger(8); }

/// The expression without divisions by what is larger than dims of these extents can be.
static AffineExpr simplifyWithin(AffineExpr expr, ArrayRef<int64_t> extents) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = simplifyWithin(binary.getLHS(), extents);
  auto rhs = dyn_cast<AffineConstantExpr>(binary.getRHS());
  SmallVector<std::optional<int64_t>> least(extents.size(), 0), most;
  for (int64_t extent : extents)
    most.push_back(extent - 1);
  std::optional<int64_t> bound =
      getBoundForAffineExpr(lhs, extents.size(), 0, least, most, /*isUpper=*/true);
  bool isSmall = rhs && bound && *bound < rhs.getValue();
  if (isSmall && expr.getKind() == AffineExprKind::FloorDiv)
    return getAffineConstantExpr(0, expr.getContext());
  if (isSmall && expr.getKind() == AffineExprKind::Mod)
    return lhs;
  return getAffineBinaryOpExpr(expr.getKind(), lhs, simplifyWithin(binary.getRHS(), extents));
}

/// Whether each index of a tensor is 0, or one dim whose extent is that of the tensor: a slice from
/// 0 on has the same indices as the whole.
static bool takesWhole(AffineMap index, ArrayRef<int64_t> extents, Value tensor) {
  return llvm::all_of(
      llvm::zip_equal(index.getResults(), cast<ShapedType>(tensor.getType()).getShape()),
      [&](auto pair) {
        auto dim = dyn_cast<AffineDimExpr>(std::get<0>(pair));
        return dim ? extents[dim.getPosition()] == std::get<1>(pair)
                   : isa<AffineConstantExpr>(std::get<0>(pair));
      });
}

/// The factor behind so many moves; nothing if it is none, or if its integers or scales lie in
/// another way than what the moves are of.
static std::optional<QuantizedFactor> matchBehind(linalg::LinalgOp product, OpOperand &input,
                                                  ArrayRef<Operation *> moves) {
  Value source = moves.empty() ? input.get() : moves.back()->getOperand(0);
  auto type = cast<RankedTensorType>(source.getType());
  MLIRContext *context = product.getContext();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(type.getRank(), context);
  FormulaRef element = traceElement(source, identity.getResults(), isBytes);
  bool isRearranged = llvm::any_of(moves, rearranges);
  AffineMap loops = mapSharedDims(product, input);
  Matcher matcher(isRearranged ? llvm::SmallBitVector(type.getRank())
                               : findSharedDims(product, input, loops, source));
  if (!element || !matcher.match(element))
    return std::nullopt;
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : matcher.integer->index)
    exprs.push_back(simplifyWithin(expr, type.getShape()));
  AffineMap index = AffineMap::get(type.getRank(), 0, exprs, context);
  if (!takesWhole(index, type.getShape(), matcher.integer->value) ||
      (!moves.empty() && !index.isIdentity()))
    return std::nullopt;
  AffineMap map = product.getMatchingIndexingMap(&input);
  return QuantizedFactor{matcher.integer->value,
                         moves.empty() ? index.compose(map) : map,
                         matcher.isUnsigned,
                         matcher.zero,
                         isRearranged ? matcher.scale : overLoops(matcher.scale, loops),
                         llvm::to_vector(moves)};
}

std::optional<QuantizedFactor> ucmoh::findQuantizedFactor(linalg::LinalgOp product,
                                                          OpOperand &input) {
  for (bool withRearranged : {false, true}) {
    SmallVector<Operation *> moves;
    Value source = input.get();
    while (Operation *move = findMove(source, withRearranged)) {
      moves.push_back(move);
      source = move->getOperand(0);
    }
    if (auto factor = matchBehind(product, input, moves))
      return factor;
  }
  return std::nullopt;
}
