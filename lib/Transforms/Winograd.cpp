//===- Winograd.cpp - Convolutions of 3 x 3 pixels with fewer products
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassKernels.h"
#include "Winograd/WinogradEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

namespace ucmoh {
#define GEN_PASS_DEF_WINOGRAD
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

/// Pins the rows of tiles that are computed at once, on a convolution; 0 leaves it alone.
static constexpr llvm::StringLiteral winogradName = "ucmoh.winograd";

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

/// The loops over a result's pixels and over the window of three, whose sum an expression is.
static std::optional<std::pair<unsigned, unsigned>> findWindow(LinalgOp op, AffineExpr expr) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto pixel = dyn_cast<AffineDimExpr>(sum.getLHS()),
       window = dyn_cast<AffineDimExpr>(sum.getRHS());
  if (!pixel || !window)
    return std::nullopt;
  auto isReduction = [&](AffineDimExpr dim) {
    return op.getIteratorTypesArray()[dim.getPosition()] == utils::IteratorType::reduction;
  };
  if (isReduction(pixel))
    std::swap(pixel, window);
  if (isReduction(pixel) || !isReduction(window) ||
      op.getStaticLoopRanges()[window.getPosition()] != 3)
    return std::nullopt;
  return std::make_pair(pixel.getPosition(), window.getPosition());
}

/// The largest magnitude of an integer element less its zero point; 1 at least.
static int64_t largestOf(const ContractionBody::Input &input) {
  ElementRange range = fullRange(input.type);
  return std::max({std::abs(range.low - input.zeroOffset), std::abs(range.high - input.zeroOffset),
                   int64_t(1)});
}

/// Finds the image and the weights, if these are constant. Zero points may be further inputs. A
/// shift of an image by its zero point is looked through.
static bool findOperands(WinogradConvolution &found) {
  LinalgOp op = found.op;
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumDpsInits() != 1 ||
      op->hasAttr("ucmoh.choice"))
    return false;
  std::optional<ContractionBody> body = matchContractionBody(op);
  if (!body || body->lhs.value != op.getDpsInputs()[0] || body->rhs.value != op.getDpsInputs()[1])
    return false;
  found.image = body->lhs;
  found.weights = body->rhs;
  if (found.image.type.isInteger())
    lookThroughProducers(found.image);
  return dependsOnWeightsAlone(found.weights.value);
}

/// Whether sums of nine such elements have 16 bits.
static bool isByte(const ContractionBody::Input &input) {
  return input.type.isInteger() && input.type.bits == 8 && !input.zeroPoint &&
         largestOf(input) <= 2 * 255;
}

/// Whether four times the sum of that many windows' products has 32 bits. Sums on the way to it may
/// wrap around.
static bool fitsResult(const ContractionBody::Input &image, const ContractionBody::Input &weights,
                       int64_t channels) {
  return 4 * 9 * channels <= INT32_MAX / (largestOf(image) * largestOf(weights));
}

/// The types of the sums and of the results, if sums of the operands are as exact as these are:
/// those of f32 are rounded likewise, those of bytes have 16 bits. `channels` products are added.
static bool findTypes(WinogradConvolution &found, int64_t channels) {
  const ContractionBody::Input &image = found.image, &weights = found.weights;
  ElementType f32{ElementType::Float, 32}, s16{ElementType::SignedInt, 16},
      s32{ElementType::SignedInt, 32};
  Type result = getElementTypeOrSelf(found.op->getResult(0));
  bool isFloat = image.type == f32 && weights.type == f32 && result.isF32();
  bool isInteger = isByte(image) && isByte(weights) && result.isInteger(32);
  found.shape.sums = isFloat ? f32 : s16;
  found.shape.results = isFloat ? f32 : s32;
  return isFloat || (isInteger && fitsResult(image, weights, channels));
}

