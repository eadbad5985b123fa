//===- WindowReduction.cpp - What is computed with a reduction over windows
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/WindowReduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/BodySlice.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/KnownValues.h"
#include "ucmoh/Analysis/Nest.h"

using namespace mlir;
using namespace ucmoh;

AffineMap WindowReduction::mapOfConsumer(OpOperand &operand) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  return consumer.getMatchingIndexingMap(&operand).compose(result);
}

AffineMap WindowReduction::imageMap() {
  AffineMap map = op.getMatchingIndexingMap(image);
  SmallVector<AffineExpr> results;
  for (auto [expr, padding] : llvm::zip_equal(map.getResults(), low))
    results.push_back(expr - padding);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace {
/// Evaluates a body where one element is a constant. It knows the values that are constants, and
/// which values are the reduction so far.
class PartialEvaluation {
public:
  void set(Value value, Attribute constant) { known.set(value, constant); }
  void setSum(Value value) { sums.insert(value); }
  void evaluate(Block &body) {
    for (Operation &inner : body.without_terminator())
      evaluate(inner);
  }
  bool isSum(Value value) const { return sums.contains(value); }
  Attribute lookup(Value value) const { return known.lookup(value); }

private:
  void evaluate(Operation &inner);
  bool isZero(Value value) const;
  bool leaves(Operation &inner, Value other) const;

  KnownValues known;
  DenseSet<Value> sums;
};
} // namespace

bool PartialEvaluation::isZero(Value value) const {
  Attribute constant = lookup(value);
  if (auto number = dyn_cast_or_null<FloatAttr>(constant))
    return number.getValue().isZero();
  auto integer = dyn_cast_or_null<IntegerAttr>(constant);
  return integer && integer.getValue().isZero();
}

/// Whether combining a reduction with `other` leaves it as it is.
bool PartialEvaluation::leaves(Operation &inner, Value other) const {
  Attribute constant = lookup(other);
  if (isa<arith::AddFOp, arith::AddIOp>(inner))
    return isZero(other);
  if (auto number = dyn_cast_or_null<FloatAttr>(constant))
    return isa<arith::MaximumFOp, arith::MaxNumFOp>(inner) && number.getValue().isInfinity() &&
           number.getValue().isNegative();
  auto integer = dyn_cast_or_null<IntegerAttr>(constant);
  return integer && ((isa<arith::MaxSIOp>(inner) && integer.getValue().isMinSignedValue()) ||
                     (isa<arith::MaxUIOp>(inner) && integer.getValue().isMinValue()));
}

void PartialEvaluation::evaluate(Operation &inner) {
  if (inner.getNumResults() != 1)
    return;
  Value result = inner.getResult(0);
  if (inner.getNumOperands() == 2)
    for (auto [x, y] : {std::pair(inner.getOperand(0), inner.getOperand(1)),
                        std::pair(inner.getOperand(1), inner.getOperand(0))}) {
      if (isSum(x) && leaves(inner, y))
        return setSum(result);
      // Weights are finite.
      if (isa<arith::MulFOp, arith::MulIOp>(inner) && isZero(x))
        return set(result, lookup(x));
    }
  known.fold(inner);
}

/// Whether an element of padding leaves the reduction as it is.
static bool isNeutral(WindowReduction window, Attribute padding) {
  linalg::LinalgOp op = window.op;
  PartialEvaluation body;
  if (linalg::GenericOp shift = window.shift) {
    body.set(shift.getBody()->getArgument(0), padding);
    body.evaluate(*shift.getBody());
    padding = body.lookup(shift.getBody()->getTerminator()->getOperand(0));
  }
  if (!padding)
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (Attribute constant; matchPattern(input->get(), m_Constant(&constant)) &&
                            !isa<ShapedType>(input->get().getType()))
      body.set(op.getMatchingBlockArgument(input), constant);
  body.set(op.getMatchingBlockArgument(window.image), padding);
  body.setSum(op.getMatchingBlockArgument(op.getDpsInitOperand(0)));
  body.evaluate(*op.getBlock());
  return body.isSum(op.getBlock()->getTerminator()->getOperand(0));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Whether vectors of the elements can be loaded and stored: an i4 takes a byte in memory.
static bool hasWholeBytes(Value value) {
  Type element = getElementTypeOrSelf(value);
  return element.isInteger(1) ||
         (element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0);
}

/// Whether `loop` runs over neighbours in memory or does not move in an operand.
static bool isContiguous(Value value, AffineMap map, unsigned loop) {
  if (!hasWholeBytes(value))
    return false;
  if (!isa<ShapedType>(value.getType()) || !map.isFunctionOfDim(loop))
    return true;
  ArrayRef<AffineExpr> results = map.getResults();
  for (int64_t extent : llvm::reverse(cast<ShapedType>(value.getType()).getShape())) {
    if (extent != 1 || results.back().isFunctionOfDim(loop))
      break; // behind it, elements have no neighbours
    results = results.drop_back();
  }
  unsigned moved =
      llvm::count_if(results, [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
  return moved == 1 && results.back() == getAffineDimExpr(loop, map.getContext());
}

/// Whether each dim of the image follows from one loop over the result and one over the window.
static bool isWindowed(linalg::LinalgOp op, AffineMap map) {
  bool slides = false;
  for (AffineExpr expr : map.getResults()) {
    unsigned counts[2] = {0, 0};
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      if (expr.isFunctionOfDim(loop))
        ++counts[op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction];
    bool isLinear = !expr.walk([](AffineExpr part) {
                           return isa<AffineBinaryOpExpr>(part) &&
                                          part.getKind() != AffineExprKind::Add &&
                                          part.getKind() != AffineExprKind::Mul
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
    if (counts[0] > 1 || counts[1] > 1 || !isLinear)
      return false;
    slides |= counts[0] == 1 && counts[1] == 1;
  }
  return slides;
}

/// The number of neighbours that an expression with one quotient in it makes one.
static int64_t findDivisor(AffineExpr expr) {
  int64_t divisor = 0;
  expr.walk([&](AffineExpr part) {
    if (part.getKind() == AffineExprKind::FloorDiv)
      if (auto by = dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS()))
        divisor = by.getValue();
  });
  return divisor;
}

/// Groups of channels, if the image and the weights lie as ucmoh-groups lays them.
static std::optional<ChannelGroups> findGroups(linalg::LinalgOp op) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (op.getNumDpsInputs() != 2 || op.getNumReductionLoops() < 2 || result.getNumResults() == 0)
    return std::nullopt;
  AffineMap image = op.getMatchingIndexingMap(op.getDpsInputOperand(0)),
            weights = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  unsigned loops = op.getNumLoops();
  AffineExpr lane = result.getResults().back(),
             chunk = getAffineDimExpr(loops - 2, op.getContext()),
             element = getAffineDimExpr(loops - 1, op.getContext());
  int64_t outputs = image.getNumResults() ? findDivisor(image.getResults().back()) : 0;
  if (!outputs || weights.getNumResults() < 3 ||
      weights.getResults().take_back(3) != ArrayRef<AffineExpr>{chunk, lane, element})
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t row = extents[loops - 1], inputs = extents[loops - 2] * row;
  if (image.getResults().back() != lane.floorDiv(outputs) * inputs + chunk * row + element)
    return std::nullopt;
  return ChannelGroups{inputs, outputs, row, loops - 2, loops - 1};
}

/// The operand whose windows are reduced.
static OpOperand *findImage(linalg::LinalgOp op) {
  if (findGroups(op))
    return op.getDpsInputOperand(0);
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<RankedTensorType>(input->get().getType()) &&
        isWindowed(op, op.getMatchingIndexingMap(input)))
      return input;
  return nullptr;
}

/// The loop of the result's innermost dim, if it can be a vector's.
static std::optional<unsigned> findChannels(linalg::LinalgOp op) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!result.isProjectedPermutation() || result.getNumResults() < 2)
    return std::nullopt;
  unsigned loop = cast<AffineDimExpr>(result.getResults().back()).getPosition();
  bool hasGroups = findGroups(op).has_value(); // whose inputs are read in another way
  bool fits = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return (hasGroups && op.isDpsInput(&operand)) ||
           isContiguous(operand.get(), op.getMatchingIndexingMap(&operand), loop);
  });
  return fits ? std::optional(loop) : std::nullopt;
}

