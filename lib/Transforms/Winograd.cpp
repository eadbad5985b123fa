//===- Winograd.cpp - Convolutions of 3 x 3 pixels with fewer products
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "Winograd/WinogradEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Transforms/ChoiceFile.h"
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

/// Whether all three tensors are f32, and multiplied as they are.
static bool isPlainFloat(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op->hasAttr("ucmoh.choice"))
    return false;
  std::optional<ContractionBody> body = matchContractionBody(op);
  return body && body->lhs.value == op.getDpsInputs()[0] &&
         body->rhs.value == op.getDpsInputs()[1] &&
         llvm::all_of(op->getOperandTypes(),
                      [](Type type) { return getElementTypeOrSelf(type).isF32(); });
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

static std::optional<WinogradConvolution> findConvolution(LinalgOp op) {
  if (!isPlainFloat(op))
    return std::nullopt;
  AffineMap image = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap weights = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (image.getNumResults() != 4 || !result.isProjectedPermutation() ||
      result.getNumResults() != 4 || !weights.isProjectedPermutation() ||
      weights.getNumResults() != 4 || image.getResult(0) != result.getResult(0))
    return std::nullopt;
  auto rows = findWindow(op, image.getResult(1)), columns = findWindow(op, image.getResult(2));
  MLIRContext *context = op.getContext();
  auto isLoop = [&](AffineExpr expr, unsigned loop) {
    return expr == getAffineDimExpr(loop, context);
  };
  auto dimOf = [&](AffineExpr expr) { return weights.getResultPosition(expr); };
  if (!rows || !columns || !isLoop(result.getResult(1), rows->first) ||
      !isLoop(result.getResult(2), columns->first))
    return std::nullopt;
  auto windowRows = dimOf(getAffineDimExpr(rows->second, context));
  auto windowColumns = dimOf(getAffineDimExpr(columns->second, context));
  auto channels = dimOf(image.getResult(3)), filters = dimOf(result.getResult(3));
  if (!windowRows || !windowColumns || windowRows == windowColumns || !channels || !filters ||
      !dependsOnWeightsAlone(op.getDpsInputs()[1]))
    return std::nullopt;
  auto extents = cast<RankedTensorType>(op->getResultTypes()[0]).getShape();
  auto weightsType = cast<RankedTensorType>(op.getDpsInputs()[1].getType());
  WinogradConvolution found{
      op,
      findConsumer(op),
      op.getDpsInputs()[0],
      op.getDpsInputs()[1],
      *windowRows,
      *windowColumns,
      *channels,
      *filters,
      {extents[0], extents[1], extents[2], weightsType.getDimSize(*channels), extents[3]}};
  if (found.shape.rows < 2 || found.shape.columns < 2)
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
    if (failed(prepare()))
      return failure();
    WorkloadOrReason analyzed = analyzeWorkload(op);
    if (!kernels || !analyzed || pinned->lookup(*analyzed.workload))
      return int64_t(0);
    WinogradPlan plan = planWinograd(*kernels, *analyzed.workload, found.shape);
    describe(op, plan, found.shape);
    return plan.isWorthIt() ? plan.tileRows : 0;
  }

  /// The target and the model that suits it, once they are needed. Without kernels for a device,
  /// where each sum would be a launch.
  LogicalResult prepare() {
    if (kernels)
      return success();
    FailureOr<Target> found = passTarget.of(getOperation());
    if (failed(found))
      return failure();
    if (found->device)
      return success();
    found->threads = threads;
    pinned = std::make_shared<ChoiceFile>();
    if (!choices.empty() && failed(pinned->read(choices, &getContext())))
      return failure();
    std::string error;
    std::unique_ptr<CostModel> costModel = createModelFor(*found, model, error);
    if (!costModel)
      return emitError(UnknownLoc::get(&getContext()), error);
    kernels = std::make_shared<BestKernels>(*found, std::move(costModel));
    return success();
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
  std::shared_ptr<BestKernels> kernels;
  std::shared_ptr<ChoiceFile> pinned;
};
} // namespace
