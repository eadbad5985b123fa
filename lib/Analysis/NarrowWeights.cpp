//===- NarrowWeights.cpp - Products with weights of few bits, and scales for groups of them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/NarrowWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace ucmoh;

/// Formulas are over these two.
static constexpr unsigned columnVariable = 0, stepVariable = 1;

/// Groups are whole numbers of the steps that lie side by side in registers.
static constexpr int64_t groupUnit = 16;

//===----------------------------------------------------------------------===//
// integer * scale + offset
//===----------------------------------------------------------------------===//

/// Whether the number is the same for a group of steps.
static bool isOfGroup(const FormulaRef &formula) {
  return runOfEqual(formula, stepVariable) % groupUnit == 0;
}

static Operation *definitionOf(const FormulaRef &formula) {
  return formula->kind == Formula::Compute ? formula->value.getDefiningOp() : nullptr;
}

/// An integer from which a zero point may be subtracted.
static Dequantization splitInteger(const FormulaRef &formula, bool isUnsigned) {
  auto sub = dyn_cast_or_null<arith::SubIOp>(definitionOf(formula));
  Dequantization whole{formula, isUnsigned, {}, {}};
  if (!sub || sub.getType().getIntOrFloatBitWidth() < 16) // a difference of bytes may wrap
    return whole;
  FormulaRef integer = formula->operands[0], zero = formula->operands[1];
  if (zero->kind == Formula::Constant || !isOfGroup(zero) || isOfGroup(integer))
    return whole;
  return {integer, /*isUnsigned=*/false, {}, combine(Formula::Sub, {}, zero)};
}

namespace {
/// One of two numbers: the larger or the smaller one.
struct Limit {
  FormulaRef limited;
  Value limit;
  bool isLeast; ///< the result is at least `limit`
};
} // namespace

/// max(x, limit) or min(x, limit), perhaps as a comparison and a selection.
static std::optional<Limit> matchLimit(const FormulaRef &formula) {
  Operation *definition = definitionOf(formula);
  if (isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(definition))
    return Limit{formula->operands[0], definition->getOperand(1), true};
  if (isa_and_nonnull<arith::MinimumFOp, arith::MinNumFOp>(definition))
    return Limit{formula->operands[0], definition->getOperand(1), false};
  auto select = dyn_cast_or_null<arith::SelectOp>(definition);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  if (!compare || compare.getLhs() != select.getFalseValue() ||
      compare.getRhs() != select.getTrueValue())
    return std::nullopt;
  using Predicate = arith::CmpFPredicate;
  bool isLess = llvm::is_contained({Predicate::ULT, Predicate::OLT}, compare.getPredicate());
  if (!isLess && !llvm::is_contained({Predicate::UGT, Predicate::OGT}, compare.getPredicate()))
    return std::nullopt;
  return Limit{formula->operands[2], select.getTrueValue(), isLess};
}

/// The bounds of a float that was rounded and limited.
static std::optional<std::pair<double, double>> boundRounded(const FormulaRef &formula) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp>(
          definitionOf(formula)))
    return std::pair(-infinity, infinity);
  std::optional<Limit> limit = matchLimit(formula);
  auto bounds = limit ? boundRounded(limit->limited) : std::nullopt;
  APFloat number(0.0f);
  if (!bounds || !matchPattern(limit->limit, m_ConstantFloat(&number)) || !number.isInteger())
    return std::nullopt;
  (limit->isLeast ? bounds->first : bounds->second) = number.convertToDouble();
  return bounds;
}

static std::optional<Dequantization> split(const FormulaRef &formula);

/// One operand of arithmetic is of a group, the other one stands for an integer.
static std::optional<Dequantization> splitArithmetic(Formula::Kind kind, const FormulaRef &a,
                                                     const FormulaRef &b) {
  bool commutes = kind == Formula::Mul || kind == Formula::Add;
  if (commutes && isOfGroup(a) && !isOfGroup(b))
    return splitArithmetic(kind, b, a);
  std::optional<Dequantization> inner =
      isOfGroup(b) && !isOfGroup(a) ? split(a) : std::optional<Dequantization>();
  if (!inner)
    return std::nullopt;
  if (kind == Formula::Mul || kind == Formula::Div) {
    inner->scale = combine(kind, inner->scale, b);
    if (inner->offset)
      inner->offset = combine(kind, inner->offset, b);
  } else {
    inner->offset = combine(kind, inner->offset, b);
  }
  return inner;
}