/// The innermost parallel loop that slides over the image.
static std::optional<unsigned> findColumns(WindowReduction window) {
  AffineMap image = window.op.getMatchingIndexingMap(window.image);
  AffineMap result = window.op.getMatchingIndexingMap(window.op.getDpsInitOperand(0));
  std::optional<unsigned> found;
  for (AffineExpr expr : result.getResults().drop_back())
    if (unsigned loop = cast<AffineDimExpr>(expr).getPosition(); image.isFunctionOfDim(loop))
      found = loop;
  return found;
}

//===----------------------------------------------------------------------===//
// What joins
//===----------------------------------------------------------------------===//

/// Whether no element of the image belongs to two windows: as many at least as there are steps.
static bool readsEachOnce(WindowReduction window) {
  auto image = cast<RankedTensorType>(window.image->get().getType());
  return llvm::product_of(window.op.getStaticLoopRanges()) <= image.getNumElements();
}

/// An op on elements of the image that costs no more than to load them. Where each element is read
/// once, it may be several, such as those of a dequantization, and others may want its result too.
static linalg::GenericOp findShift(WindowReduction window) {
  Value value = window.image->get();
  bool isRepeated = !readsEachOnce(window);
  unsigned mostOps = isRepeated ? 1 : 6;
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || (isRepeated && !value.hasOneUse()) || op.getNumReductionLoops() ||
      op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || !computesOnVectors(op) ||
      llvm::range_size(op.getBody()->without_terminator()) > mostOps ||
      !op.getRegionOutputArgs()[0].use_empty() || !hasWholeBytes(op.getDpsInputs()[0]) ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return {};
  return op;
}