/// The elementwise op behind it, if each of its operands has slices for the elements of tiles.
static linalg::GenericOp findConsumer(LinalgOp op) {
  linalg::GenericOp consumer = findElementwiseConsumer(op);
  bool fits = consumer && consumer.getNumDpsInits() == 1 && !consumer.hasIndexSemantics() &&
              !consumer.payloadUsesValueFromOperand(consumer.getDpsInitOperand(0)) &&
              consumer.getIndexingMapsArray().back().isIdentity() &&
              llvm::all_of(consumer->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
              llvm::all_of(consumer.getIndexingMapsArray(),
                           [](AffineMap map) { return map.isProjectedPermutation(); });
  return fits ? consumer : linalg::GenericOp();
}

/// Finds the dims of the weights, if the loops are those of a convolution, channels innermost.
static bool findDims(WinogradConvolution &found) {
  LinalgOp op = found.op;
  AffineMap image = found.image.map, weights = found.weights.map;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (llvm::any_of(ArrayRef{image, weights, result},
                   [](AffineMap map) { return map.getNumResults() != 4; }) ||
      !result.isProjectedPermutation() || !weights.isProjectedPermutation() ||
      image.getResult(0) != result.getResult(0))
    return false;
  auto rows = findWindow(op, image.getResult(1)), columns = findWindow(op, image.getResult(2));
  auto loop = [&](unsigned position) { return getAffineDimExpr(position, op.getContext()); };
  if (!rows || !columns || result.getResult(1) != loop(rows->first) ||
      result.getResult(2) != loop(columns->first) || rows->second == columns->second)
    return false;
  AffineExpr loops[] = {loop(rows->second), loop(columns->second), image.getResult(3),
                        result.getResult(3)};
  unsigned *dims[] = {&found.windowRows, &found.windowColumns, &found.channels, &found.filters};
  for (auto [expr, dim] : llvm::zip_equal(loops, dims)) {
    std::optional<unsigned> position = weights.getResultPosition(expr);
    if (!position)
      return false;
    *dim = *position;
  }
  return true;
}

static std::optional<WinogradConvolution> findConvolution(LinalgOp op) {
  WinogradConvolution found;
  found.op = op;
  if (!findOperands(found) || !findDims(found))
    return std::nullopt;
  found.consumer = findConsumer(op);
  auto extents = cast<RankedTensorType>(op->getResultTypes()[0]).getShape();
  auto weights = cast<RankedTensorType>(found.weights.value.getType());
  int64_t channels = weights.getDimSize(found.channels);
  found.shape = {extents[0], extents[1], extents[2], channels, extents[3], {}, {}};
  if (found.shape.rows < 2 || found.shape.columns < 2 || !findTypes(found, channels))
    return std::nullopt;
  return found;
}

//===----------------------------------------------------------------------===//
// What is decided
//===----------------------------------------------------------------------===//

namespace {
struct WinogradPass : ucmoh::impl::WinogradBase<WinogradPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return passTarget.initialize(context, target);
  }

  void runOnOperation() override {
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) {
      if (op.getNumReductionLoops() == 3)
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (LinalgOp op : ops)
      if (std::optional<WinogradConvolution> found = findConvolution(op)) {
        FailureOr<int64_t> tileRows = decide(*found);
        if (failed(tileRows))
          return signalPassFailure();
        if (*tileRows > 0)
          replace(rewriter, *found, *tileRows);
      }
  }

  static void replace(RewriterBase &rewriter, const WinogradConvolution &found, int64_t tileRows) {
    LinalgOp root = found.root();
    rewriter.replaceOp(root, WinogradEmitter(rewriter, found).emit(tileRows));
    if (found.consumer)
      rewriter.eraseOp(found.op);
  }

  /// Returns the rows of tiles that are computed at once, pinned or as the model decides; 0 where
  /// the convolution stays as it is.
  FailureOr<int64_t> decide(const WinogradConvolution &found) {
    LinalgOp op = found.op;
    if (auto pinnedRows = op->getAttrOfType<IntegerAttr>(winogradName)) {
      op->removeAttr(winogradName);
      return pinnedRows.getInt();
    }
    auto kernels = onDemand.get(getOperation(), passTarget, model, threads, choices);
    if (failed(kernels))
      return failure();
    WorkloadOrReason analyzed = analyzeWorkload(op);
    if (!*kernels || !analyzed || (*kernels)->pinned.lookup(*analyzed.workload))
      return int64_t(0);
    WinogradPlan plan = planWinograd((*kernels)->best, *analyzed.workload, found.shape);
    describe(op, plan, found.shape);
    return plan.isWorthIt() ? plan.tileRows : 0;
  }

  void describe(LinalgOp op, const WinogradPlan &plan, const WinogradShape &shape) {
    auto function = op->getParentOfType<func::FuncOp>();
    auto options = remark::RemarkOpts::name("winograd")
                       .category("ucmoh")
                       .function(function ? function.getName() : "");
    remark::passed(op.getLoc(), options)
        << llvm::formatv("{0}, predicted {1:f1} us with {2} of {3} rows of tiles at once, directly "
                         "{4:f1} us",
                         plan.isWorthIt() ? "fewer products" : "left as it is",
                         plan.transformed * 1e6, plan.tileRows, shape.tileRows(), plan.direct * 1e6)
               .str();
  }

  PassTarget passTarget;
  KernelsOnDemand onDemand;
};
} // namespace