/// Roundings between the integer and the result are left out: they are those of the steps that
/// a kernel does not take.
static std::optional<Dequantization> split(const FormulaRef &formula) {
  using Result = std::optional<Dequantization>;
  Operation *definition = definitionOf(formula);
  if (!definition)
    return std::nullopt;
  if (boundRounded(formula)) // what quantizes and dequantizes need not convert between
    return Dequantization{formula, /*isUnsigned=*/false, {}, {}};
  ArrayRef<FormulaRef> operands = formula->operands;
  auto arithmetic = [&](Formula::Kind kind) {
    return splitArithmetic(kind, operands[0], operands[1]);
  };
  return llvm::TypeSwitch<Operation *, Result>(definition)
      .Case<arith::SIToFPOp, arith::UIToFPOp>([&](Operation *conversion) {
        return splitInteger(operands[0], isa<arith::UIToFPOp>(conversion));
      })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return split(operands[0]); })
      .Case<arith::MulFOp>([&](auto) { return arithmetic(Formula::Mul); })
      .Case<arith::DivFOp>([&](auto) { return arithmetic(Formula::Div); })
      .Case<arith::AddFOp>([&](auto) { return arithmetic(Formula::Add); })
      .Case<arith::SubFOp>([&](auto) { return arithmetic(Formula::Sub); })
      .Default(Result());
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// The one dim of the role that has more than one step, or any one of it; none if several have.
static std::optional<unsigned> onlyDim(const Workload &workload, DimRole role) {
  std::optional<unsigned> found;
  for (unsigned dim : workload.dimsOf(role)) {
    if (found && workload.dims[*found].extent > 1 && workload.dims[dim].extent > 1)
      return std::nullopt;
    if (!found || workload.dims[dim].extent > 1)
      found = dim;
  }
  return found;
}

/// The formula of an operand's element over (row or column, step).
static FormulaRef traceOperand(const Workload &workload, const Operand &operand, unsigned outer,
                               unsigned step) {
  MLIRContext *context = operand.map.getContext();
  SmallVector<AffineExpr> dims(workload.dims.size(), getAffineConstantExpr(0, context));
  dims[outer] = getAffineDimExpr(columnVariable, context);
  dims[step] = getAffineDimExpr(stepVariable, context);
  SmallVector<AffineExpr> index;
  for (AffineExpr expr : operand.map.getResults())
    index.push_back(expr.replaceDims(dims));
  return traceElement(operand.value, index);
}

static bool isConstant(const FormulaRef &formula) {
  bool constant = true;
  forEachElement(formula,
                 [&](const Formula &element) { constant &= dependsOnWeightsAlone(element.value); });
  return constant;
}

/// The range of the integers, if it is one of 8 bits.
static std::optional<ElementRange> boundInteger(const Dequantization &weights) {
  Type type = weights.integer->getType();
  ElementRange range{0, 0};
  if (auto rounded = boundRounded(weights.integer)) {
    if (rounded->first < -128 || rounded->second > 255)
      return std::nullopt;
    range = {static_cast<int64_t>(rounded->first), static_cast<int64_t>(rounded->second)};
  } else if (type.isInteger() && type.getIntOrFloatBitWidth() <= 32) {
    range = boundExactly(weights.integer->value, weights.isUnsigned);
  } else {
    return std::nullopt;
  }
  bool fits = range.high - range.low < 16 || (range.low >= -128 && range.high <= 127) ||
              (range.low >= 0 && range.high <= 255);
  return fits ? std::optional(range) : std::nullopt;
}

static bool isOneLoop(const Nest &nest) {
  auto isOne = [](const Nest::Group &group) { return group.extent == 1; };
  return llvm::all_of(nest.batch, isOne) && llvm::all_of(nest.outerM, isOne) &&
         llvm::all_of(nest.outerN, isOne) && llvm::all_of(nest.outerK, isOne);
}