/// Takes in padding and a shift of the image, where they need no copy of it.
static void findSource(WindowReduction &window) {
  window.source = window.image->get();
  window.low.assign(cast<RankedTensorType>(window.source.getType()).getRank(), 0);
  WindowReduction tried = window;
  bool readsRows = window.groups && window.groups->row > 1; // as they lie in memory
  tried.shift = readsRows ? linalg::GenericOp() : findShift(tried);
  if (tried.shift)
    tried.source = tried.shift.getDpsInputs()[0];
  auto pad = tried.source.getDefiningOp<tensor::PadOp>();
  Attribute padding;
  if (!pad) {
    window = tried;
    return;
  }
  auto isStatic = [](ArrayRef<int64_t> sizes) {
    return llvm::all_of(sizes, [](int64_t size) { return size >= 0; });
  };
  if (!pad.getSourceType().hasStaticShape() || !isStatic(pad.getStaticLow()) ||
      !isStatic(pad.getStaticHigh()) || pad.getStaticLow().back() || pad.getStaticHigh().back() ||
      !pad.getConstantPaddingValue() ||
      !matchPattern(pad.getConstantPaddingValue(), m_Constant(&padding)) ||
      !isNeutral(tried, padding))
    return;
  tried.source = pad.getSource();
  tried.low.assign(pad.getStaticLow());
  window = tried;
}

