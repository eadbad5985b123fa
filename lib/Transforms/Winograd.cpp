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

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

namespace {
/// An index of an image: the loop over results, and the one over a window that is added to it.
struct WindowLoops {
  unsigned result, window;
};
} // namespace

/// Windows that are one apart, and not dilated.
static std::optional<WindowLoops> findWindow(LinalgOp op, AffineExpr index) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(index);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto result = dyn_cast<AffineDimExpr>(sum.getLHS()),
       window = dyn_cast<AffineDimExpr>(sum.getRHS());
  if (!result || !window)
    return std::nullopt;
  auto isReduction = [&](AffineDimExpr dim) {
    return op.getIteratorTypesArray()[dim.getPosition()] == utils::IteratorType::reduction;
  };
  if (isReduction(result))
    std::swap(result, window);
  if (isReduction(result) || !isReduction(window))
    return std::nullopt;
  return WindowLoops{result.getPosition(), window.getPosition()};
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
/// those of f32 are rounded likewise, those of bytes have 16 bits.
static bool findTypes(WinogradConvolution &found) {
  const ContractionBody::Input &image = found.image, &weights = found.weights;
  ElementType f32{ElementType::Float, 32}, s16{ElementType::SignedInt, 16},
      s32{ElementType::SignedInt, 32};
  Type result = getElementTypeOrSelf(found.op->getResult(0));
  bool isFloat = image.type == f32 && weights.type == f32 && result.isF32();
  bool isInteger = isByte(image) && isByte(weights) && result.isInteger(32);
  found.shape.sums = isFloat ? f32 : s16;
  found.shape.results = isFloat ? f32 : s32;
  return isFloat || (isInteger && fitsResult(image, weights, found.shape.depth()));
}

/// The elementwise op behind it, if each of its operands has slices for the elements of tiles.
static linalg::GenericOp findConsumer(Value result) {
  linalg::GenericOp consumer = findElementwiseConsumer(result);
  bool fits = consumer && consumer.getNumDpsInits() == 1 && !consumer.hasIndexSemantics() &&
              !consumer.payloadUsesValueFromOperand(consumer.getDpsInitOperand(0)) &&
              consumer.getIndexingMapsArray().back().isIdentity() &&
              llvm::all_of(consumer->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
              llvm::all_of(consumer.getIndexingMapsArray(),
                           [](AffineMap map) { return map.isProjectedPermutation(); });
  return fits ? consumer : linalg::GenericOp();
}

/// What the result is read as: groups of channels side by side.
static Value joinedResult(LinalgOp op, const WinogradShape &shape) {
  Value result = op->getResult(0);
  auto join = result.hasOneUse() ? dyn_cast<tensor::CollapseShapeOp>(*result.user_begin())
                                 : tensor::CollapseShapeOp();
  bool joinsGroups = shape.groups > 1 && join && join->getBlock() == op->getBlock() &&
                     join.getReassociationIndices() == joinedGroups(shape);
  return joinsGroups ? join.getResult() : result;
}

namespace {
/// Finds the loops of a convolution, channels innermost, and their extents.
struct LoopFinder {
  WinogradConvolution &found;
  LinalgOp op = found.op;
  AffineMap image = found.image.map, weights = found.weights.map,
            result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  unsigned windows = 2; ///< loops over them

  bool find();
  bool findOuter(unsigned position);
  bool haveWeightsAllOthers();
  bool findPixels(unsigned position, unsigned &window, int64_t &extent);
  std::optional<unsigned> loopOf(AffineExpr index) const {
    auto dim = dyn_cast<AffineDimExpr>(index);
    return dim ? std::optional(dim.getPosition()) : std::nullopt;
  }
  bool isGroup(unsigned position) const {
    return image.getResult(position) == result.getResult(position) &&
           weights.getResultPosition(result.getResult(position));
  }
};
} // namespace

bool LoopFinder::findOuter(unsigned position) {
  int64_t slices = cast<RankedTensorType>(found.image.value.getType()).getDimSize(position);
  AffineExpr index = result.getResult(position);
  int64_t results = extents[*loopOf(index)], window = 1;
  if (image.getResult(position) != index) {
    auto loops = findWindow(op, image.getResult(position));
    if (!loops || loops->result != *loopOf(index))
      return false;
    window = extents[loops->window];
    ++windows;
  }
  found.shape.outer.push_back({slices, results, window});
  return slices == results + window - 1;
}

/// Windows of three pixels.
bool LoopFinder::findPixels(unsigned position, unsigned &window, int64_t &extent) {
  auto loops = findWindow(op, image.getResult(position));
  if (!loops || extents[loops->window] != 3 || loops->result != *loopOf(result.getResult(position)))
    return false;
  window = loops->window;
  extent = extents[loops->result];
  return extent >= 2;
}

/// Whether weights have the loops of windows, and of channels and filters, and no others.
bool LoopFinder::haveWeightsAllOthers() {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  bool isOnlySum = loops.size() == windows + 1;
  loops.push_back(found.filter);
  return isOnlySum && weights.getNumResults() == loops.size() + (found.shape.groups > 1) &&
         llvm::all_of(loops, [&](unsigned loop) { return weights.isFunctionOfDim(loop); });
}

/// Indices are outer ones, a row, a column, perhaps a group, and a channel.
bool LoopFinder::find() {
  unsigned rank = result.getNumResults();
  if (rank < 4 || image.getNumResults() != rank || !result.isProjectedPermutation() ||
      !weights.isProjectedPermutation() || !loopOf(image.getResult(rank - 1)))
    return false;
  bool hasGroups = isGroup(rank - 2);
  unsigned rows = rank - 3 - hasGroups;
  if (rows == 0)
    return false;
  for (unsigned position = 0; position < rows; ++position)
    if (!findOuter(position))
      return false;
  found.channel = *loopOf(image.getResult(rank - 1));
  found.filter = *loopOf(result.getResult(rank - 1));
  WinogradShape &shape = found.shape;
  shape.groups = hasGroups ? extents[*loopOf(result.getResult(rank - 2))] : 1;
  shape.channels = extents[found.channel];
  shape.filters = extents[found.filter];
  return findPixels(rows, found.windowRow, shape.rows) &&
         findPixels(rows + 1, found.windowColumn, shape.columns) &&
         found.windowRow != found.windowColumn && haveWeightsAllOthers();
}

static std::optional<WinogradConvolution> findConvolution(LinalgOp op) {
  WinogradConvolution found;
  found.op = op;
  if (!findOperands(found) || !LoopFinder{found}.find() || !findTypes(found))
    return std::nullopt;
  found.joined = joinedResult(op, found.shape);
  found.consumer = findConsumer(found.joined);
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
      if (op.getNumReductionLoops() >= 3)
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
    if (!found.consumer)
      return;
    if (Operation *join = found.joined.getDefiningOp(); join != found.op)
      rewriter.eraseOp(join);
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