/// Whether rows are integers as well.
static void findQuantized(NarrowProduct &product) {
  const Workload &workload = product.workload;
  std::optional<unsigned> m = onlyDim(workload, DimRole::M), k = onlyDim(workload, DimRole::K);
  FormulaRef element = m ? traceOperand(workload, workload.lhs, *m, *k) : FormulaRef();
  std::optional<Dequantization> lhs = element ? split(element) : std::nullopt;
  bool isPerRow = lhs && runOfEqual(lhs->scale, stepVariable) == 0 &&
                  runOfEqual(lhs->offset, stepVariable) == 0;
  if (!lhs || (lhs->offset && !isPerRow) || product.steps() % product.weights.group != 0 ||
      product.weights.group % groupUnit != 0 ||
      runOfEqual(lhs->scale, stepVariable) % product.weights.group != 0)
    return;
  if (std::optional<ElementRange> range = boundInteger(*lhs)) {
    product.quantized = *lhs;
    product.quantizedRange = *range;
  }
}

std::optional<NarrowProduct> ucmoh::findNarrowProduct(const Workload &workload) {
  std::optional<unsigned> n = onlyDim(workload, DimRole::N), k = onlyDim(workload, DimRole::K);
  if (!n || !k || workload.isConvolution || !workload.rhs.isConstant ||
      workload.rhs.type.isInteger() || workload.lhs.type.isInteger())
    return std::nullopt;
  NarrowProduct product;
  product.workload = workload;
  product.nest = buildNest(workload, Packing::None, Packing::Prepacked);
  if (!isOneLoop(product.nest))
    return std::nullopt;
  FormulaRef element = traceOperand(workload, workload.rhs, *n, *k);
  std::optional<Dequantization> weights = element ? split(element) : std::nullopt;
  if (!weights || !isConstant(element))
    return std::nullopt;
  product.weights = *weights;
  product.weights.group =
      std::gcd(runOfEqual(weights->scale, stepVariable), runOfEqual(weights->offset, stepVariable));
  if (product.weights.group == 0 || product.weights.group >= product.steps())
    product.weights.group = product.steps();
  std::optional<ElementRange> range = boundInteger(product.weights);
  if (!range)
    return std::nullopt;
  product.range = *range;
  findQuantized(product);
  return product;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The type of 8 bits that holds the range.
static ElementType byteOf(ElementRange range) {
  return {range.low < 0 ? ElementType::SignedInt : ElementType::UnsignedInt, 8};
}

/// As many bits as the mantissa of f32 has.
static constexpr int64_t piecesOfRows = 3;

bool NarrowProduct::canSplitRows() const {
  constexpr int64_t largestProduct = 128 * 255;
  return !quantized && weights.group <= std::numeric_limits<int32_t>::max() / (2 * largestProduct);
}

void NarrowProduct::multiplyAs(ElementType lhs) {
  if (!lhs.isInteger())
    quantized.reset();
  pieces = lhs.isInteger() && canSplitRows() ? piecesOfRows : 1;
}

Workload NarrowProduct::multiplied() const {
  Workload result = workload;
  if (!multipliesIntegers())
    return result;
  result.lhs.range = quantized ? quantizedRange : ElementRange{-128, 127};
  result.lhs.type = byteOf(*result.lhs.range);
  result.rhs.range = bits() == 4 ? ElementRange{0, 15} : range;
  result.rhs.type = byteOf(*result.rhs.range);
  result.acc.type = {ElementType::SignedInt, 32};
  return result;
}

/// With more rows, a buffer of unpacked weights costs less than unpacking each for several rows.
static constexpr int64_t mostStreamedRows = 4;

bool NarrowProduct::streamsWeights() const {
  return multipliesIntegers() || rows() <= mostStreamedRows;
}

int64_t NarrowProduct::streamedRows(const Candidate &candidate) const {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  int64_t fragments = candidate.tileN / intrinsic.n;
  // The weights, their other half where two share a byte, elements of rows, scales and a constant.
  int64_t others = fragments * (bits() == 4 ? 2 : 1) + 4;
  int64_t most = (intrinsic.registerCount - others) / ((pieces + 1) * fragments);
  if (most <= 0)
    return 0;
  most = std::min(most, rows());
  return llvm::divideCeil(rows(), llvm::divideCeil(rows(), most)); // equal tiles
}

bool NarrowProduct::hasRowScales() const {
  return quantized && runOfEqual(quantized->scale, stepVariable) == 0;
}

bool NarrowProduct::multipliesTiles(const Intrinsic &intrinsic) {
  IntrinsicOp op = intrinsic.op;
  return intrinsic.m > 1 && intrinsic.subgroupSize == 1 && !intrinsic.isStaged &&
         !isa<VectorType>(op.getFragmentType(Role::acc));
}

/// Whether sums of a group are those of whole executions.
static bool takesTiles(const Intrinsic &intrinsic, const NarrowProduct &product) {
  return NarrowProduct::multipliesTiles(intrinsic) && product.quantized &&
         product.weights.group % intrinsic.k == 0;
}

static bool takesVectors(const Candidate &candidate, const NarrowProduct &product) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  IntrinsicOp op = intrinsic.op;
  return intrinsic.m == 1 && intrinsic.subgroupSize == 1 &&
         isa<VectorType>(op.getFragmentType(Role::acc)) && intrinsic.kInterleave == intrinsic.k &&
         (!product.streamsWeights() || product.streamedRows(candidate) > 0);
}