/// Finds the values that the reduction starts from: those of a fill or of a broadcast where it
/// starts from one.
static void findInit(WindowReduction &window) {
  linalg::LinalgOp op = window.op;
  window.init = op.getDpsInits()[0];
  window.initMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (auto fill = window.init.getDefiningOp<linalg::FillOp>();
      fill && matchPattern(fill.getInputs()[0], m_Constant())) {
    window.init = fill.getInputs()[0];
    window.initMap = AffineMap();
    return;
  }
  auto moved = window.init.getDefiningOp<linalg::GenericOp>();
  if (!moved || moved.getNumDpsInputs() != 1 || !llvm::hasSingleElement(*moved.getBody()) ||
      moved.getBody()->getTerminator()->getOperand(0) != moved.getBody()->getArgument(0) ||
      !moved.getIndexingMapsArray()[1].isIdentity())
    return;
  AffineMap map = moved.getIndexingMapsArray()[0].compose(window.initMap);
  if (isContiguous(moved.getDpsInputs()[0], map, window.channelLoop)) {
    window.init = moved.getDpsInputs()[0];
    window.initMap = map;
  }
}

/// The one elementwise op that reads the result, if it can be computed block by block.
static void findConsumer(WindowReduction &window) {
  linalg::GenericOp consumer = findElementwiseConsumer(window.op);
  if (!consumer || consumer.hasDynamicShape() || !computesOnVectors(consumer))
    return;
  WindowReduction joined = window;
  joined.consumer = consumer;
  joined.consumed = &*window.op->getResult(0).use_begin();
  for (OpOperand &operand : consumer->getOpOperands()) {
    bool isRead = !consumer.getMatchingBlockArgument(&operand).use_empty();
    if (consumer.isDpsInit(&operand) &&
        (isRead || !consumer.getMatchingIndexingMap(&operand).isIdentity()))
      return;
    if (!isContiguous(operand.get(), joined.mapOfConsumer(operand), window.channelLoop))
      return;
  }
  window = joined;
}

std::optional<WindowReduction> ucmoh::findWindowReduction(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInits() != 1 || !computesOnVectors(op) ||
      llvm::is_contained(op.getStaticLoopRanges(), 0))
    return std::nullopt;
  WindowReduction window;
  window.op = op;
  std::optional<unsigned> channels = findChannels(op);
  window.image = findImage(op);
  if (!channels || !window.image)
    return std::nullopt;
  window.channelLoop = *channels;
  window.groups = findGroups(op);
  std::optional<unsigned> columns = findColumns(window);
  if (!columns || llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
        return !isa<ShapedType>(input->get().getType()) &&
               !matchPattern(input->get(), m_Constant());
      }))
    return std::nullopt;
  window.columnLoop = *columns;
  findSource(window);
  findInit(window);
  findConsumer(window);
  return window;
}

WorkloadOrReason ucmoh::analyzeWindows(linalg::LinalgOp op) {
  WorkloadOrReason found = analyzeDepthwise(op);
  if (!found)
    return found;
  std::optional<WindowReduction> window = findWindowReduction(op);
  if (!window)
    return {std::nullopt, "no windows of an image with neighbouring channels"};
  Workload &workload = *found.workload;
  if (workload.lhs.map.isProjectedPermutation(/*allowZeroInResults=*/true))
    std::swap(workload.lhs, workload.rhs);
  workload.lhs.value = window->source;
  workload.lhs.shape = llvm::to_vector(cast<RankedTensorType>(window->source.getType()).getShape());
  SmallVector<AffineExpr> results;
  for (auto [expr, low] : llvm::zip_equal(workload.lhs.map.getResults(), window->low))
    results.push_back(expr - low);
  workload.lhs.map = AffineMap::get(workload.dims.size(), 0, results, op.getContext());
  return found;
}

WorkloadOrReason ucmoh::analyzeTask(linalg::LinalgOp op) {
  WorkloadOrReason contraction = analyzeWorkload(op);
  if (contraction)
    return contraction;
  WorkloadOrReason windows = analyzeWindows(op);
  return windows ? windows : contraction;
}