bool ucmoh::readsNarrowWeights(const Candidate &candidate, const NarrowProduct &product) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  Workload multiplied = product.multiplied();
  int64_t stepsPerByte = intrinsic.kInterleave * (8 / product.bits());
  return (takesVectors(candidate, product) || takesTiles(intrinsic, product)) &&
         candidate.packRhs == Packing::Prepacked && groupUnit % stepsPerByte == 0 &&
         intrinsic.acc == multiplied.acc.type && signShift(multiplied.lhs.type, intrinsic.lhs) == 0;
}

/// A conversion, or a product of floats.
static constexpr double scalingCycles = .5;
/// Integers of a vector are taken out of bytes and converted, once for all rows of a tile.
static constexpr double unpackingCycles = 1;

/// Cycles of one execution in a register tile of so many rows, with all that it waits for: results
/// of earlier executions, and loads of both sides, which share the ways to the cache.
static double cyclesPerExecution(const Intrinsic &intrinsic, int64_t rows, int64_t fragments,
                                 const Machine &machine) {
  double broadcastBytes = intrinsic.n * intrinsic.k * intrinsic.lhs.bits / 8,
         loadBytes = intrinsic.n * intrinsic.k * intrinsic.rhs.bits / 8;
  double loads = broadcastBytes / machine.broadcastBytesPerCycle / fragments +
                 loadBytes / machine.l1BytesPerCycle / rows;
  double latency = intrinsic.latencyCycles / (rows * fragments);
  return std::max({intrinsic.throughputCycles, latency, loads});
}

/// Sums of a tile's column pass through memory, are converted, scaled and added.
static constexpr double tileScalingCycles = 4;

/// The same where a unit multiplies matrices, which have more rows than there are at times.
static double cyclesOfTiles(const Intrinsic &intrinsic, const NarrowProduct &product) {
  double rows = std::min(intrinsic.m, product.rows());
  return (intrinsic.throughputCycles / (intrinsic.k * rows) +
          tileScalingCycles / product.weights.group) /
         intrinsic.n;
}

double ucmoh::arrivingCyclesPerWeight(const NarrowProduct &product, const Machine &machine) {
  double bytes = product.bits() / 8. + 4. / product.weights.group; // scales are f32
  return bytes / product.rows() * machine.clockGHz * 1e9 / machine.memoryBytesPerSecond;
}

double ucmoh::cyclesPerWeight(const Candidate &candidate, const NarrowProduct &product,
                              const Machine &machine) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (NarrowProduct::multipliesTiles(intrinsic))
    return cyclesOfTiles(intrinsic, product);
  if (!product
           .streamsWeights()) // what is unpacked has its scale already, and costs each row little
    return intrinsic.throughputCycles / (intrinsic.n * intrinsic.k);
  int64_t fragments = candidate.tileN / intrinsic.n, rows = product.streamedRows(candidate);
  double step =
      product.pieces * cyclesPerExecution(intrinsic, rows * product.pieces, fragments, machine);
  bool unpacksOnce = NarrowProduct::hasManyTiles(product.rows(), rows);
  double unpacking = unpackingCycles / ((unpacksOnce ? product.rows() : rows) * intrinsic.k);
  // Each piece is converted; one product for each joins them, and scales the sum.
  double scaling = scalingCycles * (2 * product.pieces + 1) / product.weights.group;
  return (step / intrinsic.k + unpacking + scaling) / intrinsic.n;
}
